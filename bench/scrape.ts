import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { gzip, gzipSync } from "node:zlib";
import { promisify } from "node:util";
import { Gauge, Registry } from "prom-client";
import { createExposition, type Exposition, type Scraped } from "../src/exposition/exposition.ts";
import { renderSamples } from "../src/exposition/format.ts";
import type { Family, Sample } from "../src/exposition/sample.ts";
import { cpuMs, median, type Row } from "./measure.ts";

/**
 * The cost of a scrape compared with prom-client, with the same series in the same run. Measured is the CPU time of this process
 * in all its threads, as the median of several rounds, so that a busy machine disturbs little.
 */

type Labels = Readonly<Record<string, string>>;
type Workload = {
  readonly families: readonly Family[];
  readonly targets: readonly string[];
  readonly perTarget: number;
};

const CHAINS = ["C", "P", "X", "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5"];
const LARGE = workload(25, 1000, 4);
const ROUNDS = 7;

function workload(families: number, targets: number, perTarget: number): Workload {
  return {
    families: Array.from({ length: families }, (_, i) => ({
      name: `avax_chain_measure_${word(i)}_${i % 3 === 0 ? "seconds" : "ratio"}`,
      help: `What the node says about ${word(i)} of this chain (info.${word(i * 7)}, field ${word(i * 3)}).`,
      type: "gauge",
    })),
    targets: Array.from({ length: targets }, (_, i) => `validator-${String(i).padStart(4, "0")}`),
    perTarget,
  };
}

function word(i: number): string {
  const parts = [
    "accepted",
    "height",
    "processing",
    "uptime",
    "stake",
    "connected",
    "budget",
    "latency",
    "peers",
    "weight",
  ];
  return `${parts[i % 10]}_${parts[Math.floor(i / 10) % 10]}_${i}`;
}

function baseOf(target: string): Labels {
  return { node: target, network: "mainnet" };
}

/** Heights, ratios and times: digits that neither repeat nor are pure noise. */
function samplesOf(family: number, target: number, perTarget: number, turn: number): Array<Sample> {
  return Array.from({ length: perTarget }, (_, i): Sample => {
    const seed = (family * 7919 + target * 104729 + i * 1299709 + turn * 15485863) % 1000003;
    const value = [61_000_000 + (seed % 5000), seed / 1000003, seed % 2, 1_750_000_000 + (seed % 86400) / 1000][
      family % 4
    ];
    return [{ chain: CHAINS[i % CHAINS.length] ?? "C" }, value];
  });
}

function renderFamily(exposition: Exposition, load: Workload, index: number, turn: number): void {
  const family = load.families[index];
  if (family === undefined) return;
  for (const [at, target] of load.targets.entries()) {
    const { text, series } = renderSamples(family, baseOf(target), samplesOf(index, at, load.perTarget, turn));
    exposition.set(family.name, target, text, series);
  }
}

function filled(load: Workload): Exposition {
  const exposition = createExposition(load.families);
  for (const index of load.families.keys()) renderFamily(exposition, load, index, 0);
  return exposition;
}

function peerOf(load: Workload): { registry: Registry; change: (index: number, turn: number) => void } {
  const registry = new Registry();
  const labelNames = ["node", "network", "chain"];
  const gauges = load.families.map(({ name, help }) => new Gauge({ name, help, labelNames, registers: [registry] }));
  const change = (index: number, turn: number): void => {
    for (const [at, target] of load.targets.entries()) {
      for (const [labels, value] of samplesOf(index, at, load.perTarget, turn)) {
        gauges[index]?.set({ ...baseOf(target), ...labels }, Number(value));
      }
    }
  };
  for (const index of load.families.keys()) change(index, 0);
  return { registry, change };
}

/** Milliseconds of CPU of one call, the median of the rounds; each round is the mean of several calls. */
async function cpu(calls: number, work: (turn: number) => unknown): Promise<number> {
  const rounds: number[] = [];
  let turn = 1;
  for (let round = -1; round < ROUNDS; round++) {
    const before = cpuMs();
    for (let i = 0; i < calls; i++) await work(turn++);
    if (round >= 0) rounds.push((cpuMs() - before) / calls);
  }
  return median(rounds);
}

async function whole(exposition: Exposition, zipped: boolean): Promise<Buffer> {
  return Buffer.concat((await exposition.scrape({ format: "text", gzip: zipped })).chunks);
}

function row(work: string, ours: number, peer: number, most: number, least?: number): Row {
  const ratio = peer / ours;
  return {
    work,
    ours: `${ours.toFixed(2)} ms`,
    peer: `${peer.toFixed(0)} ms`,
    ratio: `${ratio.toFixed(0)}x`,
    target: `<= ${most} ms${least === undefined ? "" : `, >= ${least}x`}`,
    met: ours <= most && (least === undefined || ratio >= least),
  };
}

async function sizeRow(work: string, exposition: Exposition): Promise<Row> {
  const pieces = (await exposition.scrape({ format: "text", gzip: true })).bytes;
  const one = gzipSync(await whole(exposition, false), { level: 6 }).length;
  const ratio = pieces / one;
  return {
    work,
    ours: `${pieces} B`,
    peer: `${one} B`,
    ratio: ratio.toFixed(3),
    target: "<= 1.05",
    met: ratio <= 1.05,
  };
}

/** The client is another process, so that its CPU time is not measured; it reads and discards the response. */
function runClient(): void {
  const agent = new Agent({ keepAlive: true });
  process.on("message", ({ port, path }: { port: number; path: string }) => {
    get({ port, path, agent, host: "127.0.0.1" }, (response) => {
      response.on("end", () => process.send?.("done"));
      response.resume();
    });
  });
}

type Connection = { readonly ask: (path: string) => Promise<void>; readonly close: () => void };

/** Serves the chunks of `scrape` over loopback, corked. */
async function served(scrape: (path: string) => Promise<Scraped>): Promise<Connection> {
  const server = createServer((request, response) => {
    void scrape(request.url ?? "/").then(({ chunks, bytes }) => {
      response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8", "content-length": bytes });
      response.cork();
      for (const chunk of chunks) response.write(chunk);
      response.end();
      response.uncork();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = fork(import.meta.filename, ["client"]);
  return {
    ask: async (path) => {
      client.send({ port, path });
      await once(client, "message");
    },
    close: () => {
      client.disconnect();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Compares scrapes with prom-client's, at 100,000 series in 25 families of 1,000 targets, and sizes with one whole gzip. */
export async function benchScrape(): Promise<readonly Row[]> {
  const exposition = filled(LARGE);
  const peer = peerOf(LARGE);
  const zip = promisify(gzip);
  const peerText = async (): Promise<Buffer> => Buffer.from(await peer.registry.metrics());
  const peerGzip = async (): Promise<Buffer> => zip(await peerText(), { level: 6 });
  const scrape = (path: string): Promise<Scraped> => {
    if (path === "/peer") return peerText().then((text) => ({ chunks: [text], bytes: text.length }));
    if (path === "/peer.gz") return peerGzip().then((data) => ({ chunks: [data], bytes: data.length }));
    return exposition.scrape({ format: "text", gzip: path === "/gzip" });
  };
  const changed = (turn: number): Promise<Scraped> => {
    renderFamily(exposition, LARGE, turn % LARGE.families.length, turn);
    return exposition.scrape({ format: "text", gzip: true });
  };
  const peerChanged = (turn: number): Promise<Buffer> => {
    peer.change(turn % LARGE.families.length, turn);
    return peerGzip();
  };

  const http = await served(scrape);
  const texts = await cpu(1, peerText);
  const zipped = await cpu(1, peerGzip);
  const rows = [
    row("text, chunks made", await cpu(20, () => scrape("/text")), texts, 6),
    row(
      "text, over HTTP to another process",
      await cpu(5, () => http.ask("/text")),
      await cpu(1, () => http.ask("/peer")),
      6,
    ),
    row("gzip, nothing changed, chunks made", await cpu(20, () => scrape("/gzip")), zipped, 6, 60),
    row(
      "gzip, nothing changed, over HTTP to another process",
      await cpu(20, () => http.ask("/gzip")),
      await cpu(1, () => http.ask("/peer.gz")),
      6,
      60,
    ),
    row("gzip, 1 of 25 families re-rendered", await cpu(10, changed), await cpu(1, peerChanged), 16, 25),
    await sizeRow("size, 100,000 series in 25 families", exposition),
    await sizeRow("size, 200 series in 120 families of one node", filled(workload(120, 1, 2))),
    await sizeRow("size, 2,000 series in 120 families of ten nodes", filled(workload(120, 10, 2))),
  ];
  http.close();
  return rows;
}

if (import.meta.main) {
  if (process.argv[2] === "client") runClient();
  else console.table(await benchScrape());
}
