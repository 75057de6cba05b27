import { join } from "node:path";
import type { Config } from "../src/config/config.ts";
import { catalogueOf } from "../src/topics/define/catalogue.ts";
import { TOPICS } from "../src/topics/all/topics.ts";
import type { Kept } from "./daemon.ts";
import { pause, rowOf, type Row } from "./measure.ts";
import { configOf, startDaemon, startNetwork } from "./processes.ts";

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

/** The configuration of an hour: the first nodes, or the last ones. */
function hourOf(all: Config, hour: number): Config {
  const nodes = hour % 2 === 0 ? all.nodes.slice(0, WATCHED) : all.nodes.slice(NODES - WATCHED);
  const endpoints = catalogueOf(TOPICS).endpoints.map(
    ({ id, every }) => [id, { every: every * SLOWER, timeout: 2 * FACTOR }] as const,
  );
  return { ...all, nodes, endpoints: Object.fromEntries(endpoints) };
}

/** Compares series and heap after two hours with those at the end of the day. */
export async function benchSoak(quick: boolean): Promise<readonly Row[]> {
  const hours = quick ? 6 : 24;
  const network = await startNetwork({ nodes: NODES, validators: 40, speed: FACTOR });
  const all = configOf(network.nodes);
  const daemon = await startDaemon(hourOf(all, 0), {
    execArgv: ["--import", join(import.meta.dirname, "../test/e2e/support/fast-clock.ts")],
    env: { ...process.env, FAST_CLOCK: `${Date.now()},${FACTOR}`, FAST_CLOCK_WORK: "real" },
  });
  const kept: Kept[] = [];
  for (let hour = 0; hour <= hours; hour++) {
    if (hour > 0) await daemon.apply(hourOf(all, hour));
    await pause(HOUR_MS * 0.95);
    if (hour >= 2 && hour % 2 === 0) kept.push(await daemon.kept());
  }
  await daemon.close();
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

if (import.meta.main) console.table(await benchSoak(process.argv.includes("--quick")));
