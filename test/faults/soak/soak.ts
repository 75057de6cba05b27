import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { writeConfig } from "../../e2e/support/daemon.ts";
import { temporaryFolder } from "../../e2e/support/temporary-folder.ts";
import { createCleanup } from "../../support/create-cleanup.ts";
import { startExporter, type Exporter } from "./exporter.ts";
import { createListener, type Listener } from "./listener.ts";
import { byNode, familyOf, readScrape, shrunk, sumOf, type Scrape } from "./scrape.ts";
import { soakConfig } from "./soak-config.ts";
import { seeded, SOAK_FAULTS } from "./soak-faults.ts";
import { startNodes, type SoakNodes } from "./start-nodes.ts";
import { check, growingLine, mb, type Check } from "./verdict.ts";
import { createWeather, type Weather } from "./weather.ts";

/**
 * A day of faults in compressed time. The real exporter polls simulated nodes of which a quarter is faulty at any time: a random
 * fault of the table in docs/reference/faults.md begins at a random node, lasts between one and thirty minutes and ends. Meanwhile
 * /metrics is scraped as text and compressed in turn, and a listener of the events comes and goes. Before and after, all nodes are
 * well: then series, heap, memory, sockets, files and timers must be what they were.
 *
 * What the compression lets through:
 * - Only the timers and the clock of the exporter's own code are fast. Its HTTP server, the kernel and the delays within a fault
 *   run in real time: "answers after 900 ms" is a minute late here, and always beyond the deadline.
 * - Intervals are four times the default ones, and each deadline is a real second. Where a deadline would be too short, or a
 *   default interval too dense, shows `npm run soak:fleet`.
 * - The 30 s of silence after which a node is down are half a real second at a speed of 60: a node that is well for the machine but
 *   is not given the processor for a second is shown down here. The machine has to be idle.
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
/** Simulated seconds between two steps of the faults, and between two scrapes. */
const STEP = 60;
/** After a fault a node is judged again: three intervals of its health. Simulated seconds, and at least real milliseconds. */
const [RECOVERY, RECOVERY_MS] = [240, 3_000];
/** Simulated seconds, and at least real milliseconds, until all must be as before when the last fault has ended. */
const [PATIENCE, PATIENCE_MS] = [3_600, 30_000];
/** Times that the state is measured, and the milliseconds between: polls under way hold sockets and timers for a moment. */
const [SAMPLES, SAMPLE_MS] = [8, 400];
/** Growth from the first measurement to the last one. */
const MOST = { heapShare: 0.1, heap: 4e6, resident: 64e6, sockets: 4, files: 4, timers: 4 } as const;
/** Counters whose series begin with their first event: by reason of failure. */
const BEGIN_LATER: ReadonlySet<string> = new Set(["avax_poll_failures_total"]);

/** What a process holds while all nodes are well: the least of some samples. */
type Held = {
  readonly names: ReadonlySet<string>;
  readonly heap: number;
  readonly resident: number;
  readonly sockets: number;
  readonly files: number;
  readonly timers: number;
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
    const before = await calm(soak, initial.names);
    print(`begins with ${heldText(before)}`);
    print(growingLine(TITLES, TITLES));
    await faults(soak, options.hours, true);
    const end = await calm(soak, before.names);
    print(`ends with   ${heldText(end)}`);
    await soak.exporter.stop();
    return judged(soak, before, end);
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
  const exporter = await startExporter(args, { start, speed });
  cleanUp(exporter.stop);
  const random = seeded(seed);
  const { begin, end } = nodes;
  const faultIds = SOAK_FAULTS.map(({ id }) => id);
  const weather = createWeather({ nodes: options.nodes, faults: faultIds, random, begin, end });
  const listener = createListener(exporter.address);
  const seen: Seen = { last: undefined, scrapes: 0, judged: 0, down: [], shrunk: [], longestDelay: 0 };
  return { options, exporter, nodes, weather, listener, seen, random, now, print };
}

/** Faults for so many simulated hours. */
async function faults(soak: Soak, hours: number, shown: boolean): Promise<void> {
  const { now, weather, listener, random, options } = soak;
  const began = now();
  const lines = Math.max(6, Math.round(hours));
  for (let line = 1; line <= lines; line++) {
    const until = began + (line / lines) * hours * 3600;
    const before = costOf(soak);
    while (now() < until) {
      const next = now() + STEP;
      await weather.step(now());
      if (random() < 0.1) (listener.isConnected() ? listener.leave : listener.connect)();
      await look(soak);
      await after((Math.max(0, Math.min(next, until) - now()) / options.speed) * 1000);
    }
    if (shown) soak.print(await hourLine(soak, (line / lines) * hours, before));
  }
  listener.leave();
  await weather.clear(now);
}

/** One scrape: nodes that are well are up, and no counter shrinks. */
async function look({ exporter, weather, seen, nodes, now, options }: Soak): Promise<Scrape> {
  const recovery = Math.max(RECOVERY, (RECOVERY_MS / 1000) * options.speed);
  const well = nodes.nodes.filter((_, index) => weather.isWell(index, now(), recovery));
  const scrape = readScrape(await exporter.scrape(seen.scrapes++ % 2 === 0 ? "identity" : "gzip"));
  if (seen.last !== undefined) seen.shrunk.push(...shrunk(seen.last, scrape));
  seen.last = scrape;
  const up = byNode(scrape, "avax_node_up");
  for (const { name } of well) {
    seen.judged++;
    if (up.get(name) !== 1) seen.down.push(`${name} at ${new Date(now() * 1000).toISOString()}: ${up.get(name)}`);
  }
  return scrape;
}

/** Waits until the series are those before the faults, or for the first time complete, and measures. */
async function calm(soak: Soak, wanted?: ReadonlySet<string>): Promise<Held> {
  const { exporter, now, options } = soak;
  const began = now();
  const patience = Math.max(PATIENCE, (PATIENCE_MS / 1000) * options.speed);
  let [names, same, took]: [ReadonlySet<string>, number, number] = [new Set(), 0, 0];
  while (same < 4 && now() - began < patience) {
    await after(SAMPLE_MS);
    const found = new Set((await look(soak)).values.keys());
    const isWhole =
      wanted === undefined
        ? (await exporter.statusOf("/-/ready")) === 200 && found.symmetricDifference(names).size === 0
        : differing(wanted, found).length === 0;
    same = isWhole ? same + 1 : 0;
    if (same <= 1) took = now() - began;
    names = found;
  }
  const samples: Omit<Held, "names" | "took">[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const { heap, active } = await exporter.inside();
    samples.push({ heap, timers: active["Timeout"] ?? 0, resident: exporter.resident(), ...exporter.opened() });
    await after(SAMPLE_MS);
  }
  const least = (read: (held: Omit<Held, "names" | "took">) => number): number => Math.min(...samples.map(read));
  return {
    names,
    took,
    heap: least(({ heap }) => heap),
    resident: least(({ resident }) => resident),
    sockets: least(({ sockets }) => sockets),
    files: least(({ files }) => files),
    timers: least(({ timers }) => timers),
  };
}

/** Series that are new or gone, without counters that begin with their first event. */
function differing(before: ReadonlySet<string>, now: ReadonlySet<string>): readonly string[] {
  const isLater = (name: string): boolean => !before.has(name) && BEGIN_LATER.has(familyOf(name));
  return [...before.symmetricDifference(now)].filter((name) => !isLater(name));
}

const TITLES = ["  hour", "faulty", "begun", "series", "heap MB", " RSS MB", "sockets", "files", "timers"].concat([
  "  polls",
  " failed",
  "missed",
  "well down",
  "events",
  " CPU %",
  "nodes' CPU %",
  "longest delay ms",
]);

type Cost = { readonly at: number; readonly cpu: number; readonly nodes: number };
const costOf = ({ exporter, nodes }: Soak): Cost => ({ at: performance.now(), cpu: exporter.cpu(), nodes: nodes.cpu() });

async function hourLine(soak: Soak, hour: number, before: Cost): Promise<string> {
  const { exporter, weather, seen, listener } = soak;
  const cost = costOf(soak);
  const share = (now: number, was: number): string => (((now - was) / (cost.at - before.at)) * 100).toFixed(0);
  const { longest } = await exporter.delays();
  seen.longestDelay = Math.max(seen.longestDelay, longest);
  const { heap, active } = await exporter.inside();
  const { sockets, files } = exporter.opened();
  const sum = (family: string): number => (seen.last === undefined ? 0 : sumOf(seen.last, family));
  return growingLine(TITLES, [
    hour.toFixed(2),
    weather.faulty(),
    [...weather.begun.values()].reduce((all, count) => all + count, 0),
    seen.last?.values.size ?? 0,
    mb(heap),
    mb(exporter.resident()),
    sockets,
    files,
    active["Timeout"] ?? 0,
    sum("avax_poll_duration_seconds_count"),
    sum("avax_poll_failures_total"),
    sum("avax_polls_missed_total"),
    seen.down.length,
    listener.events(),
    share(cost.cpu, before.cpu),
    share(cost.nodes, before.nodes),
    longest.toFixed(0),
  ]);
}

const heldText = ({ names, heap, resident, sockets, files, timers, took }: Held): string =>
  `${names.size} series, heap ${mb(heap)} MB, resident ${mb(resident)} MB, ${sockets} sockets, ${files} files, ${timers} timers; ` +
  `as before after ${(took / 60).toFixed(1)} simulated minutes`;

function judged({ exporter, seen, weather, listener, options }: Soak, before: Held, end: Held): readonly Check[] {
  const other = differing(before.names, end.names);
  for (const list of [other, seen.down, seen.shrunk, exporter.log().defects])
    for (const line of list.slice(0, 20)) process.stderr.write(`${line}\n`);
  const grown = (what: string, read: (held: Held) => number, most: number, write: (value: number) => string): Check =>
    check(what, `${write(read(before))} to ${write(read(end))}`, `<= +${write(most)}`, read(end) - read(before) <= most);
  const bytes = (value: number): string => `${mb(value)} MB`;
  const sum = (family: string): number => (seen.last === undefined ? NaN : sumOf(seen.last, family));
  const begun = [...weather.begun.values()].reduce((all, count) => all + count, 0);
  return [
    check("faults that began", `${begun}, of ${weather.begun.size} kinds`, "> 0", begun > 0),
    check("series that are new or gone", `${other.length} of ${before.names.size}`, "0", other.length === 0),
    grown("heap after collections", ({ heap }) => heap, Math.max(MOST.heap, MOST.heapShare * before.heap), bytes),
    grown("resident memory", ({ resident }) => resident, MOST.resident, bytes),
    grown("open sockets", ({ sockets }) => sockets, MOST.sockets, String),
    grown("open files", ({ files }) => files, MOST.files, String),
    grown("timers", ({ timers }) => timers, MOST.timers, String),
    check("counters that shrank", seen.shrunk.length, "0", seen.shrunk.length === 0),
    check("samples of healthy nodes shown down", `${seen.down.length} of ${seen.judged}`, "0", seen.down.length === 0),
    check("defects counted", sum("avax_exporter_defects_total"), "0", sum("avax_exporter_defects_total") === 0),
    check("defects logged", exporter.log().defects.length, "0", exporter.log().defects.length === 0),
    check("scrapes answered", seen.scrapes, `> ${options.hours}`, seen.scrapes > options.hours),
    check("events received", listener.events(), "> 0", listener.events() > 0),
    check("exit on SIGTERM", exporter.ended() ?? "none", "0", exporter.ended() === "0"),
  ];
}
