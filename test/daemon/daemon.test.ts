import { afterEach, expect, it } from "vitest";
import { createDaemon } from "../../src/daemon/daemon.ts";
import { demoConfig } from "../../src/cli/demo.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { simulate } from "../../simulator/simulate.ts";
import { createCleanup } from "../support/create-cleanup.ts";

const cleanup = createCleanup();
afterEach(cleanup.run);

it("knows topics, families of nodes and its own as filters of a scrape", async () => {
  const simulation = await simulate({ nodes: 1 });
  cleanup.add(() => simulation.close());
  const silent = () => undefined;
  const log = { debug: silent, info: silent, error: silent, warn: silent };
  const about = { version: "0", revision: "0", nodeVersion: "v24", exporterMetrics: true };
  // A shard that does not export facts of networks knows their names: one scrape configuration fits every shard.
  const daemon = createDaemon({ config: demoConfig(simulation), log, ...about, shard: { index: 1, total: 2 } });
  cleanup.add(() => daemon.poller.close());
  const names = ["peers", "avax_node_up", "avax_supply_avax", "avax_exporter_build_info", "process_cpu_seconds_total"];
  expect(names.filter((name) => !daemon.selectable().has(name))).toEqual([]);
  expect(daemon.selectable().has("avax_node_upp")).toBe(false);
});

it("polls everything again when the clock is set back, and uses the new time", async () => {
  const simulation = await simulate({ nodes: 3 });
  cleanup.add(() => simulation.close());
  const warnings: unknown[] = [];
  const silent = () => undefined;
  const log = { debug: silent, info: silent, error: silent, warn: (...words: unknown[]) => void warnings.push(words) };
  let set = 0;
  const daemon = createDaemon({
    config: demoConfig(simulation),
    log,
    version: "0",
    revision: "0",
    nodeVersion: "v24",
    exporterMetrics: false,
    clock: { ...systemClock, now: () => systemClock.now() + set },
  });
  cleanup.add(() => daemon.poller.close());
  const lines = async () => {
    const { chunks } = await daemon.metrics({ accept: undefined, acceptEncoding: undefined, only: undefined });
    return Buffer.concat(chunks)
      .toString()
      .split("\n")
      .filter((line) => line.startsWith("avax_"));
  };
  const names = async () => new Set((await lines()).map((line) => line.slice(0, line.lastIndexOf(" "))));
  const successes = async () =>
    (await lines())
      .filter((line) => line.startsWith("avax_endpoint_last_success_timestamp_seconds"))
      .map((line) => Number(line.slice(line.lastIndexOf(" ") + 1)));
  const ticking = setInterval(daemon.poller.tick, 200);
  cleanup.add(() => Promise.resolve(clearInterval(ticking)));

  await daemon.poller.firstRound();
  const before = await names();
  expect(before.size).toBeGreaterThan(300);
  clearInterval(ticking);
  set = -3600;
  daemon.poller.tick();
  expect(warnings).toEqual([
    [{ seconds: expect.closeTo(3600, -2) as number }, "the clock was set back: polling everything again"],
  ]);

  const again = setInterval(daemon.poller.tick, 200);
  cleanup.add(() => Promise.resolve(clearInterval(again)));
  await daemon.poller.firstRound();
  const after = await names();
  expect([...before].filter((name) => name.startsWith("avax_node_") && !after.has(name))).toEqual([]);
  const times = await successes();
  expect(times.length).toBeGreaterThan(30);
  expect(Math.max(...times)).toBeLessThanOrEqual(systemClock.now() - 3600);
  expect(Math.min(...times)).toBeGreaterThan(systemClock.now() - 3660);
  expect(daemon.poller.status().startedAt).toBeLessThanOrEqual(daemon.poller.status().now);
  expect(warnings).toHaveLength(1);
});
