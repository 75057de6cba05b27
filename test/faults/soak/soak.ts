import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { writeConfig } from "../../e2e/support/daemon.ts";
import { temporaryFolder } from "../../e2e/support/temporary-folder.ts";
import { createCleanup } from "../../support/create-cleanup.ts";
import { firstRound, startExporter, type Exporter } from "./exporter.ts";
import { createListener, type Listener } from "./listener.ts";
import { byNode, grownOf, readScrape, shrunk, sumOf, type Scrape } from "./scrape.ts";
import { slowerAt, soakConfig } from "./soak-config.ts";
import { seeded, SOAK_FAULTS } from "./soak-faults.ts";
import { startNodes, type SoakNodes } from "./start-nodes.ts";
import { check, growingTable, mb, type Check } from "./verdict.ts";
import { createWeather, type Weather } from "./weather.ts";

/**
 * A day of faults in compressed time. The real exporter polls simulated nodes of which a quarter is faulty at any time: a random
 * fault of the table in docs/reference/faults.md begins at a random node, lasts between one and thirty minutes and ends. Meanwhile
 * /metrics is scraped as text and compressed in turn, and a listener of the events comes and goes. Before and after, all nodes are
 * well: then series, objects, memory, sockets, files and timers must be what they were.
 *
 * What the compression lets through:
 * - Only the timers and the clock of the exporter's own code are fast. Its HTTP server, the kernel and the delays within a fault
 *   run in real time: "answers after 900 ms" is a minute late here, and always beyond the deadline.
 * - Above a speed of 10, intervals grow with the speed: at 40 they are four times the default ones. Deadlines are at least nine
 *   tenths of the shortest interval. Whether the default intervals and deadlines hold is for `npm run soak:fleet`.
 * - The 30 s of silence after which a node is down are three quarters of a real second at a speed of 40. An exporter or a simulator
 *   without a processor for a second shows nodes down here that are well: the machine has to be idle.
 * - A deadline that passes while the exporter is not scheduled has no grace period here, because it measures work in real time.
 * - What needs days of real time, such as the fragmentation of memory by the allocator, has minutes to show.
 * - Answers that take the simulator itself seconds to make are left out (`soak-faults.ts`), as are faults of TLS and of names.
 */

export type SoakOptions = {
  /** Simulated hours of faults. */
  readonly hours: number;
  readonly seed: number;
  readonly nodes: number;
  /** Simulated seconds in a real one. */
  readonly speed: number;
};

/** Part of the hours that pass before the first measurement: the compiler and caches fill. */
const WARM_UP = 1 / 12;
/** Real seconds between two steps of the faults, each with a scrape. */
const STEP = 0.5;
/** A fault lasts two real seconds to half a simulated hour, in a short run a fifth of it. Seconds and share. */
const [SHORTEST, LONGEST, LONGEST_SHARE] = [2, 1_800, 0.2];
/** After a fault a node is judged again: four of the shortest intervals. Simulated seconds at the default intervals. */
const RECOVERY = 60;
/** What the exporter knows of peers, also of invented ones, is dropped after ten minutes, with the next list. Simulated seconds. */
const FORGOTTEN = 800;
/** Real seconds until all must be as before when the last fault has ended. */
const PATIENCE = 60;
/** Times that the state is measured, and the milliseconds between: polls under way hold sockets and timers for a moment. */
const [SAMPLES, SAMPLE_MS] = [8, 400];
/**
 * Growth from the first measurement to the last one; of sockets, files and timers for each node. Resident memory is compared with its
 * highest of the first third: the C library keeps what huge answers freed, some 200 MB after the first of them, and uses it again.
 */
const MOST = { objects: 2.5e6, code: 4e6, resident: 64e6, perNode: 1 } as const;
/** Counters by reason, whose series begin with their first event, and what the budget of a hosted service defers. */
const BEGIN_LATER = /^avax_(poll_failures_total|hosted_)/;
/** The day that has just begun has no figures of some kinds yet: at another time of the day there are others. */
const COMES_AND_GOES = /^avax_hosted_.*window="current"/;

/** What a process holds. */
type Sample = Readonly<Record<"objects" | "code" | "resident" | "sockets" | "files" | "timers", number>>;

/** The same while all nodes are well, the least of some samples. */
type Held = Sample & {
  readonly series: ReadonlyMap<string, number>;
  /** Simulated seconds until all series were there. */
  readonly took: number;
};

type Seen = {
  last: Scrape | undefined;
  scrapes: number;
  judged: number;
  readonly down: string[];
  readonly shrunk: string[];
  longestDelay: number;
  /** Resident bytes at most in the first third. */
  settled: number;
};

type Soak = {
  readonly options: SoakOptions;
  readonly exporter: Exporter;
  readonly nodes: SoakNodes;
  readonly weather: Weather;
  readonly listener: Listener;
  readonly seen: Seen;
  readonly random: () => number;
  /** Simulated Unix seconds. */
  readonly now: () => number;
  readonly print: (line: string) => void;
};

/** Runs the soak and returns what must hold. @param print takes the lines of the table */
export async function runSoak(options: SoakOptions, print: (line: string) => void): Promise<readonly Check[]> {
  const cleanup = createCleanup();
  try {
    const soak = await startAll(options, print, cleanup.add);
    const initial = await calm(soak);
    await faults(soak, options.hours * WARM_UP, false);
    await calm(soak, initial.series);
    const before = await calm(soak);
    print(`begins with ${heldText(before)}`);
    await faults(soak, options.hours, true);
    const end = await calm(soak, before.series);
    print(`ends with   ${heldText(end)}`);
    await soak.exporter.stop();
    return judged(soak, before, end, await soak.exporter.child.exited);
  } finally {
    await cleanup.run();
  }
}

async function startAll(
  options: SoakOptions,
  print: Soak["print"],
  cleanUp: (stop: () => Promise<void>) => void,
): Promise<Soak> {
  const { speed, seed } = options;
  const start = Date.now();
  const now = () => (start + (Date.now() - start) * speed) / 1000;
  const folder = await temporaryFolder();
  cleanUp(folder.remove);
  const size = { nodes: options.nodes, validators: 2 * options.nodes, peers: 2 * options.nodes };
  const nodes = await startNodes({ ...size, start, speed, hosted: true });
  cleanUp(nodes.stop);
  const file = await writeConfig(folder.path, soakConfig(nodes, speed));
  const args = [`--config.file=${file}`, `--storage.path=${join(folder.path, "state")}`];
  // Work takes real time: where an hour passes in a minute, it would otherwise seem too slow.
  const exporter = await startExporter(args, { start, factor: speed, work: "real" });
  cleanUp(exporter.stop);
  // Before its first poll nothing is known of a node, whether it is well or not.
  await firstRound(exporter, PATIENCE * 1000);
  await exporter.delays();
  const random = seeded(seed);
  const { begin, end } = nodes;
  const faultIds = SOAK_FAULTS.map(({ id }) => id);
  const shortest = SHORTEST * speed;
  const longest = Math.max(2 * shortest, Math.min(LONGEST, LONGEST_SHARE * options.hours * 3600));
  const lasts = [shortest, longest] as const;
  const weather = createWeather({ nodes: options.nodes, faults: faultIds, random, lasts, begin, end });
  const listener = createListener(exporter.address);
  const seen: Seen = { last: undefined, scrapes: 0, judged: 0, down: [], shrunk: [], longestDelay: 0, settled: 0 };
  return { options, exporter, nodes, weather, listener, seen, random, now, print };
}

/** Faults for so many simulated hours. */
async function faults(soak: Soak, hours: number, shown: boolean): Promise<void> {
  const { now, weather, listener, random, options } = soak;
  const began = now();
  const shows = growingTable(soak.print);
  const lines = Math.max(6, Math.round(hours));
  for (let line = 1; line <= lines; line++) {
    const until = began + (line / lines) * hours * 3600;
    const before = costOf(soak);
    for (let last = now(), next = last; last < until;) {
      const at = now();
      next = Math.max(at, next + STEP * options.speed);
      await weather.step(at, at - last);
      last = at;
      if (random() < 0.1) (listener.isConnected() ? listener.leave : listener.connect)();
      await look(soak);
      await after((Math.max(0, Math.min(next, until) - now()) / options.speed) * 1000);
    }
    if (shown) shows(await hourOf(soak, (line / lines) * hours, before));
  }
  listener.leave();
  await weather.clear(now);
  await after((FORGOTTEN / options.speed) * 1000);
}

/** One scrape: nodes that are well are up, and no counter shrinks. */
async function look({ exporter, weather, seen, nodes, now, options }: Soak): Promise<Scrape> {
  const recovery = RECOVERY * slowerAt(options.speed);
  const well = [...nodes.nodes.entries()].filter(([index]) => weather.isWell(index, now(), recovery));
  const scrape = readScrape(await exporter.scrape(seen.scrapes++ % 2 === 0 ? "identity" : "gzip"));
  const before = seen.last ?? scrape;
  seen.shrunk.push(...shrunk(before, scrape));
  seen.last = scrape;
  const up = byNode(scrape, "avax_node_up");
  for (const [index, { name }] of well) {
    seen.judged++;
    if (up.get(name) === 1) continue;
    const { fault, wellSince } = weather.before(index);
    const state = `${name} is ${up.get(name)}, ${Math.round(now() - wellSince)} s after ${fault}`;
    const failed = grownOf(before, scrape, "avax_poll_failures_total", name).join(", ");
    seen.down.push(`${state}; since the scrape before: ${failed}; meanwhile: ${weather.faults().join(", ")}`);
  }
  return scrape;
}

/** Waits until the series are those of before, or for the first time complete and the same for a while, and measures. */
async function calm(soak: Soak, wanted?: ReadonlyMap<string, number>): Promise<Held> {
  const { exporter, now } = soak;
  const began = now();
  const patient = performance.now() + PATIENCE * 1000;
  let [series, same, took]: [ReadonlyMap<string, number>, number, number] = [new Map(), 0, 0];
  while (same < SAMPLES && performance.now() < patient) {
    await after(SAMPLE_MS);
    const found = seriesOf(await look(soak));
    const isSame = differing(wanted ?? series, found).length === 0 && (await exporter.isReady());
    if (!isSame) took = now() - began;
    same = isSame ? same + 1 : 0;
    series = found;
  }
  let least = await sampleOf(exporter);
  for (let sample = 1; sample < SAMPLES; sample++) {
    await after(SAMPLE_MS);
    const next = await sampleOf(exporter);
    least = Object.fromEntries(HELD.map((key) => [key, Math.min(least[key], next[key])])) as Sample;
  }
  return { ...least, series, took };
}

const HELD = ["objects", "code", "resident", "sockets", "files", "timers"] as const;

async function sampleOf(exporter: Exporter): Promise<Sample> {
  const { objects, code, active } = await exporter.inside();
  const timers = active["Timeout"] ?? 0;
  return { objects, code, timers, resident: exporter.resident(), ...exporter.opened() };
}

/**
 * How often each series of nodes, networks and services exists, whatever its node: another node can be the reference node of the
 * network when the one before failed.
 */
function seriesOf({ values }: Scrape): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of values.keys()) {
    if (!name.startsWith("avax_") || name.startsWith("avax_exporter_")) continue;
    const key = name.replace(/([{,]node=)"[^"]*"/, "$1*");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Series that are new or gone, without those that begin with their first event. */
function differing(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): readonly string[] {
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name) ?? 0, now.get(name) ?? 0];
    const isUsual = was === is || COMES_AND_GOES.test(name) || (is > was && BEGIN_LATER.test(name));
    return isUsual ? [] : [`${name}: ${was} series before, ${is} now`];
  });
}

type Cost = { readonly at: number; readonly cpu: number; readonly nodes: number };
const costOf = ({ exporter, nodes }: Soak): Cost => ({
  at: performance.now(),
  cpu: exporter.cpu(),
  nodes: nodes.cpu(),
});

/** The line of an hour by the titles of its columns. */
async function hourOf(soak: Soak, hour: number, before: Cost) {
  const { exporter, weather, seen, listener } = soak;
  const cost = costOf(soak);
  const share = (now: number, was: number): string => (((now - was) / (cost.at - before.at)) * 100).toFixed(0);
  const { longest } = await exporter.delays();
  seen.longestDelay = Math.max(seen.longestDelay, longest);
  const { objects, code, resident, sockets, files, timers } = await sampleOf(exporter);
  if (hour <= soak.options.hours / 3) seen.settled = Math.max(seen.settled, resident);
  const sum = (family: string): number => (seen.last === undefined ? 0 : sumOf(seen.last, family));
  return {
    "  hour": hour.toFixed(2),
    faulty: weather.faults().length,
    begun: [...weather.begun.values()].reduce((all, count) => all + count, 0),
    series: seen.last?.values.size ?? 0,
    "objects MB": mb(objects),
    "code MB": mb(code),
    " RSS MB": mb(resident),
    ...{ sockets, files, timers },
    "  polls": sum("avax_poll_duration_seconds_count"),
    " failed": sum("avax_polls_failed_total"),
    missed: sum("avax_polls_missed_total"),
    "well down": seen.down.length,
    events: listener.events(),
    " CPU %": share(cost.cpu, before.cpu),
    "nodes' CPU %": share(cost.nodes, before.nodes),
    "longest delay ms": longest.toFixed(0),
  };
}

const total = (series: ReadonlyMap<string, number>): number =>
  [...series.values()].reduce((sum, count) => sum + count, 0);

const heldText = ({ series, objects, code, resident, sockets, files, timers, took }: Held): string =>
  `${total(series)} series, objects ${mb(objects)} MB, code ${mb(code)} MB, resident ${mb(resident)} MB, ${sockets} sockets, ${files} files, ${timers} timers; ` +
  `the series were complete after ${took.toFixed(0)} simulated seconds`;

function judged(
  { exporter, seen, weather, listener, options }: Soak,
  before: Held,
  end: Held,
  ended: number | string,
): readonly Check[] {
  const other = differing(before.series, end.series);
  const defects = exporter.defects();
  for (const list of [other, seen.down, seen.shrunk, defects])
    for (const line of list.slice(0, 20)) process.stderr.write(`${line}\n`);
  const settled = { ...before, resident: Math.max(before.resident, seen.settled) };
  const grown = (what: string, key: keyof Sample, most: number, write: (value: number) => string): Check => {
    const [was, is] = [settled[key], end[key]];
    return check(what, `${write(was)} to ${write(is)}`, `<= +${write(most)}`, is - was <= most);
  };
  const bytes = (value: number): string => `${mb(value)} MB`;
  const sum = (family: string): number => (seen.last === undefined ? NaN : sumOf(seen.last, family));
  const begun = [...weather.begun.values()].reduce((all, count) => all + count, 0);
  return [
    check("faults that began", `${begun}, of ${weather.begun.size} kinds`, "> 0", begun > 0),
    check("series that are new or gone", `${other.length} of ${before.series.size} kinds`, "0", other.length === 0),
    grown("objects after collections", "objects", MOST.objects, bytes),
    grown("compiled code", "code", MOST.code, bytes),
    grown("resident memory", "resident", MOST.resident, bytes),
    grown("open sockets", "sockets", MOST.perNode * options.nodes, String),
    grown("open files", "files", MOST.perNode * options.nodes, String),
    grown("timers", "timers", MOST.perNode * options.nodes, String),
    check("counters that shrank", seen.shrunk.length, "0", seen.shrunk.length === 0),
    check("samples of healthy nodes shown down", `${seen.down.length} of ${seen.judged}`, "0", seen.down.length === 0),
    check("defects counted", sum("avax_exporter_defects_total"), "0", sum("avax_exporter_defects_total") === 0),
    check("defects logged", defects.length, "0", defects.length === 0),
    check("scrapes answered", seen.scrapes, `> ${options.hours}`, seen.scrapes > options.hours),
    check("events received", listener.events(), "> 0", listener.events() > 0),
    check("exit on SIGTERM", ended, "0", ended === 0),
  ];
}
