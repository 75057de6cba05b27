import { gunzipSync } from "node:zlib";
import type { Spent } from "./floor.ts";
import { atMost, megabytes, milliseconds, pause, percent, requested, rowOf, type Reply, type Row } from "./measure.ts";
import {
  asked,
  ended,
  nextMessage,
  nodesOf,
  startDaemon,
  startNetwork,
  startScript,
  type Daemon,
  type NetworkProcess,
  type NetworkState,
} from "./processes.ts";

/**
 * The cost of a fleet with nodes of mainnet size, at the default cadences: one process simulates the network, another one is the
 * program as `npm start` runs it, and this one scrapes it every 15 s with gzip. Measured a minute after the first round of polls.
 */

const SCRAPE_EVERY_MS = 15_000;
/** Before anything is measured: most polls have run, and the compiler is mostly done. */
const WARM_UP_MS = 60_000;
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
  /** Polls without a result while it was measured, with the reasons. */
  readonly missed: string;
  readonly failed: string;
  /** The same before, when daemon and network start on the same cores, and by how much the network was late then, milliseconds. */
  readonly atStart: { readonly missed: string; readonly failed: string; readonly late: number };
  readonly pollsPerSecond: number;
  readonly series: number;
  /** HTTP requests a minute that a node got: the mean, and the most of any node. */
  readonly requests: { readonly mean: number; readonly most: number };
  /** By how much the simulated network was late, milliseconds: it has the lowest priority, and starves on a busy machine. */
  readonly late: number;
  /** CPU of the network for a request, microseconds: the same work for whoever asks, so it tells how fast the machine was then. */
  readonly perRequest: number;
  /** CPU of what any program pays for these requests (floor.ts), or why it is not known. */
  readonly floor: Floor | string;
};

/** CPU as a fraction of one core, and that of the network meanwhile, as in `Fleet`. */
type Floor = Pick<Fleet, "share" | "perRequest">;

/** Polls a fleet for `seconds` after its first round. */
async function runFleet(nodes: number, seconds: number): Promise<Fleet> {
  const network = await startNetwork({ ...MAINNET, nodes });
  try {
    const daemon = await startDaemon({ nodes: nodesOf(network.nodes) });
    let seen: Omit<Fleet, "floor">;
    try {
      seen = await watchFleet(network, daemon, seconds);
    } finally {
      await daemon.stop();
    }
    return { ...seen, floor: await floorOf(network, seconds) };
  } finally {
    await network.close();
  }
}

/** CPU of the floor with the same network, after a minute in which most of its polls ran. */
async function floorOf({ nodes, state }: NetworkProcess, seconds: number): Promise<Floor | string> {
  const child = startScript("floor.ts", [JSON.stringify(nodes)]);
  await nextMessage(child);
  await pause(WARM_UP_MS);
  const [began, before, network] = [performance.now(), await asked<Spent>(child), await state()];
  await pause(seconds * 1000);
  const after = await asked<Spent>(child);
  const share = (after.cpu - before.cpu) / (performance.now() - began);
  const perRequest = perRequestOf(network, await state());
  await ended(child);
  const failed = after.failed - before.failed;
  return failed > 0 ? `not measured: ${failed} polls failed` : { share, perRequest };
}

function perRequestOf(before: NetworkState, after: NetworkState): number {
  const sum = (of: NetworkState): number => of.requests.reduce((all, each) => all + each, 0);
  return (after.cpu - before.cpu) / (sum(after) - sum(before));
}

async function watchFleet(network: NetworkProcess, daemon: Daemon, seconds: number): Promise<Omit<Fleet, "floor">> {
  const scrape = () => requested(`${daemon.address}/metrics`, "gzip");
  const scrapes: Reply[] = [];
  let resident = 0;
  const scraped = async (milliseconds: number): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += SCRAPE_EVERY_MS) {
      await pause(SCRAPE_EVERY_MS);
      scrapes.push(await scrape());
      resident = Math.max(resident, daemon.resident());
    }
  };
  // The first scrape reads everything; that and the compiler's warm-up belong to the start, as the floor's do.
  await scraped(WARM_UP_MS);
  const [first = await scrape()] = scrapes.splice(0).slice(-1);
  const began = { at: performance.now(), cpu: daemon.cpu(), network: await network.state() };
  await scraped(seconds * 1000);
  const ms = performance.now() - began.at;
  const share = (daemon.cpu() - began.cpu) / ms;
  const end = await network.state();
  const last = scrapes.at(-1) ?? first;
  // Not before: the timer that measures delays takes 0.4 % of a core.
  await daemon.delays();
  await scraped(2 * SCRAPE_EVERY_MS);
  const delays = await daemon.delays();
  const perMinute = end.requests.map((count, at) => ((count - (began.network.requests[at] ?? 0)) / ms) * 60_000);
  const [before, after] = [textOf(first), textOf(last)];
  return {
    ...{ nodes: network.nodes.length, share, resident },
    ...delays,
    scrape: Math.max(...scrapes.map((reply) => reply.ms)),
    bytes: Math.max(...scrapes.map(({ body }) => body.length)),
    missed: byReason(MISSED, after, before),
    failed: byReason(FAILED, after, before),
    atStart: { missed: byReason(MISSED, before), failed: byReason(FAILED, before), late: began.network.late },
    pollsPerSecond: ((countOf(after, POLLS) - countOf(before, POLLS)) / ms) * 1000,
    series: after.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length,
    requests: {
      mean: perMinute.reduce((sum, value) => sum + value, 0) / perMinute.length,
      most: Math.max(...perMinute),
    },
    late: end.late,
    perRequest: perRequestOf(began.network, end),
  };
}

function textOf({ body }: Reply): string {
  return gunzipSync(body).toString();
}

const POLLS = "avax_poll_duration_seconds_count";
const MISSED = "avax_polls_missed_total";
const FAILED = "avax_poll_failures_total";

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

/** "0", or "5: timeout 3, refused 2". @param before an earlier exposition, whose counts are subtracted */
function byReason(family: string, exposition: string, before = ""): string {
  const earlier = sumsOf(before, family);
  const counts = [...sumsOf(exposition, family)].map(
    ([reason, count]) => [reason, count - (earlier.get(reason) ?? 0)] as const,
  );
  const reasons = counts.filter(([, count]) => count > 0);
  if (reasons.length === 0) return "0";
  const total = reasons.reduce((sum, [, count]) => sum + count, 0);
  return `${total}: ${reasons.map(([reason, count]) => `${reason} ${count}`).join(", ")}`;
}

/** What a fleet may need: a fraction of one core, bytes, milliseconds. */
type Limits = Pick<Fleet, "resident" | "scrape">;

/** The most CPU, as a multiple of the floor, whose share moves with the machine as the exporter's does. */
const MOST_OF_FLOOR = 1.5;
/** A network that answers later than this, milliseconds, measures itself. */
const LATE = 200;

function rowsOf(fleet: Fleet, most: Limits): readonly Row[] {
  const { resident, scrape, missed, failed, atStart, p99, longest, late } = fleet;
  const work = `${fleet.nodes} nodes`;
  if (late > LATE) return [rowOf(`${work}: not measured: the network was late by ${milliseconds(late)}`, "")];
  const size = `${fleet.series} series, ${(fleet.bytes / 1e6).toFixed(1)} MB`;
  return [
    rowOf(
      `${work}: polls missed / failed (${fleet.pollsPerSecond.toFixed(0)} polls a second)`,
      `${missed} / ${failed}`,
      "0 / 0",
      missed === "0" && failed === "0",
    ),
    rowOf(
      `${work}: polls missed / failed before, at the start (network late by ${milliseconds(atStart.late)})`,
      `${atStart.missed} / ${atStart.failed}`,
    ),
    ...floorRows(work, fleet),
    atMost(`${work}: resident memory`, resident, most.resident, megabytes),
    atMost(`${work}: longest scrape (${size})`, scrape, most.scrape, milliseconds),
    rowOf(`${work}: delay of the event loop, p99 / longest`, `${milliseconds(p99)} / ${milliseconds(longest)}`),
  ];
}

function floorRows(nodes: string, { share, perRequest, floor }: Fleet): readonly Row[] {
  const work = `${nodes}: CPU of one core (peer: undici and JSON.parse alone)`;
  const [ours, target] = [percent(share), `<= ${MOST_OF_FLOOR}x`];
  if (typeof floor === "string") return [{ work, ours, peer: floor, ratio: "", target, met: false }];
  const ratio = share / floor.share;
  const atEqualSpeed = ratio * (floor.perRequest / perRequest);
  const speed = `${nodes}: CPU of the network for a request, beside each of them (ratio: of the line above at equal speed)`;
  return [
    { work, ours, peer: percent(floor.share), ratio: times(ratio), target, met: ratio <= MOST_OF_FLOOR },
    { ...rowOf(speed, microseconds(perRequest)), peer: microseconds(floor.perRequest), ratio: times(atEqualSpeed) },
  ];
}

const times = (ratio: number): string => `${ratio.toFixed(2)}x`;
const microseconds = (value: number): string => `${value.toFixed(0)} us`;

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
    ratio: times(ratio),
    target: "<= 1.25x",
    met: ratio <= 1.25,
  };
}

/** Fleets of 100 and, unless in a hurry, 1,000 nodes, each with 1,200 peers, and 1,300 validators in the network. */
export async function benchFleet(quick: boolean): Promise<readonly Row[]> {
  const small = await runFleet(100, quick ? 15 : 120);
  const rows = [...rowsOf(small, { resident: 260e6, scrape: 150 }), requestRow(small)];
  if (quick) return rows;
  const large = await runFleet(1000, 120).catch((error: unknown) => String(error));
  if (typeof large === "string") return [...rows, rowOf(`1000 nodes: ${large}`, "", "a whole round of polls", false)];
  return [
    ...rows,
    ...rowsOf(large, { resident: 650e6, scrape: 1300 }),
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
