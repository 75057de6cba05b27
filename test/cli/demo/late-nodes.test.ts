import { afterEach, expect, it } from "vitest";
import { createDaemon } from "../../../src/daemon/daemon.ts";
import { demoConfig } from "../../../src/cli/demo/demo-config.ts";
import { lateNodes, withLateNodes } from "../../../src/cli/demo/late-nodes.ts";
import { simulate, type Simulation, type SimulatorOptions } from "../../../simulator/simulate.ts";
import { createCleanup } from "../../support/create-cleanup.ts";

const cleanup = createCleanup();
afterEach(cleanup.run);

async function network(options: SimulatorOptions): Promise<Simulation> {
  const simulation = await simulate(options);
  cleanup.add(() => simulation.close());
  return simulation;
}

const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };

it("late nodes are those behind others, and none when all are behind", async () => {
  const mixed = await network({
    nodes: 4,
    scenario: [
      { node: 2, name: "left-behind" },
      { node: 3, name: "low-uptime" },
      { node: 4, name: "unhealthy-check" },
      { node: 4, name: "lagging" },
    ],
  });
  expect(lateNodes(mixed)).toEqual(new Set(["sim-2", "sim-4"]));
  expect(lateNodes(await network({ nodes: 2, scenario: "left-behind" }))).toEqual(new Set());
  expect(lateNodes(await network({ nodes: 2 }))).toEqual(new Set());
});

it("the lag of late nodes is in the first complete metrics, chain by chain", async () => {
  const simulation = await network({ nodes: 4, scenario: [{ node: 1, name: "left-behind" }] });
  const config = demoConfig(simulation);
  const late = lateNodes(simulation);
  const nodes = config.nodes.filter(({ name }) => !late.has(name));
  const about = { version: "0", revision: "0", nodeVersion: "v24", exporterMetrics: false };
  const daemon = withLateNodes(createDaemon({ ...about, log, config: { ...config, nodes } }), config);
  cleanup.add(() => daemon.poller.close());
  daemon.poller.tick();
  const ticking = setInterval(daemon.poller.tick, 1000);
  cleanup.add(() => Promise.resolve(clearInterval(ticking)));
  await daemon.poller.firstRound();
  const { chunks } = await daemon.metrics({ accept: undefined, acceptEncoding: undefined, only: undefined });
  const lags = [
    ...Buffer.concat(chunks)
      .toString()
      .matchAll(/^avax_chain_lag_blocks\{network="local",node="sim-1",chain="(\w+)"\} (\d+)$/gm),
  ];
  const behind = new Map(lags.map(([, chain = "", blocks]) => [chain, Number(blocks)]));
  expect([...behind.keys()].sort()).toEqual(["C", "P", "l1one", "perm1"]);
  // Ten minutes, and the seconds until it was polled.
  expect(behind.get("P")).toBeGreaterThanOrEqual(60);
  expect(behind.get("C")).toBeGreaterThanOrEqual(300);
  expect(
    daemon.poller
      .status()
      .targets.map(({ name }) => name)
      .slice(0, 4),
  ).toEqual(["sim-1", "sim-2", "sim-3", "sim-4"]);
});
