import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { Health } from "../src/api/node/health.ts";
import { catalogueOf } from "../src/topics/define/catalogue.ts";
import { TOPICS } from "../src/topics/all/topics.ts";
import { cpuOf, median, pause, requested, type Row } from "./measure.ts";
import { asked, ended, nextMessage, startDaemon, startScript, type Daemon } from "./processes.ts";

/**
 * The cost of one poll of a health report: the whole program, with nothing else to poll, beside the minimum of any poller, undici and
 * JSON.parse. All poll at the same time, 200 times a second over 200 connections, and their CPU time in all threads is divided by
 * the answers that the node has sent to each. No answer is like the one before. Most of what the minimum costs is to wake up for each
 * request; the exporter sends those of a tenth of a second together. So there are two peers: one sends evenly, one in tenths too.
 */

const RATE = 200;

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

/** The node: a server for the exporter and one for each peer. To a message it answers how many answers each has sent. */
async function runNode(): Promise<void> {
  const counts = [0, 0, 0];
  const ports = counts.map(async (_, at) => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "application/json" }).end(report((counts[at] ?? 0) + 1));
      counts[at] = (counts[at] ?? 0) + 1;
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  });
  process.on("message", () => process.send?.(counts));
  process.send?.(await Promise.all(ports));
}

/** A peer. @param every milliseconds between two moments at which it sends */
function runBare(port: string, every: number): void {
  const pools = Array.from({ length: RATE }, () => new Pool(`http://127.0.0.1:${port}`, { connections: 1 }));
  const ask = async (pool: Pool): Promise<boolean> => {
    const { body } = await pool.request({ method: "GET", path: "/ext/health" });
    const { healthy } = JSON.parse(await body.text()) as { healthy: boolean };
    return healthy;
  };
  let asked = 0;
  const started = performance.now();
  setInterval(() => {
    for (const due = ((performance.now() - started) / 1000) * RATE; asked < due; asked++) {
      const pool = pools[asked % RATE];
      if (pool !== undefined) void ask(pool);
    }
  }, every);
}

/** As many nodes as polls per second, each polled once a second for its health alone. */
function startOurs(port: number | undefined): Promise<Daemon> {
  const url = `http://127.0.0.1:${port}`;
  const off = catalogueOf(TOPICS).endpoints.map(({ id }) => [id, { enabled: false }] as const);
  return startDaemon({
    nodes: Array.from({ length: RATE }, (_, i) => ({ name: `node-${i}`, url, network: "mainnet" })),
    endpoints: { ...Object.fromEntries(off), [Health.id]: { every: "1s", timeout: "1s" } },
  });
}

/** Milliseconds of CPU an answer, of the exporter and of the peers. */
type Spent = { readonly ours: number; readonly even: number; readonly tenths: number };

/** @param scraped whether the exporter is scraped once in the time */
type Measure = (seconds: number, scraped: boolean) => Promise<Spent>;

function rowOf(work: string, rounds: readonly Spent[], by: "even" | "tenths", most?: number): Row {
  const [ours, peer] = [median(rounds.map((round) => round.ours)), median(rounds.map((round) => round[by]))];
  const ratio = ours / peer;
  const sends = by === "even" ? "" : ", in tenths of a second too";
  return {
    work: `${work} of ${(report(0).length / 1000).toFixed(1)} kB, ${RATE} a second (peer: bare undici${sends})`,
    ours: `${ours.toFixed(2)} ms`,
    peer: `${peer.toFixed(2)} ms`,
    ratio: `${ratio.toFixed(2)}x the cost`,
    target: most === undefined ? "" : `<= ${most}x`,
    met: most === undefined || ratio <= most,
  };
}

/** Polls alone, and polls of which every tenth answer is read by a scrape: by default every answer is, but a second has none. */
export async function benchPoll(quick: boolean): Promise<readonly Row[]> {
  const node = startScript("poll.ts", ["node"]);
  const [port, ...peerPorts] = await nextMessage<readonly number[]>(node);
  const peers = [1000 / RATE, 100].map((every, at) =>
    startScript("poll.ts", ["bare", String(peerPorts[at]), String(every)]),
  );
  const daemon = await startOurs(port);
  const measure: Measure = async (seconds, scraped) => {
    const cpu = (): readonly number[] => [daemon.cpu(), ...peers.map(({ pid }) => cpuOf(pid))];
    const before = { answers: await asked<readonly number[]>(node), cpu: cpu() };
    if (scraped) await requested(`${daemon.address}/metrics`, "gzip");
    await pause(seconds * 1000);
    const after = { cpu: cpu(), answers: await asked<readonly number[]>(node) };
    const [ours = NaN, even = NaN, tenths = NaN] = after.cpu.map(
      (now, at) => (now - (before.cpu[at] ?? NaN)) / ((after.answers[at] ?? NaN) - (before.answers[at] ?? NaN)),
    );
    return { ours, even, tenths };
  };
  const rounds = async (scraped: boolean): Promise<readonly Spent[]> => {
    const all: Spent[] = [];
    for (let round = 0; round < (quick ? 3 : 7); round++) all.push(await measure(quick ? 5 : 10, scraped));
    return all;
  };
  try {
    // The first minute is the compiler's.
    await pause(quick ? 5_000 : 60_000);
    const alone = await rounds(false);
    return [
      rowOf("one poll of a health report", alone, "even", 1.7),
      rowOf("one poll of a health report", alone, "tenths"),
      rowOf("one poll, and a scrape once in ten polls of each node: a report", await rounds(true), "even"),
    ];
  } finally {
    await daemon.stop();
    await Promise.all([...peers, node].map(ended));
  }
}

if (import.meta.main) {
  process.once("disconnect", () => process.exit(0));
  if (process.argv[2] === "node") await runNode();
  else runBare(process.argv[3] ?? "", Number(process.argv[4]));
}
