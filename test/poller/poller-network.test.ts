import { Acps } from "../../src/api/node/info.ts";
import { describe, expect, it } from "vitest";
import { gauge } from "../../src/topics/define/metric.ts";
import { topic } from "../../src/topics/define/topic.ts";
import { Health } from "../../src/api/node/health.ts";
import { benchOf, configOf, coreCatalogue, nodeConfig, type Bench } from "../support/engines.ts";
import { REFUSED, TIMEOUT, validatorOf, type FakeNode } from "../support/fake-client.ts";

async function started(names: readonly string[], seconds = 40): Promise<Bench> {
  const bench = benchOf(names);
  bench.poller.apply(configOf(names));
  await bench.run(seconds);
  return bench;
}

const VALIDATORS = 'avax_validators{network="local",subnet="primary"}';
const referenceOf = (bench: Bench) => bench.poller.status().networks.map(({ referenceNode }) => referenceNode);
const setsAsked = (bench: Bench, name: string) =>
  bench
    .node(name)
    .asked.filter(({ name: method, params }) => method === "platform.getCurrentValidators" && params === "{}").length;
const of = (series: ReadonlyMap<string, number>, ...words: readonly string[]) =>
  [...series].filter(([name]) => words.every((word) => name.includes(word)));

it.each([
  ["constructor", "constructor"],
  ["testnet", "fuji"],
])("a network that a node calls %s is %s", async (networkName, network) => {
  const bench = benchOf(["a"]);
  bench.node("a").instead.set("info.getNetworkName", { networkName });
  bench.poller.apply(configOf(["a"]));
  await bench.run(20);
  expect(await bench.value(`avax_node_up{node="a",network="${network}"}`)).toBe(1);
  expect(bench.counted.defects).toEqual([]);
});

it("the rules of mainnet hold for network 1, whatever it is called", async () => {
  const bench = benchOf(["a"]);
  bench.node("a").instead.set("info.getNetworkID", { networkID: "1" });
  bench.node("a").instead.set("info.getNodeIP", { ip: "10.0.0.5:9651" });
  const config = configOf(["a"]);
  bench.poller.apply({ ...config, nodes: config.nodes.map((node) => ({ ...node, network: "prod-mainnet" })) });
  await bench.run(20);
  const labels = 'node="a",network="prod-mainnet",ip="10.0.0.5:9651"';
  expect(await bench.value(`avax_node_private_ip_info{${labels}}`)).toBe(1);
});

it("a public server is not asked what concerns one node alone, and is no node that was replaced", async () => {
  const bench = benchOf(["a"]);
  const config = configOf(["a"]);
  bench.poller.apply({ ...config, nodes: config.nodes.map((node) => ({ ...node, publicServer: true })) });
  await bench.run(60);
  bench.node("a").nodeId = "NodeID-other";
  await bench.run(60);
  const asked = new Set(bench.node("a").asked.map(({ name }) => name));
  for (const name of ["GET /ext/health", "info.getNodeID", "info.getNodeIP", "info.getVMs"])
    expect(asked).not.toContain(name);
  expect(asked).toContain("info.peers");
  const series = await bench.series();
  expect(of(series, "avax_endpoint_", '"health')).toEqual([]);
  expect(of(series, "avax_node_replaced")).toEqual([]);
  expect(await bench.value('avax_node_up{node="a",network="local"}')).toBe(1);
});

describe("the reference node of a network", () => {
  it("is the only node that is polled for network facts, but for a second one that confirms what pages", async () => {
    const bench = await started(["a", "b", "c"]);
    expect(referenceOf(bench)).toEqual(["a"]);
    for (const { asked } of bench.nodes.values()) asked.length = 0;
    await bench.run(180);
    expect(setsAsked(bench, "a")).toBe(3);
    expect([setsAsked(bench, "b"), setsAsked(bench, "c")]).toEqual([3, 0]);
  });

  it("is replaced at once when it fails, and the series of the network stay", async () => {
    const bench = await started(["a", "b"], 130);
    bench.node("a").failing.set("*", REFUSED);
    for (let second = 0; second < 300; second++) {
      await bench.run(1);
      expect(await bench.value(VALIDATORS), `after ${second + 1} s`).toBe(1);
    }
    expect(referenceOf(bench)).toEqual(["b"]);
    expect(setsAsked(bench, "b")).toBeGreaterThan(3);
  });

  it("keeps the failures of its network polls counted when another one replaces it", async () => {
    const bench = await started(["a", "b"]);
    bench.node("a").failing.set("platform.getCurrentValidators", TIMEOUT);
    await bench.run(200);
    const failures = 'avax_poll_failures_total{node="a",network="local",reason="timeout"}';
    let before = (await bench.value(failures)) ?? NaN;
    expect(before).toBeGreaterThan(0);
    bench.node("b").height = 130;
    for (let second = 0; second < 120; second++) {
      await bench.run(1);
      const now = (await bench.value(failures)) ?? NaN;
      expect(now, `after ${second + 1} s`).toBeGreaterThanOrEqual(before);
      before = now;
    }
    expect(referenceOf(bench)).toEqual(["b"]);
  });

  it("is replaced after a minute when it falls behind", async () => {
    const bench = await started(["a", "b"]);
    bench.node("b").height = 130;
    await bench.run(50);
    expect(referenceOf(bench)).toEqual(["a"]);
    await bench.run(60);
    expect(referenceOf(bench)).toEqual(["b"]);
    expect(await bench.value(VALIDATORS)).toBe(1);
    expect(await bench.value('avax_chain_lag_blocks{node="a",chain="P"}')).toBe(30);
    expect(await bench.value('avax_chain_lag_blocks{node="b",chain="P"}')).toBe(0);
    bench.node("b").failing.set("*", REFUSED);
    await bench.run(20);
    expect(referenceOf(bench)).toEqual(["a"]);
  });

  it("is replaced when its height jumps beyond what time allows, and the others do not lag because of it", async () => {
    const bench = await started(["a", "b", "c"]);
    bench.node("a").height += 1_000_000;
    await bench.run(120);
    expect(referenceOf(bench)).toEqual(["b"]);
    const unconfirmed = of(await bench.series(), "unconfirmed", 'chain="P"');
    expect(unconfirmed).toEqual([[expect.stringContaining('node="a"'), 1_000_000]]);
    expect(of(await bench.series(), "behind_since")).toEqual([]);
    bench.node("a").height -= 1_000_000;
    await bench.run(30);
    expect(referenceOf(bench)).toEqual(["a"]);
    expect(await bench.value('avax_chain_lag_blocks{node="a",chain="P"}')).toBe(0);
  });

  it("is replaced when it begins to bootstrap", async () => {
    const bench = await started(["a", "b"]);
    bench.node("a").bootstrapped = false;
    await bench.run(20);
    expect(referenceOf(bench)).toEqual(["b"]);
  });

  it("is missing while no node that answers is bootstrapped, which is unknown while none answers", async () => {
    const bench = await started(["a", "b"]);
    const without = () => bench.value('avax_network_without_reference_node{network="local"}');
    const bootstrapping = (node: string) => bench.value(`avax_node_bootstrapping{node="${node}",network="local"}`);
    expect([await without(), await bootstrapping("a")]).toEqual([0, 0]);
    for (const node of bench.nodes.values()) node.bootstrapped = false;
    await bench.run(60);
    expect([await without(), await bootstrapping("a")]).toEqual([1, 1]);
    bench.node("b").bootstrapped = true;
    await bench.run(60);
    expect([await without(), await bootstrapping("a"), await bootstrapping("b")]).toEqual([0, 1, 0]);
    for (const node of bench.nodes.values()) node.failing.set("*", REFUSED);
    await bench.run(60);
    expect([await without(), await bootstrapping("a")]).toEqual([undefined, undefined]);
  });

  it("is undefined when no node is up: network facts expire after three intervals, and return with the node", async () => {
    const bench = await started(["a", "b"], 130);
    for (const name of ["a", "b"]) bench.node(name).failing.set("*", REFUSED);
    await bench.run(60);
    expect(referenceOf(bench)).toEqual([undefined]);
    expect(await bench.value(VALIDATORS)).toBe(1);
    await bench.run(200);
    expect(await bench.value(VALIDATORS)).toBeUndefined();
    for (const name of ["a", "b"]) bench.node(name).failing.clear();
    await bench.run(70);
    expect(referenceOf(bench)).toEqual(["a"]);
    expect(await bench.value(VALIDATORS)).toBe(1);
  });

  it("is chosen for each network", async () => {
    const bench = benchOf(["a", "b"]);
    bench.node("b").networkName = "fuji";
    bench.poller.apply(configOf(["a", "b"]));
    await bench.run(20);
    expect(bench.poller.status().networks).toEqual([
      { name: "local", referenceNode: "a", nodes: 1 },
      { name: "fuji", referenceNode: "b", nodes: 1 },
    ]);
    expect(await bench.value('avax_validators{network="fuji",subnet="primary"}')).toBe(1);
    expect(of(await bench.series(), "avax_chain_lag_blocks")).toEqual([]);
    bench.poller.apply(configOf(["a"]));
    await bench.run(2);
    expect(of(await bench.series(), "fuji")).toEqual([]);
  });
});

describe("a network whose last node leaves", () => {
  it.each(["up", "down"])("loses its series, when the node was %s", async (state) => {
    const bench = benchOf(["a", "b"]);
    bench.node("b").networkName = "fuji";
    bench.poller.apply(configOf(["a", "b"]));
    await bench.run(70);
    if (state === "down") bench.node("b").failing.set("*", REFUSED);
    await bench.run(20);
    expect(of(await bench.series(), 'network="fuji"').length).toBeGreaterThan(5);
    bench.poller.apply(configOf(["a"]));
    await bench.run(5);
    expect(of(await bench.series(), 'network="fuji"')).toEqual([]);
  });
});

describe("another node at the same address", () => {
  it("drops the answers of the previous one at once, and is counted", async () => {
    const bench = await started(["a", "b"], 130);
    bench.node("a").instead.set("info.getNodeVersion", { version: "avalanchego/9.9.9", vmVersions: {} });
    bench.node("a").failing.set("info.peers", TIMEOUT);
    expect(await bench.value('avax_node_peers{node="a"}')).toBe(0);
    bench.node("a").nodeId = "NodeID-other";
    for (let second = 0; second < 16; second++) {
      await bench.run(1);
      const mixed = of(await bench.series(), 'avax_node_info{node="a"', "NodeID-other", "1.15.0");
      expect(mixed).toEqual([]);
    }
    const series = await bench.series();
    expect(of(series, 'avax_node_info{node="a"', "NodeID-other", "9.9.9")).toHaveLength(1);
    expect(series.get('avax_node_id_changes_total{node="a",network="local"}')).toBe(1);
    expect(series.get('avax_node_peers{node="a",network="local"}')).toBeUndefined(); // the answer of the previous node has not expired yet
    expect(bench.logged).toContain("a different node answers at this address");
  });

  it("is polled about everything within an interval when the node ID has changed several times and then stays", async () => {
    const bench = await started(["a"], 130);
    for (const nodeId of ["NodeID-other", "NodeID-third", "NodeID-a"]) {
      bench.node("a").nodeId = nodeId;
      await bench.run(16);
    }
    const changed = bench.clock.now() - 16;
    await bench.run(300);
    const polls = bench.poller.status().targets.flatMap(({ endpoints }) => endpoints);
    // An answer about the network stays: any node of it could have given it.
    const isOfNode = ({ id }: { readonly id: string }): boolean => id.startsWith("info.") && id !== Acps.id;
    const left = polls.filter((poll) => isOfNode(poll) && (poll.lastSuccess ?? 0) < changed);
    expect(left.map(({ id }) => id)).toEqual([]);
  });

  it.each<readonly [string, (node: FakeNode) => void]>([
    [
      "changes with every answer",
      (node) => {
        let count = 0;
        Object.defineProperty(node, "nodeId", { get: () => `NodeID-${count++ % 2}` });
      },
    ],
    [
      "is another one in info.getNodeID than in the headers",
      ({ instead }) => instead.set("info.getNodeID", { nodeID: "NodeID-other" }),
    ],
  ])("is not polled more often while the node ID %s", async (_, lie) => {
    const bench = await started(["a", "b"], 130);
    const asked = () => bench.node("a").asked.length + bench.node("b").asked.length;
    const before = asked();
    await bench.run(120);
    const usual = asked() - before;
    lie(bench.node("a"));
    await bench.run(120);
    // The first change of a minute polls everything, also at the node that observes this one.
    const everything = new Set(bench.node("a").asked.map(({ name }) => name)).size;
    expect(asked() - before - usual).toBeLessThan(usual + 2 * 3 * everything);
  });

  it("fails with wrong_node when the configuration expects another node", async () => {
    const bench = benchOf(["a"]);
    bench.poller.apply({ ...configOf([]), nodes: [nodeConfig("a", { nodeId: "NodeID-a" })] });
    await bench.run(20);
    expect(await bench.value('avax_node_up{node="a"}')).toBe(1);
    bench.node("a").nodeId = "NodeID-other";
    await bench.run(16);
    expect(await bench.value('avax_node_up{node="a"}')).toBe(0);
    expect(await bench.value('avax_poll_failures_total{node="a",reason="wrong_node"}')).toBe(9);
    expect(of(await bench.series(), "NodeID-other")).toEqual([]);
  });
});

describe("a defective metric", () => {
  const defective = topic(
    { id: "defective", about: "Is a defect contained?", scope: "node", needs: { report: Health } },
    {
      broken: gauge("avax_test_broken", "Throws.", () => {
        throw new RangeError("defect");
      }),
      sound: gauge("avax_test_sound", "Does not throw.", ({ report }) => report.healthy),
    },
  );

  it("is contained, counted and logged; everything else is exported", async () => {
    const bench = benchOf(["a"], { catalogue: coreCatalogue(defective) });
    bench.poller.apply(configOf(["a"]));
    await bench.run(20);
    const series = await bench.series();
    expect(series.get('avax_test_sound{node="a",network="local"}')).toBe(1);
    expect(series.get('avax_node_healthy{node="a",network="local"}')).toBe(1);
    expect(of(series, "avax_test_broken")).toEqual([]);
    expect(new Set(bench.counted.defects)).toEqual(new Set(["defective"]));
    expect(bench.logged).toContain("defect in a metric");
  });
});

describe("the watch list", () => {
  it("includes the node IDs that nodes report, and each node is polled about its share", async () => {
    const bench = benchOf(["a", "b", "c"]);
    const sets = ["a", "b", "c"].map((name) => validatorOf(`NodeID-${name}`));
    for (const name of ["a", "b", "c"]) bench.node(name).validators = sets;
    bench.poller.apply(configOf(["a", "b", "c"], { watch: { ...configOf([]).watch, observers: 2 } }));
    await bench.run(70);
    const asked = (name: string) =>
      new Set(
        bench
          .node(name)
          .asked.filter(({ params }) => params.includes("nodeIDs"))
          .map(({ params }) => params),
      );
    expect([...asked("a")].at(-1)).toBe('{"nodeIDs":["NodeID-a","NodeID-b"]}');
    expect([...asked("c")].at(-1)).toBe('{"nodeIDs":["NodeID-c","NodeID-a"]}');
    for (const name of ["a", "b", "c"]) {
      expect(
        await bench.value(
          `avax_validator_in_set{network="local",subnet="primary",node_id="NodeID-${name}",name="${name}",node="${name}"}`,
        ),
      ).toBe(1);
    }
  });
});
