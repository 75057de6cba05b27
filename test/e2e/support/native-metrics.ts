import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { closeServer, listenOn } from "./recording-server.ts";

/** A node with L1s, and the families that came with Helicon. */
const RECORDED = ["local-healthy-validator", "head-n2-after-restart"];

/** Serves the recorded metrics of a node itself: of the second recording the families that the first one lacks. Every value grows by a hundredth at each scrape, so that counters have rates. */
export async function serveNativeMetrics(): Promise<{ readonly host: string; readonly stop: () => Promise<void> }> {
  const [old = "", newer = ""] = await Promise.all(
    RECORDED.map((name) => readFile(`test/recordings/${name}.native-metrics.txt`, "utf8")),
  );
  const isKnown = new Set(old.match(/^\w+/gm));
  const recorded = `${old}${newer
    .split("\n")
    .filter((line) => /^avalanche_/.test(line) && !isKnown.has(/^\w+/.exec(line)?.[0] ?? ""))
    .join("\n")}\n`;
  let scrapes = 0;
  const server = createServer((_request, response) => {
    scrapes += 1;
    const grown = 1 + scrapes / 100;
    const text = recorded.replaceAll(
      /^([^#].*) (\S+)$/gm,
      (_line, series: string, value: string) => `${series} ${Number(value) * grown}`,
    );
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(text);
  });
  const port = await listenOn(server);
  return { host: `127.0.0.1:${port}`, stop: () => closeServer(server) };
}
