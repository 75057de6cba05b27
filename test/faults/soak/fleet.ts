import { setTimeout as after } from "node:timers/promises";
import { writeConfig } from "../../e2e/support/daemon.ts";
import { temporaryFolder } from "../../e2e/support/temporary-folder.ts";
import { createCleanup } from "../../support/create-cleanup.ts";
import { startExporter, type Exporter } from "./exporter.ts";
import { createFleetRecord, type FleetRecord } from "./fleet-record.ts";
import { readScrape, sumOf } from "./scrape.ts";
import { pick, pickIndices, seeded, SOAK_FAULTS } from "./soak-faults.ts";
import { startNodes, type SoakNodes } from "./start-nodes.ts";
import { check, growingLine, mb, type Check } from "./verdict.ts";

/**
 * A fleet with faults in real time, at the default intervals and deadlines: one exporter polls nodes of the size of the main
 * network, of which a share is faulty at any time. Every minute the faults end and others begin: random faults of the table in
 * docs/reference/faults.md at other random nodes. The rest must not notice: no poll of theirs is missed, and none is shown down.
 *
 * A node counts as well in the time between two scrapes if it has no fault then and had none in the 45 s before: a poll that began
 * during a fault may hang until its deadline. What this cannot show: network latency and loss beyond the faults, because all is on
 * one machine, whose processors nodes, scraper and exporter share. The longest delay of the nodes' own process is printed: it
 * delays all nodes, and no failed poll within it is the exporter's.
 */

export type FleetOptions = {
  readonly nodes: number;
  readonly minutes: number;
  readonly seed: number;
  /** Share of the nodes that are faulty at a time. */
  readonly share: number;
  readonly validators: number;
  readonly peers: number;
};

const SCRAPE_EVERY_MS = 15_000;
/** Seconds between two changes of the faulty nodes. */
const FAULTY_FOR = 60;
/** Minutes between two lines of the table. */
const LINE_EVERY = 5;
/** Seconds for which the compiler warms up after the first round, before anything counts. */
const WARM_UP = 30;
const MOST_FIRST_ROUND_MS = 180_000;

/** Since the line before, or since the start. */
type Costs = { readonly at: number; readonly exporter: number; readonly nodes: number; readonly own: number };

type Fleet = {
  readonly options: FleetOptions;
  readonly exporter: Exporter;
  readonly nodes: SoakNodes;
  readonly record: FleetRecord;
  readonly random: () => number;
  readonly faulty: Set<number>;
  readonly print: (line: string) => void;
};

type Delayed = { p99: number; longest: number; nodes: number };

/** Runs the fleet and returns what must hold. @param print takes the lines of the table */
export async function runFleet(options: FleetOptions, print: (line: string) => void): Promise<readonly Check[]> {
  const cleanup = createCleanup();
  try {
    const fleet = await startAll(options, print, cleanup.add);
    const { exporter, nodes, record } = fleet;
    await exporter.delays();
    await nodes.cost();
    const start = { costs: costsOf(fleet), resident: exporter.resident() };
    record.peak(start.resident);
    print(growingLine(TITLES, TITLES));
    const worst: Delayed = { p99: 0, longest: 0, nodes: 0 };
    let last = start.costs;
    for (let minute = 0; minute < options.minutes;) {
      const until = Math.min(minute + LINE_EVERY, options.minutes);
      await watch(fleet, until - minute);
      minute = until;
      const delayed = await delaysOf(fleet);
      for (const key of ["p99", "longest", "nodes"] as const) worst[key] = Math.max(worst[key], delayed[key]);
      const costs = costsOf(fleet);
      print(line(fleet, `${minute}`, delayed, last, costs));
      last = costs;
    }
    print(line(fleet, "all", worst, start.costs, last));
    const resident = { start: start.resident, peak: record.total().peak, end: exporter.resident() };
    print(
      `resident memory: ${mb(resident.start)} MB at the start, ${mb(resident.peak)} MB at most, ${mb(resident.end)} MB at the end`,
    );
    await exporter.stop();
    return judged(fleet);
  } finally {
    await cleanup.run();
  }
}

async function startAll(
  options: FleetOptions,
  print: Fleet["print"],
  cleanUp: (stop: () => Promise<void>) => void,
): Promise<Fleet> {
  const { validators, peers } = options;
  const folder = await temporaryFolder();
  cleanUp(folder.remove);
  const size = { nodes: options.nodes, validators: Math.max(validators, options.nodes), peers };
  const nodes = await startNodes({ ...size, start: Date.now(), speed: 1, hosted: false });
  cleanUp(nodes.stop);
  const config = { nodes: nodes.nodes.map(({ name, url }) => ({ name, url })) };
  const exporter = await startExporter([`--config.file=${await writeConfig(folder.path, config)}`]);
  cleanUp(exporter.stop);
  const began = performance.now();
  while ((await exporter.statusOf("/-/ready")) !== 200) {
    if (performance.now() - began > MOST_FIRST_ROUND_MS) throw new Error("the first round of polls does not end");
    await after(250);
  }
  print(`first round of polls: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await after(WARM_UP * 1000);
  const record = createFleetRecord(nodes.nodes.map(({ name }) => name));
  record.take(readScrape(await exporter.scrape("gzip")), Date.now() / 1000);
  return { options, exporter, nodes, record, random: seeded(options.seed), faulty: new Set(), print };
}

/** Scrapes every 15 s for so many minutes, and moves the faults every minute. */
async function watch(fleet: Fleet, minutes: number): Promise<void> {
  const { exporter, record } = fleet;
  const until = performance.now() + minutes * 60_000;
  for (let next = performance.now(), scrapes = 0; next < until; next += SCRAPE_EVERY_MS, scrapes++) {
    if (scrapes % (FAULTY_FOR / (SCRAPE_EVERY_MS / 1000)) === 0) await move(fleet);
    await after(Math.max(0, next + SCRAPE_EVERY_MS - performance.now()));
    const at = Date.now() / 1000;
    record.take(readScrape(await exporter.scrape("gzip")), at);
    record.peak(exporter.resident());
  }
}

/** Ends the faults and begins others at other nodes. */
async function move({ options, nodes, record, random, faulty }: Fleet): Promise<void> {
  for (const node of faulty) {
    await nodes.end(node);
    record.ended(node, Date.now() / 1000);
  }
  faulty.clear();
  for (const node of pickIndices(random, Math.round(options.share * options.nodes), options.nodes)) {
    const { id } = pick(random, SOAK_FAULTS);
    record.began(node, id);
    faulty.add(node);
    await nodes.begin(node, id);
  }
}

const TITLES = ["minutes", "judged", " polls/s", "series", "missed", "failed", "down", "stale p99", "stale max"].concat(
  ["delay p99 ms", "delay max ms", "CPU %", "   RSS MB", "sockets", "nodes' delay max ms", "nodes' CPU %", "own CPU %"],
);

function costsOf({ exporter, nodes }: Fleet): Costs {
  const { user, system } = process.cpuUsage();
  return { at: performance.now(), exporter: exporter.cpu(), nodes: nodes.cpu(), own: (user + system) / 1000 };
}

async function delaysOf({ exporter, nodes }: Fleet): Promise<Delayed> {
  const [delays, { longestDelay }] = await Promise.all([exporter.delays(), nodes.cost()]);
  return { ...delays, nodes: longestDelay };
}

/** One line: the figures since the line before, of the nodes that were well. Staleness is in intervals of the endpoint. */
function line({ exporter, record }: Fleet, minutes: string, delayed: Delayed, was: Costs, is: Costs): string {
  const found = minutes === "all" ? record.total() : record.sinceLine();
  const share = (key: "exporter" | "nodes" | "own"): string =>
    (((is[key] - was[key]) / (is.at - was.at)) * 100).toFixed(1);
  return growingLine(TITLES, [
    minutes,
    found.judged,
    (found.polls / ((is.at - was.at) / 1000)).toFixed(1),
    found.series,
    found.missed,
    found.failed,
    found.down,
    found.staleP99.toFixed(2),
    found.staleMax.toFixed(2),
    delayed.p99.toFixed(1),
    delayed.longest.toFixed(1),
    share("exporter"),
    mb(exporter.resident()),
    exporter.opened().sockets,
    delayed.nodes.toFixed(1),
    share("nodes"),
    share("own"),
  ]);
}

function judged({ exporter, record }: Fleet): readonly Check[] {
  const { last, faults, judged: judgedSamples, missed, failed, down, problems } = record.total();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  const { defects } = exporter.log();
  for (const defect of defects.slice(0, 20)) process.stderr.write(`${defect}\n`);
  const counted = last === undefined ? NaN : sumOf(last, "avax_exporter_defects_total");
  return [
    check("faults that began", faults, "> 0", faults > 0),
    check("samples of avax_node_up of nodes that were well", judgedSamples, "> 0", judgedSamples > 0),
    check("polls missed, of nodes that were well", missed, "0", missed === 0),
    check("samples that show one of them down", down, "0", down === 0),
    check("defects counted", counted, "0", counted === 0),
    check("defects logged", defects.length, "0", defects.length === 0),
    check("exit on SIGTERM", exporter.ended() ?? "none", "0", exporter.ended() === "0"),
    { what: "polls failed, of nodes that were well (shown, not judged)", found: `${failed}`, target: "", ok: true },
  ];
}
