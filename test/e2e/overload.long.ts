import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { simulate } from "../../simulator/simulate.ts";
import { afterThisTest } from "../support/cleanup.ts";
import { startDaemon, writeConfig, type RunningDaemon } from "./support/daemon.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/**
 * A real process that gets a twentieth of a processor, in bursts: it is stopped for 3.8 s and continues for 0.2 s, again and
 * again, while all nodes answer. Its deadlines of one second pass while it is stopped. It skips polls and says so, its intervals stay.
 */

const NODES = 12;
const STOPPED = 3_800;
const RUNNING = 200;
/** Milliseconds for which it lacks the processor: several deadlines of each node pass. */
const STARVED = 60_000;
/** Seconds between two polls. */
const EVERY = 3;

const FREQUENT = ["health", "info.isBootstrapped", "platform.getHeight", "evm.head", "info.uptime", "health.liveness"];

type Seen = {
  /** Polls that were skipped because the exporter could not keep up. */
  readonly missed: number;
  readonly down: number;
  readonly up: number;
  /** Distinct seconds between two polls of a health report. */
  readonly intervals: readonly number[];
  readonly utilization: number | undefined;
};

async function seen({ metrics, status }: RunningDaemon): Promise<Seen> {
  const series = [...(await metrics()).values()];
  const health = (await status()).targets.flatMap(({ endpoints }) => endpoints.filter(({ id }) => id === "health"));
  const values = (name: string, label = "", wanted = /^/) =>
    series.filter((each) => each.name === name && wanted.test(each.labels[label] ?? "")).map(({ value }) => value);
  const sum = (list: readonly number[]) => list.reduce((total, value) => total + value, 0);
  const ups = values("avax_node_up");
  return {
    missed: sum(values("avax_polls_missed_total", "reason", /^overloaded$/)),
    down: ups.filter((up) => up === 0).length,
    up: ups.filter((up) => up === 1).length,
    intervals: [...new Set(health.map(({ every }) => every))],
    utilization: values("avax_exporter_busy_ratio")[0],
  };
}

/** Scrapes until a condition holds, and returns all that was seen. */
async function watch(daemon: RunningDaemon, within: number, done: (last: Seen) => boolean): Promise<readonly Seen[]> {
  const all: Seen[] = [];
  const end = Date.now() + within;
  while (Date.now() < end) {
    const last = await seen(daemon);
    all.push(last);
    if (done(last)) break;
    await pause(1_000);
  }
  return all;
}

/** Stops and continues the process until the returned function is called. */
function starve({ child }: RunningDaemon): () => Promise<void> {
  let over = false;
  const loop = (async () => {
    while (!over) {
      child.signal("SIGSTOP");
      await pause(STOPPED);
      child.signal("SIGCONT");
      await pause(RUNNING);
    }
  })();
  return async () => {
    over = true;
    await loop;
  };
}

test("a process that lacks CPU reports itself, and no node", { timeout: 240_000 }, async () => {
  const simulation = await simulate({ nodes: NODES, validators: NODES });
  afterThisTest.add(() => simulation.close());
  const config = {
    nodes: simulation.nodes.map(({ name, url }) => ({ name, url })),
    endpoints: Object.fromEntries(FREQUENT.map((id) => [id, { every: `${EVERY}s`, timeout: "1s" }])),
  };
  const folder = await temporaryFolder();
  afterThisTest.add(folder.remove);
  const daemon = await startDaemon([`--config.file=${await writeConfig(folder.path, config)}`]);
  afterThisTest.add(() => daemon.child.stop());

  const before = await watch(daemon, 60_000, ({ up }) => up === NODES);
  const first = before.at(-1);
  expect(first).toMatchObject({ down: 0, up: NODES, intervals: [EVERY] });

  const release = starve(daemon);
  afterThisTest.add(release);
  const starved = await watch(daemon, STARVED, () => false);
  const last = starved.at(-1);
  expect(last?.missed).toBeGreaterThan(first?.missed ?? 0);
  await release();
  const released = await watch(daemon, 10 * EVERY * 1_000, () => false);

  const all = [...starved, ...released];
  expect(all.filter(({ down, up }) => down > 0 || up !== NODES)).toEqual([]);
  for (const { intervals, utilization } of all) {
    expect(intervals).toEqual([EVERY]);
    expect(utilization).toBeGreaterThanOrEqual(0);
    expect(utilization).toBeLessThanOrEqual(1);
  }
});
