import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { simulate } from "../../simulator/simulate.ts";
import { afterThisTest } from "../support/cleanup.ts";
import { startDaemon, writeConfig, type RunningDaemon } from "./support/daemon.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/**
 * A real process that gets a twentieth of a processor, in bursts: it is stopped for 3.8 s and continues for 0.2 s, again and
 * again, while all nodes answer. Its deadlines of one second pass while it is stopped.
 */

const NODES = 12;
const STOPPED = 3_800;
const RUNNING = 200;
/** Milliseconds until it has noticed: two minutes after its start, and two windows of five seconds. */
const NOTICED_WITHIN = 210_000;
/** Milliseconds until the intervals are as configured again: at most six steps of half a minute each, and two windows. */
const OVER_WITHIN = 240_000;

const FREQUENT = ["health", "info.isBootstrapped", "platform.getHeight", "evm.head", "info.uptime", "health.liveness"];

type Seen = { readonly overloaded: number; readonly stretch: number; readonly down: number; readonly up: number };

async function seen({ metrics }: RunningDaemon): Promise<Seen> {
  const series = [...(await metrics()).values()];
  const values = (name: string) => series.filter((each) => each.name === name).map(({ value }) => value);
  const [overloaded = -1] = values("avax_exporter_overloaded");
  const [stretch = -1] = values("avax_exporter_interval_stretch_ratio");
  const ups = values("avax_node_up");
  return { overloaded, stretch, down: ups.filter((up) => up === 0).length, up: ups.filter((up) => up === 1).length };
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

/** Polls that failed until now because a node was silent, as the exporter has it. */
async function silent({ metrics }: RunningDaemon): Promise<number> {
  return [...(await metrics()).values()]
    .filter(({ name, labels }) => name === "avax_poll_failures_total" && /timeout|reset/.test(labels["reason"] ?? ""))
    .reduce((total, { value }) => total + value, 0);
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

test("a process that lacks CPU reports itself, and no node", { timeout: 500_000 }, async () => {
  const simulation = await simulate({ nodes: NODES, validators: NODES });
  afterThisTest.add(() => simulation.close());
  const config = {
    nodes: simulation.nodes.map(({ name, url }) => ({ name, url })),
    endpoints: Object.fromEntries(FREQUENT.map((id) => [id, { every: "3s", timeout: "1s" }])),
  };
  const folder = await temporaryFolder();
  afterThisTest.add(folder.remove);
  const daemon = await startDaemon([`--config.file=${await writeConfig(folder.path, config)}`]);
  afterThisTest.add(() => daemon.child.stop());

  const before = await watch(daemon, 60_000, ({ up }) => up === NODES);
  expect(before.at(-1)).toMatchObject({ overloaded: 0, stretch: 1, down: 0, up: NODES });

  const silentBefore = await silent(daemon);
  const release = starve(daemon);
  afterThisTest.add(release);
  const starved = await watch(daemon, NOTICED_WITHIN, ({ overloaded }) => overloaded === 1);
  expect(starved.at(-1)).toMatchObject({ overloaded: 1, up: NODES });
  expect(starved.at(-1)?.stretch).toBeGreaterThan(1);
  // Long enough that several deadlines of each node pass while the process is stopped.
  const later = await watch(daemon, 30_000, () => false);
  expect([...starved, ...later].filter(({ down, up }) => down > 0 || up !== NODES)).toEqual([]);
  // The deadlines that passed meanwhile say nothing of the nodes.
  expect(await silent(daemon)).toBe(silentBefore);

  await release();
  const released = await watch(daemon, OVER_WITHIN, ({ overloaded }) => overloaded === 0);
  expect(released.at(-1)).toMatchObject({ overloaded: 0, stretch: 1 });
  expect(released.filter(({ down, up }) => down > 0 || up !== NODES)).toEqual([]);
});
