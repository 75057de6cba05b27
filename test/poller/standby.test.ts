import { describe, expect, it } from "vitest";
import type { NodeConfig } from "../../src/config/config.ts";
import { benchOf, configOf, nodeConfig, type Bench } from "../support/engines.ts";
import { REFUSED, validatorOf } from "../support/fake-client.ts";

/** A standby that takes over the node ID of a validator. Both nodes have their `node_id`, as `init` writes it. */

const nodes = (standby: Partial<NodeConfig> = {}) => [
  nodeConfig("main", { nodeId: "NodeID-main" }),
  nodeConfig("spare", { nodeId: "NodeID-spare", ...standby }),
];
const MAIN = { nodeId: "NodeID-main", validators: [validatorOf("NodeID-main")] };

/** Both have run for a minute; then the machine of the main node is off, and its keys are on the other one. */
async function switched(bench: Bench, standby: Partial<NodeConfig> = {}): Promise<void> {
  for (const name of ["main", "spare"]) Object.assign(bench.node(name), { validators: MAIN.validators });
  bench.poller.apply(configOf([], { nodes: nodes(standby) }));
  await bench.run(60);
  bench.node("main").failing.set("*", REFUSED);
  await bench.run(30);
  bench.node("spare").nodeId = "NodeID-main";
  await bench.run(120);
}

const failures = (bench: Bench) =>
  bench.poller
    .status()
    .targets.find(({ name }) => name === "spare")
    ?.endpoints.filter(({ error }) => error !== undefined && error.reason !== "unsupported")
    .map(({ id }) => id);

describe("a node that answers with the ID of another configured one, which is down", () => {
  it("is polled on as its standby, and named", async () => {
    const bench = benchOf(["main", "spare"]);
    await switched(bench);
    expect(failures(bench)).toEqual([]);
    expect(await bench.value('avax_node_up{node="spare"}')).toBe(1);
    expect(await bench.value('avax_node_replaced{node="spare"}')).toBe(0);
    const series = [...(await bench.series()).keys()];
    expect(series).toContain('avax_node_taken_over_info{node="main",by="spare",network="local"}');
    expect(series).toContain('avax_node_configured{node="spare",network="local",node_id="NodeID-main"}');
  });

  it("makes the outage of the other node none of its validator", async () => {
    const bench = benchOf(["main", "spare"]);
    await switched(bench);
    const outage = (kind: string) =>
      bench.value(`avax_node_outage{node="main",node_id="NodeID-main",outage="${kind}",name="main"}`);
    expect([await outage("seen"), await outage("unseen")]).toEqual([1, 0]);
  });

  it("is the replaced node again when the other one answers with this ID too", async () => {
    const bench = benchOf(["main", "spare"]);
    await switched(bench);
    bench.node("main").failing.clear();
    await bench.run(120);
    expect(new Set(failures(bench)).size).toBeGreaterThan(5);
    expect(await bench.value('avax_node_replaced{node="spare"}')).toBe(1);
  });

  it("is itself again when it returns to its own ID", async () => {
    const bench = benchOf(["main", "spare"]);
    await switched(bench);
    bench.node("spare").nodeId = "NodeID-spare";
    bench.node("main").failing.clear();
    await bench.run(180);
    expect(failures(bench)).toEqual([]);
    expect(await bench.value('avax_node_replaced{node="spare"}')).toBe(0);
    const series = [...(await bench.series()).keys()];
    expect(series.filter((name) => name.startsWith("avax_node_taken_over"))).toEqual([]);
    expect(series).toContain('avax_node_configured{node="spare",network="local",node_id="NodeID-spare"}');
  });
});

it("a declared standby with the ID of a node that runs is no other node: both run with one ID", async () => {
  const bench = benchOf(["main", "spare"]);
  const both = { standbyOf: "main" };
  for (const name of ["main", "spare"]) Object.assign(bench.node(name), { validators: MAIN.validators });
  bench.poller.apply(configOf([], { nodes: nodes(both) }));
  await bench.run(60);
  bench.node("spare").nodeId = "NodeID-main";
  await bench.run(120);
  expect(await bench.value('avax_node_replaced{node="spare"}')).toBe(0);
  const series = await bench.series();
  expect(series.get('avax_node_id_shared{network="local",node="main",others="spare"}')).toBe(1);
});

it("an ID of no configured node is that of a stranger", async () => {
  const bench = benchOf(["main", "spare"]);
  bench.poller.apply(configOf([], { nodes: nodes() }));
  await bench.run(60);
  bench.node("main").failing.set("*", REFUSED);
  bench.node("spare").nodeId = "NodeID-stranger";
  await bench.run(120);
  expect(await bench.value('avax_node_replaced{node="spare"}')).toBe(1);
});
