import { afterEach, expect, it, vi } from "vitest";
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

it("has no diagnosis beside a scrape, which would wait for it, and the next one after its end", async () => {
  const { metrics, poller, doctor } = await daemonOfShard();
  const diagnoses = vi.spyOn(doctor, "tick");
  const scraped = metrics({ accept: undefined, acceptEncoding: "gzip", only: undefined });
  poller.tick();
  expect(diagnoses).not.toHaveBeenCalled();
  await scraped;
  poller.tick();
  poller.tick();
  expect(diagnoses.mock.calls).toEqual([[true], [false]]);
});
