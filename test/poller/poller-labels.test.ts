import { describe, expect, it } from "vitest";
import { benchOf, configOf, nodeConfig, withoutNetwork, type Bench } from "../support/engines.ts";
import { REFUSED, TIMEOUT, validatorOf } from "../support/fake-client.ts";

const ofNode = async (bench: Bench, name: string) =>
  [...(await bench.series()).keys()].filter((key) => key.includes(`node="${name}"`));
const networkOf = (key: string) => /[{,]network="([^"]*)"/.exec(key)?.[1];

/** Series that are there with a network and without one. */
function twice(keys: readonly string[]): readonly string[] {
  const bare = new Set(keys.filter((key) => networkOf(key) === undefined));
  return keys.filter((key) => networkOf(key) !== undefined && bare.has(withoutNetwork(key)));
}

describe("the label network of a node", () => {
  it("is on every series of the node, from the first one on", async () => {
    const bench = benchOf(["a", "b"]);
    bench.node("a").latency = 3;
    bench.poller.apply(configOf(["a", "b"]));
    for (let second = 0; second < 12; second++) {
      await bench.run(1);
      for (const name of ["a", "b"])
        expect((await ofNode(bench, name)).filter((key) => networkOf(key) !== "local")).toEqual([]);
    }
    expect(await ofNode(bench, "a")).not.toEqual([]);
    expect(await ofNode(bench, "b")).not.toEqual([]);
  });

  it("is absent where the node does not name its network, and replaced in each family when it does", async () => {
    const bench = benchOf(["a"]);
    bench.node("a").failing.set("info.getNetworkName", TIMEOUT).set("info.getNetworkID", TIMEOUT);
    bench.poller.apply(configOf(["a"], { endpoints: { "info.getNetworkName": { every: 10 } } }));
    await bench.run(30);
    const unnamed = await ofNode(bench, "a");
    expect(unnamed).not.toEqual([]);
    expect(unnamed.filter((key) => networkOf(key) !== undefined)).toEqual([]);
    bench.node("a").failing.clear();
    for (let second = 0; second < 30; second++) {
      await bench.run(1);
      expect(twice(await ofNode(bench, "a"))).toEqual([]);
    }
    const named = await ofNode(bench, "a");
    expect(named.length).toBeGreaterThanOrEqual(unnamed.length);
    expect(named.filter((key) => networkOf(key) !== "local")).toEqual([]);
  });

  it("stays while the node is down, and is the configured one before any other", async () => {
    const bench = benchOf(["a", "b"]);
    bench.poller.apply({ ...configOf(["a"]), nodes: [nodeConfig("a"), nodeConfig("b", { network: "staging" })] });
    await bench.run(20);
    for (const name of ["a", "b"]) bench.node(name).failing.set("*", REFUSED);
    await bench.run(60);
    const series = await bench.series();
    expect(series.get('avax_node_up{node="a",network="local"}')).toBe(0);
    expect(series.get('avax_node_up{node="b",network="staging"}')).toBe(0);
  });

  it("does not lose a count that began before it was known", async () => {
    const bench = benchOf(["a"]);
    bench.node("a").failing.set("info.getNetworkName", TIMEOUT).set("info.getNetworkID", TIMEOUT);
    bench.node("a").latency = 2;
    bench.poller.apply(configOf(["a"]));
    await bench.run(8);
    bench.node("a").nodeId = "NodeID-other";
    await bench.run(20);
    expect((await bench.series()).get('avax_node_id_changes_total{node="a"}')).toBe(1);
  });
});

describe("labels_on_series", () => {
  const nodes = [nodeConfig("a", { labels: { region: "eu", rack: "7" } }), nodeConfig("b")];
  const started = async (labelsOnSeries: readonly string[]) => {
    const bench = benchOf(["a", "b"]);
    for (const node of bench.nodes.values()) node.validators = ["a", "b"].map((name) => validatorOf(`NodeID-${name}`));
    bench.poller.apply(configOf([], { nodes, labelsOnSeries: [...labelsOnSeries] }));
    await bench.run(40);
    return bench;
  };

  it("puts the label on every series of the nodes that have it, and on no other", async () => {
    const keys = [...(await (await started(["region"])).series()).keys()];
    // What a node observes of a validator is a fact of the validator.
    const observed = /^avax_(l1_)?validator_/;
    const own = keys.filter(
      (key) => key.includes('node="a"') && !observed.test(key) && !key.startsWith("avax_network_"),
    );
    expect(own).not.toEqual([]);
    expect(own.some((key) => key.startsWith("avax_chain_lag_blocks"))).toBe(true);
    expect(own.filter((key) => !key.includes('region="eu"'))).toEqual([]);
    expect(keys.filter((key) => key.includes("region=") && !own.includes(key))).toEqual([]);
    expect(keys.filter((key) => key.includes("rack=") && !key.startsWith("avax_node_labels_info"))).toEqual([]);
  });

  it("changes nothing by default", async () => {
    const keys = [...(await (await started([])).series()).keys()];
    expect(keys.filter((key) => key.includes("region="))).toHaveLength(1);
  });
});
