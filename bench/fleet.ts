import { gunzipSync } from "node:zlib";
import { get } from "node:http";
import type { Cost } from "./daemon.ts";
import { megabytes, pause, rowOf, type Row } from "./measure.ts";
import { configOf, startDaemon, startNetwork, type NetworkProcess } from "./processes.ts";

/**
 * The cost of a fleet: one process simulates the network, another one runs the daemon, and this one scrapes it every 15 s.
 * Measured after the first round, at the default cadences.
 */

const SCRAPE_EVERY_MS = 15_000;

const POLLS = "avax_poll_duration_seconds_count";

/** What a node answers: as many peers and validators as on a small network, and as on the main network. */
type Shape = { readonly peersPerNode: number; readonly validators: number };
const SMALL: Shape = { peersPerNode: 20, validators: 1000 };
const MAINNET: Shape = { peersPerNode: 1200, validators: 1300 };

export type Fleet = {
  readonly nodes: number;
  readonly cost: Cost;
  readonly firstRound: Cost;
  /** Fraction of one core, all threads. */
  readonly share: number;
  readonly polls: number;
  readonly pollsPerSecond: number;
  readonly missed: number;
  readonly failed: number;
  /** Bytes of the heap after a collection at the end. */
  readonly kept: number;
};

/**
 * Polls a fleet for twice `seconds` after its first round: at first its CPU time is measured, then the delays, since the timers for
 * those take CPU time themselves.
 * @throws when that takes longer than `most` milliseconds
 */
async function runFleet(nodes: number, seconds: number, most = 600_000, shape: Shape = SMALL): Promise<Fleet> {
  const network = await startNetwork({ ...shape, nodes, validators: Math.max(shape.validators, nodes) });
  try {
    return await watchFleet(network, seconds, AbortSignal.timeout(most));
  } finally {
    await network.close();
  }
}

async function watchFleet({ nodes }: NetworkProcess, seconds: number, signal: AbortSignal): Promise<Fleet> {
  const daemon = await startDaemon(configOf(nodes), { signal });
  // The first scrape compresses everything; that and the compiler's warm-up belong to the start.
  const before = await scrape(daemon.address);
  let last = before;
  const scraped = async (): Promise<Cost> => {
    await daemon.cost();
    for (let left = seconds * 1000; left > 0; left -= SCRAPE_EVERY_MS) {
      await pause(Math.min(left, SCRAPE_EVERY_MS));
      last = await scrape(daemon.address);
    }
    return daemon.cost();
  };
  await daemon.clocked(false);
  const { cpu, wall, resident } = await scraped();
  await daemon.clocked(true);
  const cost = await scraped();
  const { heap: kept } = await daemon.kept();
  await daemon.close();
  const polls = sumOf(last, POLLS) - sumOf(before, POLLS);
  return {
    nodes: nodes.length,
    cost: { ...cost, resident: Math.max(resident, cost.resident) },
    firstRound: daemon.firstRound,
    share: cpu / wall,
    polls,
    pollsPerSecond: (polls / (wall + cost.wall)) * 1000,
    missed: sumOf(last, "avax_polls_missed_total"),
    failed: sumOf(last, "avax_poll_failures_total"),
    kept,
  };
}

function scrape(address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(`${address}/metrics`, { headers: { "accept-encoding": "gzip" } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(gunzipSync(Buffer.concat(chunks)).toString()));
    }).on("error", reject);
  });
}

/** All values of a family added up. */
function sumOf(exposition: string, family: string): number {
  let sum = 0;
  for (const [, value] of exposition.matchAll(new RegExp(`^${family}(?:\\{.*\\})? (\\S+)$`, "gm")))
    sum += Number(value);
  return sum;
}

/** What a fleet may need: fraction of one core, and bytes. */
type Limits = { readonly share: number; readonly resident: number };

/** The rows of a fleet; without limits they are only shown. */
function rowsOf(
  name: string,
  { nodes, cost, share, pollsPerSecond, missed, failed }: Fleet,
  limits?: Limits,
): readonly Row[] {
  const work = `${nodes} nodes${name}`;
  const row = (what: string, ours: string, target: string, met: boolean): Row =>
    rowOf(`${work}, ${what}`, ours, limits === undefined ? "" : target, limits === undefined || met);
  const rate = `${pollsPerSecond.toFixed(0)}/s`;
  const { share: mostShare, resident: mostResident } = limits ?? { share: Infinity, resident: Infinity };
  return [
    row(`polls missed or failed (${rate}, ${cost.series} series)`, `${missed + failed}`, "0", missed + failed === 0),
    row("p99 event-loop delay (1 ms timer)", `${cost.p99.toFixed(1)} ms`, "< 25 ms", cost.p99 < 25),
    row("longest event-loop delay", `${cost.max.toFixed(1)} ms`, "", true),
    row(
      "event loop at work at one go, p99 / longest",
      `${cost.heldP99.toFixed(1)} / ${cost.heldMax.toFixed(1)} ms`,
      "",
      true,
    ),
    row("CPU of one core", `${(share * 100).toFixed(1)} %`, `<= ${mostShare * 100} %`, share <= mostShare),
    row("resident memory", megabytes(cost.resident), `<= ${mostResident / 1e6} MB`, cost.resident <= mostResident),
  ];
}

/** Growth of CPU per node from the smaller to the larger fleet: 1 is linear. Runs differ by up to a quarter. */
function growthRow(small: Fleet, large: Fleet): Row {
  const perNode = ({ nodes, share }: Fleet): number => share / nodes;
  const ratio = perNode(large) / perNode(small);
  const memory = (large.cost.resident - small.cost.resident) / (large.nodes - small.nodes);
  return {
    work: `${small.nodes} to ${large.nodes} nodes, CPU per node (memory: ${(memory / 1000).toFixed(0)} kB more a node)`,
    ours: `${(perNode(large) * 1e6).toFixed(0)} us/s`,
    peer: `${(perNode(small) * 1e6).toFixed(0)} us/s`,
    ratio: `${ratio.toFixed(2)}x`,
    target: "<= 1.25x",
    met: ratio <= 1.25,
  };
}

/** Milliseconds for the largest fleet: if one core cannot poll so many nodes, the first round never ends. */
const PATIENCE_MS = 240_000;

async function largestRows(middle: Fleet): Promise<readonly Row[]> {
  try {
    const large = await runFleet(3000, 60, PATIENCE_MS);
    return [...rowsOf("", large), growthRow(middle, large)];
  } catch {
    const ours = `not within ${PATIENCE_MS / 1000} s`;
    return [rowOf("3000 nodes, watched by one process", ours, "first round complete", false)];
  }
}

/** Fleets of the main network: each node has 1,200 peers, and the network 1,300 validators. */
async function mainnetRows(quick: boolean): Promise<readonly Row[]> {
  const name = " of the main network";
  const hundred = await runFleet(100, quick ? 15 : 60, PATIENCE_MS, MAINNET);
  const rows = rowsOf(name, hundred, { share: 0.15, resident: 220e6 });
  if (quick) return rows;
  const thousand = await runFleet(1000, 60, PATIENCE_MS, MAINNET);
  return [...rows, ...rowsOf(name, thousand, { share: 0.9, resident: 900e6 }), growthRow(hundred, thousand)];
}

/** Fleets of the main network, and of small networks (20 peers): 100, 1,000, 1,500 and 3,000 nodes. */
export async function benchFleet(quick: boolean): Promise<readonly Row[]> {
  const mainnet = await mainnetRows(quick);
  const small = await runFleet(100, quick ? 15 : 60);
  const middle = await runFleet(1000, quick ? 30 : 90);
  const rows = [...mainnet, ...rowsOf("", middle, { share: 0.5, resident: 400e6 }), growthRow(small, middle)];
  if (quick) return rows;
  const larger = await runFleet(1500, 60);
  return [...rows, ...rowsOf("", larger), growthRow(middle, larger), ...(await largestRows(middle))];
}

if (import.meta.main) {
  const [nodes, seconds, shape] = process.argv.slice(2);
  if (nodes === undefined) console.table(await benchFleet(false));
  else
    console.log(await runFleet(Number(nodes), Number(seconds ?? 30), 600_000, shape === "mainnet" ? MAINNET : SMALL));
}
