import { catalogueOf } from "../src/topics/define/catalogue.ts";
import { TOPICS } from "../src/topics/all/topics.ts";
import { pause, rowOf, type Row } from "./measure.ts";
import { nodesOf, startDaemon, startNetwork, type Daemon } from "./processes.ts";

/**
 * A day in a few minutes: network and daemon run on faster clocks. Every hour a reload changes some of the nodes, and every second
 * hour restores the first configuration. Then the series must be the same as before, and the heap after a collection as large.
 */

const FACTOR = 240;
const HOUR_MS = 3_600_000 / FACTOR;
const NODES = 8;
const WATCHED = 5;
/** Factor of the default cadences, with which a day would have half a million polls. */
const SLOWER = 4;
/** Share of the heap after two hours. The compiler and V8's own tables keep growing for a while. */
const MOST_GROWTH = 0.1;

/** Bytes of objects after a garbage collection, and the names of all series. */
type Kept = { readonly heap: number; readonly series: readonly string[] };

/** The configuration of an hour: the first nodes, or the last ones. */
function hourOf<Node>(all: readonly Node[], hour: number): object {
  const nodes = hour % 2 === 0 ? all.slice(0, WATCHED) : all.slice(NODES - WATCHED);
  const endpoints = catalogueOf(TOPICS).endpoints.map(
    ({ id, every }) => [id, { every: `${every * SLOWER}s`, timeout: `${2 * FACTOR}s` }] as const,
  );
  return { nodes, endpoints: Object.fromEntries(endpoints) };
}

async function keptBy(daemon: Daemon): Promise<Kept> {
  const text = await daemon.scrape("identity");
  // The process's own metrics get series on events.
  const series = [...text.matchAll(/^(avax_(?!exporter_)[a-z0-9_]+(?:\{.*\})?) \S+$/gm)].map(([, name = ""]) => name);
  return { heap: (await daemon.inside()).objects, series };
}

/** Compares series and heap after two hours with those at the end of the day. */
export async function benchSoak(quick: boolean): Promise<readonly Row[]> {
  const hours = quick ? 6 : 24;
  const start = Date.now();
  const network = await startNetwork({ nodes: NODES, validators: 40, speed: FACTOR });
  const all = nodesOf(network.nodes);
  const daemon = await startDaemon(hourOf(all, 0), undefined, { start, factor: FACTOR, work: "real" });
  const kept: Kept[] = [];
  for (let hour = 0; hour <= hours; hour++) {
    if (hour > 0) await daemon.apply(hourOf(all, hour));
    await pause(HOUR_MS * 0.95);
    if (hour >= 2 && hour % 2 === 0) kept.push(await keptBy(daemon));
  }
  await daemon.stop();
  await network.close();
  return rowsOf(hours, kept);
}

function rowsOf(hours: number, kept: readonly Kept[]): readonly Row[] {
  const [first, last] = [kept[0], kept.at(-1)];
  if (first === undefined || last === undefined) throw new Error("the soak was too short");
  const [before, after] = [new Set(first.series), new Set(last.series)];
  const other = before.symmetricDifference(after);
  for (const name of other) console.error(`${before.has(name) ? "gone" : "new"}: ${name}`);
  const growth = last.heap / first.heap - 1;
  const work = `${hours} h, ${FACTOR} times as fast, ${WATCHED} of ${NODES} nodes, others every hour`;
  return [
    rowOf(`${work}: series of ${before.size} that are others at the end`, `${other.size}`, "0", other.size === 0),
    rowOf(
      `${work}: heap after a collection, from 2 h to the end`,
      `${(first.heap / 1e6).toFixed(1)} to ${(last.heap / 1e6).toFixed(1)} MB (${(growth * 100).toFixed(1)} %)`,
      `<= +${MOST_GROWTH * 100} %`,
      growth <= MOST_GROWTH,
    ),
  ];
}
