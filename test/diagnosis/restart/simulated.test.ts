import { afterAll, beforeAll, expect, it } from "vitest";
import { demoConfig } from "../../../src/cli/demo.ts";
import { createDaemon } from "../../../src/daemon/daemon.ts";
import { createLogger } from "../../../src/daemon/logger.ts";
import type { RestartPlan } from "../../../src/diagnosis/restart/plan.ts";
import type { Route } from "../../../src/http/route.ts";
import { restartRoutes } from "../../../src/http/routes/restart.ts";
import { dependencies } from "../../http/fixtures.ts";
import { simulate, type Simulation } from "../../../simulator/simulate.ts";

const [OLD, NEW] = ["1.14.2", "1.15.0"];
const DOWN = 600;

let simulation: Simulation;

/** Ten validators of equal stake, of which eight are polled; they have most of a subnet and of an L1, and the last one is down. */
beforeAll(async () => {
  simulation = await simulate({
    nodes: 8,
    validators: 10,
    tidy: true,
    equalStakes: true,
    version: OLD,
    scenario: [{ node: 8, name: "offline-validator" }],
  });
});
afterAll(() => simulation.close());

/** The answers of an exporter that polls the network now. */
async function asked() {
  const log = createLogger("error", "logfmt", () => undefined);
  const demo = demoConfig(simulation);
  const nodes = demo.nodes.map((node, index) => ({
    ...node,
    network: "local",
    nodeId: simulation.nodes[index]?.nodeId,
  }));
  const config = { ...demo, nodes };
  const daemon = createDaemon({ config, log, version: "1", revision: "r", nodeVersion: "v", exporterMetrics: false });
  daemon.poller.tick();
  await daemon.poller.firstRound();
  const { deps } = dependencies({ restarts: daemon.restarts });
  const route = restartRoutes(deps).find(({ path }) => path === "/api/v1/restart");
  const reply = await matchedReply(route, `down=${DOWN}s&version=${NEW}`);
  const only = new Set(["avax_node_restart_safe", "avax_node_restart_blocked"]);
  const { chunks } = await daemon.metrics({ accept: undefined, acceptEncoding: undefined, only });
  const { quorums } = await daemon.restarts();
  await daemon.poller.close();
  return {
    plan: JSON.parse(reply) as RestartPlan,
    metrics: chunks.map(String).join(""),
    broken: [...quorums.values()]
      .filter(({ connected = NaN, required = NaN }) => connected < required)
      .map(({ name }) => name),
  };
}

async function matchedReply(route: Route | undefined, query: string): Promise<string> {
  const request = { query: new URLSearchParams(query), header: () => undefined, client: "", rest: "" };
  const reply = await route?.handle({ ...request, afterwards: () => undefined });
  return Buffer.concat(reply?.chunks ?? []).toString();
}

/** Weight on the L1, of 1060. On the Primary Network and the other subnet each of the ten has a tenth. */
const weightOf = (node: string): number => (node === "sim-1" ? 160 : 100);
const become = (nodes: readonly string[], scenario: "healthy" | "offline-validator", version?: string): void => {
  for (const node of nodes) simulation.set(Number(node.replace("sim-", "")), scenario, version);
};

it("upgrades a fleet batch by batch without the loss of a quorum; in the reversed order one is lost", async () => {
  const first = await asked();
  expect(first.plan.batches.map(({ nodes }) => nodes[0])).toEqual([
    "sim-8",
    ...[2, 3, 4, 5, 6, 7].map((n) => `sim-${n}`),
  ]);
  expect(first.plan.left).toMatchObject([{ node: "sim-1", block: { reason: "quorum" } }]);
  expect(first.metrics).toContain('avax_node_restart_safe{network="local",node="sim-8"} 1');
  expect(first.metrics).toContain('avax_node_restart_blocked{network="local",node="sim-2",reason="other_node"} 1');
  expect(first.metrics).toContain('avax_node_restart_blocked{network="local",node="sim-1",reason="quorum"} 1');

  become(["sim-1"], "offline-validator");
  expect((await asked()).broken).toEqual(["L1"]);
  become(["sim-1"], "healthy");

  const order: string[] = [];
  for (let { plan } = first; plan.batches[0] !== undefined; { plan } = await asked()) {
    const { nodes } = plan.batches[0];
    expect(plan.nodes.filter(({ node }) => nodes.includes(node)).every(({ state }) => state === "safe")).toBe(true);
    expect(nodes.length).toBeLessThanOrEqual(2);
    expect(nodes.reduce((sum, node) => sum + weightOf(node), 0)).toBeLessThanOrEqual(0.2 * 1060);
    become(nodes, "offline-validator");
    order.push(...nodes);
    become(nodes, "healthy", NEW);
  }
  expect(order.toSorted()).toEqual(simulation.nodes.map(({ name }) => name));
}, 120_000);
