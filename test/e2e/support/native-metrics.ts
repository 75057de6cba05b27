import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { closeServer, listenOn } from "./recording-server.ts";

const RECORDING = "test/recordings/local-healthy-validator.native-metrics.txt";

/** Serves the recorded metrics of a node itself. Every value grows by a hundredth at each scrape, so that counters have rates. */
export async function serveNativeMetrics(): Promise<{ readonly host: string; readonly stop: () => Promise<void> }> {
  const recorded = await readFile(RECORDING, "utf8");
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
