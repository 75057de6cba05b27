import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { Health } from "../src/api/node/health.ts";
import { createDaemon } from "../src/daemon/daemon.ts";
import { catalogueOf } from "../src/topics/define/catalogue.ts";
import { TOPICS } from "../src/topics/all/topics.ts";
import { everySecond } from "../src/daemon/scheduler.ts";
import { cpuMs, median, pause, type Row } from "./measure.ts";
import { configOf, ended, nextMessage, start } from "./processes.ts";

/**
 * The cost of one poll of a health report by the whole daemon: request, validation, samples and exposition. The peer is the
 * minimum of any poller, undici and JSON.parse. Measured is the CPU time of this process in all its threads; the node is another
 * process. Every answer differs from the previous one, because equal ones would not be rendered again.
 */

const RATE = 200;

const about = { version: "0", revision: "bench", nodeVersion: process.version, exporterMetrics: false };
const silent = () => undefined;

/** A report of some 2 KB with the checks of a validator. */
function report(turn: number): string {
  const timestamp = new Date(1_750_000_000_000 + turn * 15_000).toISOString();
  const chain = (height: number, disconnected: readonly string[]) => ({
    message: {
      engine: {
        consensus: {
          avgAcceptanceTime: "621.538831ms",
          lastAcceptedHeight: height + turn,
          lastAcceptedID: "UZQ1n9zeVgzd1PKEwNb69RaFbm5n4hrjLibkweKzZ5euYG9Mc",
          longestProcessingBlock: `${(turn % 900) + 1}ms`,
          processingBlocks: turn % 5,
        },
        vm: null,
      },
      networking: { disconnectedValidators: disconnected, percentConnected: 0.99 + (turn % 100) / 10_000 },
    },
    timestamp,
    duration: 30_000 + (turn % 10_000),
  });
  const check = (message?: unknown) => ({ message, timestamp, duration: 2_000 + (turn % 1_000) });
  return JSON.stringify({
    checks: {
      C: chain(61_000_000, ["NodeID-111111111111111111116DBWJs"]),
      P: chain(21_000_000, []),
      X: chain(400_000, []),
      bls: check("node has the correct BLS key"),
      bootstrapped: check([]),
      database: check(),
      diskspace: check({ availableDiskBytes: 77_408_874_496 - turn, availableDiskPercentage: 28 }),
      network: check({
        connectedPeers: 1_100 + (turn % 20),
        "primary network validator health": { ingressConnectionCount: 700, primaryNetworkValidator: true },
        sendFailRate: (turn % 100) / 1e5,
        timeSinceLastMsgReceived: `${turn % 60}.686687ms`,
        timeSinceLastMsgSent: `${turn % 60}.686687ms`,
      }),
      router: check({ longestRunningRequest: `${turn % 300}ms`, outstandingRequests: turn % 40 }),
    },
    healthy: true,
  });
}

function runNode(): void {
  let turn = 0;
  process.on("message", () => process.send?.(turn));
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end(report(turn++));
  });
  process.once("disconnect", () => process.exit(0));
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}

type Run = {
  readonly port: number;
  readonly rounds: number;
  readonly seconds: number;
  /** Answers that the node has sent so far. */
  readonly answers: () => Promise<number>;
};

/** Milliseconds of CPU per poll, the median of the rounds. */
async function perPoll({ rounds, seconds, answers }: Run): Promise<number> {
  const figures: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const before = { answers: await answers(), cpu: cpuMs() };
    await pause(seconds * 1000);
    const used = cpuMs() - before.cpu;
    if (round >= 0) figures.push(used / ((await answers()) - before.answers));
  }
  return median(figures);
}

/** As many nodes as polls per second, each polled once a second. */
async function ours(run: Run): Promise<number> {
  const nodes = Array.from({ length: RATE }, (_, i) => ({ name: `node-${i}`, url: `http://127.0.0.1:${run.port}` }));
  const all = configOf(nodes);
  const off = catalogueOf(TOPICS).endpoints.map(({ id }) => [id, { enabled: false }] as const);
  const config = {
    ...all,
    nodes: all.nodes.map((node) => ({ ...node, network: "mainnet" })),
    endpoints: { ...Object.fromEntries(off), [Health.id]: { every: 1, timeout: 1 } },
  };
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const daemon = createDaemon({ ...about, log, config });
  const scheduler = everySecond(daemon.poller.tick, log);
  daemon.poller.tick();
  await daemon.poller.firstRound();
  const cost = await perPoll(run);
  scheduler.stop();
  await daemon.poller.close();
  return cost;
}

/** A connection for each node, like ours: a few busy connections cost less. */
async function bare(run: Run): Promise<number> {
  const origin = `http://127.0.0.1:${run.port}`;
  const pools = Array.from({ length: RATE }, () => new Pool(origin, { connections: 1, keepAliveTimeout: 60_000 }));
  const ask = async (pool: Pool): Promise<boolean> => {
    const { body } = await pool.request({ method: "GET", path: "/ext/health" });
    const { healthy } = JSON.parse(await body.text()) as { healthy: boolean };
    return healthy;
  };
  const started = performance.now();
  let asked = 0;
  const timer = setInterval(() => {
    for (const due = ((performance.now() - started) / 1000) * RATE; asked < due; asked++) {
      const pool = pools[asked % RATE];
      if (pool !== undefined) void ask(pool);
    }
  }, 1000 / RATE);
  const cost = await perPoll(run);
  clearInterval(timer);
  await Promise.all(pools.map((pool) => pool.close()));
  return cost;
}

/** Polls of a health report, 200 a second, beside bare undici in the same run. */
export async function benchPoll(quick: boolean): Promise<readonly Row[]> {
  const [rounds, seconds] = quick ? [3, 2] : [7, 4];
  const node = start("poll.ts", ["node"]);
  const port = await nextMessage<number>(node);
  const answers = (): Promise<number> => {
    node.send("answers");
    return nextMessage<number>(node);
  };
  const run = { port, rounds, seconds, answers };
  const peer = await bare(run);
  const figure = await ours(run);
  await ended(node);
  return [
    {
      work: `one poll of a health report of ${(report(0).length / 1000).toFixed(1)} kB, ${RATE} a second (peer: bare undici)`,
      ours: `${figure.toFixed(2)} ms`,
      peer: `${peer.toFixed(2)} ms`,
      ratio: `${(figure / peer).toFixed(2)}x the cost`,
      target: "<= 1.5x the cost",
      met: figure <= 1.5 * peer,
    },
  ];
}

if (import.meta.main) {
  if (process.argv[2] === "node") runNode();
  else console.table(await benchPoll(process.argv.includes("--quick")));
}
