import { gunzipSync } from "node:zlib";
import { atMost, megabytes, milliseconds, pause, percent, requested, rowOf, type Reply, type Row } from "./measure.ts";
import { nodesOf, startDaemon, startNetwork, type Daemon, type NetworkProcess } from "./processes.ts";

/**
 * The cost of a fleet with nodes of mainnet size, at the default cadences: one process simulates the network, another one is the
 * program as `npm start` runs it, and this one scrapes it every 15 s with gzip. Measured after the first round of polls.
 */

const SCRAPE_EVERY_MS = 15_000;
const MAINNET = { peersPerNode: 1200, validators: 1300 };

type Fleet = {
  readonly nodes: number;
  /** CPU of all threads, as a fraction of one core. */
  readonly share: number;
  /** The most that was seen, bytes. */
  readonly resident: number;
  /** Delays of the event loop beyond a timer of ten milliseconds, milliseconds. */
  readonly p99: number;
  readonly longest: number;
  /** The longest scrape, from the request to the last byte, milliseconds. */
  readonly scrape: number;
  /** The largest scrape, bytes as sent. */
  readonly bytes: number;
  /** Polls since the start of the process, with the reasons. */
  readonly missed: string;
  readonly failed: string;
  readonly pollsPerSecond: number;
  readonly series: number;
  /** HTTP requests a minute that a node got: the mean, and the most of any node. */
  readonly requests: { readonly mean: number; readonly most: number };
};

/** Polls a fleet for `seconds` after its first round. */
async function runFleet(nodes: number, seconds: number): Promise<Fleet> {
  const network = await startNetwork({ ...MAINNET, nodes });
  try {
    const daemon = await startDaemon({ nodes: nodesOf(network.nodes) });
    try {
      return await watchFleet(network, daemon, seconds);
    } finally {
      await daemon.stop();
    }
  } finally {
    await network.close();
  }
}

async function watchFleet(network: NetworkProcess, daemon: Daemon, seconds: number): Promise<Fleet> {
  const scrape = () => requested(`${daemon.address}/metrics`, "gzip");
  // The first scrape reads everything; that and the compiler's warm-up belong to the start.
  const first = await scrape();
  await daemon.delays();
  const began = { at: performance.now(), cpu: daemon.cpu(), requests: await network.requests() };
  const scrapes: Reply[] = [];
  let resident = 0;
  while (scrapes.length * SCRAPE_EVERY_MS < seconds * 1000) {
    await pause(SCRAPE_EVERY_MS);
    scrapes.push(await scrape());
    resident = Math.max(resident, daemon.resident());
  }
  const ms = performance.now() - began.at;
  const share = (daemon.cpu() - began.cpu) / ms;
  const delays = await daemon.delays();
  const perMinute = (await network.requests()).map((count, at) => ((count - (began.requests[at] ?? 0)) / ms) * 60_000);
  const [before, after] = [textOf(first), textOf(scrapes.at(-1) ?? first)];
  return {
    ...{ nodes: network.nodes.length, share, resident },
    ...delays,
    scrape: Math.max(...scrapes.map((reply) => reply.ms)),
    bytes: Math.max(...scrapes.map(({ body }) => body.length)),
    missed: byReason(after, "avax_polls_missed_total"),
    failed: byReason(after, "avax_poll_failures_total"),
    pollsPerSecond: ((countOf(after, POLLS) - countOf(before, POLLS)) / ms) * 1000,
    series: after.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length,
    requests: {
      mean: perMinute.reduce((sum, value) => sum + value, 0) / perMinute.length,
      most: Math.max(...perMinute),
    },
  };
}

function textOf({ body }: Reply): string {
  return gunzipSync(body).toString();
}

const POLLS = "avax_poll_duration_seconds_count";

/** The values of a family added up, by their label `reason` or "" without one. */
function sumsOf(exposition: string, family: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [, labels = "", value] of exposition.matchAll(new RegExp(`^${family}(\\{.*\\})? (\\S+)$`, "gm"))) {
    const reason = /reason="(\w+)"/.exec(labels)?.[1] ?? "";
    sums.set(reason, (sums.get(reason) ?? 0) + Number(value));
  }
  return sums;
}

function countOf(exposition: string, family: string): number {
  return sumsOf(exposition, family)
    .values()
    .reduce((sum, value) => sum + value, 0);
}

/** "0", or "5: timeout 3, refused 2". */
function byReason(exposition: string, family: string): string {
  const reasons = [...sumsOf(exposition, family)].filter(([, count]) => count > 0);
  const total = String(countOf(exposition, family));
  return reasons.length === 0
    ? total
    : `${total}: ${reasons.map(([reason, count]) => `${reason} ${count}`).join(", ")}`;
}

/** What a fleet may need: a fraction of one core, bytes, milliseconds. */
type Limits = Pick<Fleet, "share" | "resident" | "scrape">;

function rowsOf(fleet: Fleet, most: Limits): readonly Row[] {
  const { share, resident, scrape, missed, failed, p99, longest } = fleet;
  const work = `${fleet.nodes} nodes`;
  const size = `${fleet.series} series, ${(fleet.bytes / 1e6).toFixed(1)} MB`;
  return [
    rowOf(
      `${work}: polls missed / failed (${fleet.pollsPerSecond.toFixed(0)} polls a second)`,
      `${missed} / ${failed}`,
      "0 / 0",
      missed === "0" && failed === "0",
    ),
    atMost(`${work}: CPU of one core`, share, most.share, percent),
    atMost(`${work}: resident memory`, resident, most.resident, megabytes),
    atMost(`${work}: longest scrape (${size})`, scrape, most.scrape, milliseconds),
    rowOf(`${work}: delay of the event loop, p99 / longest`, `${milliseconds(p99)} / ${milliseconds(longest)}`),
  ];
}

/** What a polled node pays. One node of each network is also asked about the whole network, and gets the most. */
function requestRow({ nodes, requests: { mean, most } }: Fleet): Row {
  const write = (value: number): string => value.toFixed(1);
  return atMost(`${nodes} nodes: the most requests a minute of a node (mean: ${write(mean)})`, most, 60, write);
}

/** Growth per node from the smaller to the larger fleet: 1 is linear. Runs differ by up to a quarter. */
function growthRow(what: string, small: number, large: number, write: (value: number) => string): Row {
  const ratio = large / small;
  return {
    work: `100 to 1,000 nodes: ${what} of a node (peer: among 100)`,
    ours: write(large),
    peer: write(small),
    ratio: `${ratio.toFixed(2)}x`,
    target: "<= 1.25x",
    met: ratio <= 1.25,
  };
}

/** Fleets of 100 and, unless in a hurry, 1,000 nodes, each with 1,200 peers, and 1,300 validators in the network. */
export async function benchFleet(quick: boolean): Promise<readonly Row[]> {
  const small = await runFleet(100, quick ? 15 : 120);
  const rows = [...rowsOf(small, { share: 0.1, resident: 350e6, scrape: 200 }), requestRow(small)];
  if (quick) return rows;
  const large = await runFleet(1000, 120).catch((error: unknown) => String(error));
  if (typeof large === "string") return [...rows, rowOf(`1000 nodes: ${large}`, "", "a whole round of polls", false)];
  return [
    ...rows,
    ...rowsOf(large, { share: 0.65, resident: 900e6, scrape: 2000 }),
    growthRow(
      "CPU",
      small.share / small.nodes,
      large.share / large.nodes,
      (share) => `${(share * 1e6).toFixed(0)} us/s`,
    ),
    growthRow(
      "memory",
      small.resident / small.nodes,
      large.resident / large.nodes,
      (bytes) => `${(bytes / 1e3).toFixed(0)} kB`,
    ),
  ];
}
