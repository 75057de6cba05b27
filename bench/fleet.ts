import { gunzipSync } from "node:zlib";
import { atMost, megabytes, milliseconds, pause, percent, requested, rowOf, type Row } from "./measure.ts";
import { nodesOf, startDaemon, startNetwork, type NetworkProcess } from "./processes.ts";

/**
 * The cost of a fleet with nodes of mainnet size, at the default cadences: one process simulates the network, another one is the
 * program as `npm start` runs it, and this one scrapes it every 15 s with gzip. Measured after the first round of polls.
 */

const SCRAPE_EVERY_MS = 15_000;
const MAINNET = { peersPerNode: 1200, validators: 1300 };

export type Fleet = {
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
  /** Since the start of the process. */
  readonly missed: number;
  readonly failed: number;
  readonly pollsPerSecond: number;
  readonly series: number;
  /** HTTP requests a minute that a node got: the mean, and the most of any node. */
  readonly requests: { readonly mean: number; readonly most: number };
};

/** Polls a fleet for `seconds` after its first round. */
async function runFleet(nodes: number, seconds: number): Promise<Fleet> {
  const network = await startNetwork({ ...MAINNET, nodes });
  try {
    return await watchFleet(network, seconds);
  } finally {
    await network.close();
  }
}

async function watchFleet(network: NetworkProcess, seconds: number): Promise<Fleet> {
  const daemon = await startDaemon({ nodes: nodesOf(network.nodes) });
  const url = `${daemon.address}/metrics`;
  // The first scrape reads everything; that and the compiler's warm-up belong to the start.
  let last = await requested(url, "gzip");
  const before = gunzipSync(last.body).toString();
  const asked = await network.requests();
  await daemon.delays();
  const began = { at: performance.now(), cpu: daemon.cpu() };
  let [scrape, resident, bytes] = [0, 0, 0];
  for (let scrapes = Math.ceil((seconds * 1000) / SCRAPE_EVERY_MS); scrapes > 0; scrapes--) {
    await pause(SCRAPE_EVERY_MS);
    last = await requested(url, "gzip");
    scrape = Math.max(scrape, last.ms);
    bytes = Math.max(bytes, last.body.length);
    resident = Math.max(resident, daemon.resident());
  }
  const ms = performance.now() - began.at;
  const share = (daemon.cpu() - began.cpu) / ms;
  const delays = await daemon.delays();
  const perMinute = (await network.requests()).map((count, at) => ((count - (asked[at] ?? 0)) / ms) * 60_000);
  await daemon.stop();
  const text = gunzipSync(last.body).toString();
  for (const [line] of text.matchAll(LOST)) console.error(line);
  const polls = sumOf(text, POLLS) - sumOf(before, POLLS);
  return {
    nodes: network.nodes.length,
    ...{ share, resident, scrape, bytes },
    ...delays,
    missed: sumOf(text, "avax_polls_missed_total"),
    failed: sumOf(text, "avax_poll_failures_total"),
    pollsPerSecond: (polls / ms) * 1000,
    series: text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length,
    requests: {
      mean: perMinute.reduce((sum, value) => sum + value, 0) / perMinute.length,
      most: Math.max(...perMinute),
    },
  };
}

const POLLS = "avax_poll_duration_seconds_count";
/** Polls that were missed or failed, with the reason. */
const LOST = /^avax_(polls_missed|poll_failures)_total\{.*\} (?!0$)\S+$/gm;

/** All values of a family added up. */
function sumOf(exposition: string, family: string): number {
  let sum = 0;
  for (const [, value] of exposition.matchAll(new RegExp(`^${family}(?:\\{.*\\})? (\\S+)$`, "gm")))
    sum += Number(value);
  return sum;
}

/** What a fleet may need: a fraction of one core, bytes, milliseconds. */
type Limits = Pick<Fleet, "share" | "resident" | "scrape">;

function rowsOf(fleet: Fleet, most: Limits): readonly Row[] {
  const { share, resident, scrape, missed, failed, p99, longest } = fleet;
  const work = `${fleet.nodes} nodes`;
  const size = `${fleet.series} series, ${(fleet.bytes / 1e6).toFixed(1)} MB`;
  const lost = missed + failed;
  return [
    rowOf(
      `${work}: polls missed / failed (${fleet.pollsPerSecond.toFixed(0)} polls a second)`,
      `${missed} / ${failed}`,
      "0 / 0",
      lost === 0,
    ),
    atMost(`${work}: CPU of one core`, share, most.share, percent),
    atMost(`${work}: resident memory`, resident, most.resident, megabytes),
    atMost(`${work}: longest scrape (${size})`, scrape, most.scrape, milliseconds),
    rowOf(`${work}: delay of the event loop, p99 / longest`, `${milliseconds(p99)} / ${milliseconds(longest)}`),
  ];
}

/** What a polled node pays. One node of each network is also asked about the whole network. */
function requestRow({ nodes, requests: { mean, most } }: Fleet): Row {
  const write = (value: number): string => value.toFixed(1);
  return atMost(
    `${nodes} nodes: requests a minute that a node gets (most of any node: ${write(most)})`,
    mean,
    60,
    write,
  );
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
  const large = await runFleet(1000, 120);
  return [
    ...rows,
    ...rowsOf(large, { share: 0.65, resident: 900e6, scrape: 2000 }),
    growthRow(
      "CPU",
      small.share / small.nodes,
      large.share / large.nodes,
      (share) => `${(share * 1e6).toFixed(0)} us/s`,
    ),
    growthRow("memory", small.resident / small.nodes, large.resident / large.nodes, megabytes),
  ];
}
