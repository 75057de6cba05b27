import { createServer } from "node:http";
import { sampleLines } from "./exposition.ts";
import type { RunningDaemon } from "./daemon.ts";
import { closeServer, listenOn } from "./recording-server.ts";

/** Serves a scrape of an exporter until the next one is taken: its samples stay, however late a busy machine answers. */
export type StampedRelay = {
  readonly address: string;
  /** Scrapes the exporter and serves that until the next call; resolves with the time of its samples in Unix seconds. */
  readonly capture: (exporter: RunningDaemon) => Promise<number>;
  readonly close: () => Promise<void>;
};

/** Each sample is served with the time at which it was captured, which Prometheus stores instead of its own. */
export async function startStampedRelay(): Promise<StampedRelay> {
  const served = { text: "", last: 0 };
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(served.text);
  });
  const port = await listenOn(server);
  return {
    address: `http://127.0.0.1:${port}`,
    async capture(exporter) {
      const lines = sampleLines(await (await exporter.get("/metrics", "text/plain")).text());
      served.last = Math.max(Date.now(), served.last + 1);
      served.text = lines.map((line) => `${line} ${served.last}\n`).join("");
      return served.last / 1000;
    },
    close: () => closeServer(server),
  };
}
