import { setTimeout as after } from "node:timers/promises";
import { writeConfig } from "../../e2e/support/daemon.ts";
import { temporaryFolder } from "../../e2e/support/temporary-folder.ts";
import { createCleanup } from "../../support/create-cleanup.ts";
import { firstRound, startExporter, type Exporter } from "./exporter.ts";
import { createFleetRecord, NONE, together, type Figures, type FleetRecord } from "./fleet-record.ts";
import { readScrape, sumOf } from "./scrape.ts";
import { pick, pickIndices, seeded, SOAK_FAULTS } from "./soak-faults.ts";
import { startNodes, type SoakNodes } from "./start-nodes.ts";
import { check, growingTable, mb, type Check } from "./verdict.ts";

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

type Fleet = {
  readonly options: FleetOptions;
  readonly exporter: Exporter;
  readonly nodes: SoakNodes;
  readonly record: FleetRecord;
  readonly random: () => number;
  readonly faulty: Set<number>;
};

/** Runs the fleet and returns what must hold. @param print takes the lines of the table */
export async function runFleet(options: FleetOptions, print: (line: string) => void): Promise<readonly Check[]> {
  const cleanup = createCleanup();
  try {
    const fleet = await startAll(options, cleanup.add);
    const { exporter, nodes } = fleet;
    await exporter.delays();
    await nodes.cost();
    const shows = growingTable(print);
    let all = NONE;
    for (let minute = 0; minute < options.minutes;) {
      const until = Math.min(minute + LINE_EVERY, options.minutes);
      const [began, cpu] = [performance.now(), exporter.cpu()];
      const found = await watch(fleet, until - minute);
      minute = until;
      all = together(all, found);
      shows(await lineOf(fleet, minute, found, { ms: performance.now() - began, cpu: exporter.cpu() - cpu }));
    }
    const defects = sumOf(readScrape(await exporter.scrape("gzip")), "avax_exporter_defects_total");
    await exporter.stop();
    return judged(fleet, all, defects, await exporter.child.exited);
  } finally {
    await cleanup.run();
  }
}

async function startAll(options: FleetOptions, cleanUp: (stop: () => Promise<void>) => void): Promise<Fleet> {
  const { validators, peers } = options;
  const folder = await temporaryFolder();
  cleanUp(folder.remove);
  const size = { nodes: options.nodes, validators: Math.max(validators, options.nodes), peers };
  const nodes = await startNodes({ ...size, start: Date.now(), speed: 1, hosted: false });
  cleanUp(nodes.stop);
  const config = { nodes: nodes.nodes.map(({ name, url }) => ({ name, url })) };
  const exporter = await startExporter([`--config.file=${await writeConfig(folder.path, config)}`]);
  cleanUp(exporter.stop);
  await firstRound(exporter, MOST_FIRST_ROUND_MS);
  await after(WARM_UP * 1000);
  const record = createFleetRecord(nodes.nodes.map(({ name }) => name));
  record.take(readScrape(await exporter.scrape("gzip")), Date.now() / 1000);
  return { options, exporter, nodes, record, random: seeded(options.seed), faulty: new Set() };
}

/** Scrapes every 15 s for so many minutes, and moves the faults every minute. */
async function watch(fleet: Fleet, minutes: number): Promise<Figures> {
  const { exporter, record } = fleet;
  const until = performance.now() + minutes * 60_000;
  let found = NONE;
  for (let next = performance.now(), scrapes = 0; next < until; next += SCRAPE_EVERY_MS, scrapes++) {
    if (scrapes % (FAULTY_FOR / (SCRAPE_EVERY_MS / 1000)) === 0) await move(fleet);
    await after(Math.max(0, next + SCRAPE_EVERY_MS - performance.now()));
    const at = Date.now() / 1000;
    found = together(found, record.take(readScrape(await exporter.scrape("gzip")), at));
  }
  return found;
}

/** Ends the faults and begins others at other nodes. */
async function move({ options, nodes, record, random, faulty }: Fleet): Promise<void> {
  for (const node of faulty) {
    await nodes.end(node);
    record.ended(node, Date.now() / 1000);
  }
  faulty.clear();
  for (const node of pickIndices(random, Math.round(options.share * options.nodes), options.nodes)) {
    record.began(node);
    faulty.add(node);
    await nodes.begin(node, pick(random, SOAK_FAULTS).id);
  }
}

/** One line: the figures since the line before, of the nodes that were well. Staleness is in intervals of the endpoint. */
async function lineOf(
  { exporter, nodes }: Fleet,
  minutes: number,
  { judged, polls, missed, failed, down, stale }: Figures,
  took: { readonly ms: number; readonly cpu: number },
) {
  const [delays, { longestDelay }] = await Promise.all([exporter.delays(), nodes.cost()]);
  return {
    ...{ minutes, judged, " polls/s": (polls / (took.ms / 1000)).toFixed(1), missed, failed, down },
    stale: stale.toFixed(2),
    "delay p99 ms": delays.p99.toFixed(1),
    "delay max ms": delays.longest.toFixed(1),
    "CPU %": ((took.cpu / took.ms) * 100).toFixed(1),
    "   RSS MB": mb(exporter.resident()),
    sockets: exporter.opened().sockets,
    "nodes' delay max ms": longestDelay.toFixed(1),
  };
}

function judged(
  { exporter, record }: Fleet,
  found: Figures,
  counted: number,
  ended: number | string,
): readonly Check[] {
  const defects = exporter.defects();
  for (const problem of [...record.problems, ...defects].slice(0, 60)) process.stderr.write(`${problem}\n`);
  return [
    check("samples of avax_node_up of nodes that were well", found.judged, "> 0", found.judged > 0),
    check("polls missed, of nodes that were well", found.missed, "0", found.missed === 0),
    check("samples that show one of them down", found.down, "0", found.down === 0),
    check("defects counted", counted, "0", counted === 0),
    check("defects logged", defects.length, "0", defects.length === 0),
    check("exit on SIGTERM", ended, "0", ended === 0),
    check("polls failed, of nodes that were well (shown, not judged)", found.failed, "", true),
  ];
}
