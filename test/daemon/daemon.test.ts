import { setImmediate } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { createDaemon } from "../../src/daemon/daemon.ts";
import { demoConfig } from "../../src/cli/demo.ts";
import { simulate } from "../../simulator/simulate.ts";
import { createCleanup } from "../support/create-cleanup.ts";

const cleanup = createCleanup();
afterEach(cleanup.run);

/** A daemon of one simulated node that a shard leaves to another one. */
async function daemonOfShard() {
  const simulation = await simulate({ nodes: 1 });
  cleanup.add(() => simulation.close());
  const silent = () => undefined;
  const log = { debug: silent, info: silent, error: silent, warn: silent };
  const about = { version: "0", revision: "0", nodeVersion: "v24", exporterMetrics: true };
  const daemon = createDaemon({ config: demoConfig(simulation), log, ...about, shard: { index: 1, total: 2 } });
  cleanup.add(() => daemon.poller.close());
  return daemon;
}

it("knows topics, families of nodes and its own as filters of a scrape", async () => {
  // A shard that does not export facts of networks knows their names: one scrape configuration fits every shard.
  const daemon = await daemonOfShard();
  const names = ["peers", "avax_node_up", "avax_supply_avax", "avax_exporter_build_info", "process_cpu_seconds_total"];
  expect(names.filter((name) => !daemon.selectable().has(name))).toEqual([]);
  expect(daemon.selectable().has("avax_node_upp")).toBe(false);
});

it("answers scrapes that came while it made one with the same bytes, and those after them with others", async () => {
  const { metrics } = await daemonOfShard();
  const scraped = async () => (await metrics({ accept: undefined, acceptEncoding: "gzip", only: undefined })).chunks[0];
  const first = await scraped();
  // The loop reads in the next turn what came meanwhile.
  await setImmediate();
  expect(await scraped()).toBe(first);
  for (let turn = 0; turn < 2; turn++) await setImmediate();
  expect(await scraped()).not.toBe(first);
});
