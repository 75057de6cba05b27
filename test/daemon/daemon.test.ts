import { afterEach, expect, it } from "vitest";
import { createDaemon } from "../../src/daemon/daemon.ts";
import { demoConfig } from "../../src/cli/demo.ts";
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
