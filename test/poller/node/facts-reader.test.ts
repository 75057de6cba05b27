import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import { networkFacts, factsReader, type KnownNode } from "../../../src/poller/node/facts-reader.ts";
import { configOf, nodeConfig } from "../../support/engines.ts";

const known = (name: string, nodeId = `NodeID-${name}`, networkName = "local"): KnownNode => ({
  config: nodeConfig(name),
  identity: { nodeId, networkName },
});
const factsOfAll = (config: Config, nodes: readonly KnownNode[]) => nodes.map(factsReader(config, nodes));
const SUBNET = { id: "S1", name: "perm", chains: [{ id: "chain1", name: "perm1", evm: false }] };

describe("observers", () => {
  it("are the configured number for each validator, and each node observes that number of validators", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 12 }), (size, observers) => {
        const nodes = Array.from({ length: size }, (_, at) => known(`n${at}`));
        const config = configOf([], { watch: { ...configOf([]).watch, observers } });
        const all = factsOfAll(config, nodes);
        const expected = Math.min(observers, size);
        for (const { config } of nodes) {
          const id = `NodeID-${config.name}`;
          expect(all.filter(({ watch }) => watch.includes(id))).toHaveLength(expected);
        }
        for (const { watch, nodeId } of all) {
          expect(watch).toHaveLength(expected);
          expect(watch).toContain(nodeId);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("are of the same network", () => {
    const [a, b] = factsOfAll(configOf([]), [known("a", "NodeID-a", "local"), known("b", "NodeID-b", "fuji")]);
    expect(a?.watch).toEqual(["NodeID-a"]);
    expect(b?.watch).toEqual(["NodeID-b"]);
    expect(a?.watchNetwork).toEqual(["NodeID-a"]);
  });

  it("count a node that is polled under two names once", () => {
    const all = factsOfAll(configOf([]), [known("a", "NodeID-x"), known("b", "NodeID-x"), known("c")]);
    expect(all.map(({ watch }) => watch)).toEqual([
      ["NodeID-x", "NodeID-c"],
      ["NodeID-x", "NodeID-c"],
      ["NodeID-c", "NodeID-x"],
    ]);
  });
});

describe("a node that answers with the ID of another one", () => {
  const NAMES = ["a", "b", "c", "d", "e", "f"];
  const fleet = (more: Readonly<Record<string, Partial<KnownNode>>> = {}) =>
    NAMES.map((name): KnownNode => ({ ...known(name), ...more[name] }));
  const config = configOf([], { watch: { ...configOf([]).watch, observers: 3 } });
  const claims = (name: string) => ({ identity: { nodeId: `NodeID-${name}`, networkName: "local" } });
  const namesOf = (nodes: readonly KnownNode[]) =>
    [...(factsOfAll(config, nodes)[0]?.watchDetails ?? [])].map(([id, { node }]) => [id.slice("NodeID-".length), node]);

  it("takes no observer from the others, and gives them nothing to ask but that ID", () => {
    const observersOf = (nodes: readonly KnownNode[], id: string) =>
      factsOfAll(config, nodes).flatMap(({ node, watch }) => (watch.includes(`NodeID-${id}`) ? [node] : []));
    for (const liar of NAMES) {
      for (const victim of NAMES) {
        const lying = fleet({ [liar]: claims(victim) });
        for (const id of NAMES) {
          if (id === liar && id !== victim) continue;
          expect(observersOf(lying, id)).toEqual(expect.arrayContaining(observersOf(fleet(), id)));
          if (id !== victim) expect(observersOf(lying, id)).toEqual(observersOf(fleet(), id));
        }
      }
    }
  });

  it("does not take its name, when its ID has changed or the other's is configured", () => {
    const own = NAMES.map((name) => [name, name]);
    expect(namesOf(fleet())).toEqual(own);
    const lying = { ...claims("d"), replaced: true };
    const others = (found: ReadonlyArray<readonly (string | undefined)[]>) =>
      found.toSorted().filter(([id]) => id !== "b");
    const expected = others(own);
    expect(others(namesOf(fleet({ b: lying })))).toEqual(expected);
    const configured = { config: nodeConfig("d", { nodeId: "NodeID-d" }), replaced: true };
    expect(others(namesOf(fleet({ b: claims("d"), d: configured })))).toEqual(expected);
    // Of two that never changed it, neither is known to be wrong: the first one of the configuration.
    expect(Object.fromEntries(namesOf(fleet({ b: claims("d") })))).toMatchObject({ d: "b", a: "a", c: "c" });
  });
});

describe("the facts of a node", () => {
  it("watch the configured validators on every node, with a known identity or not", () => {
    const config = configOf([], { watch: { ...configOf([]).watch, validators: ["NodeID-w"] } });
    const unknown: KnownNode = { config: nodeConfig("new"), identity: { nodeId: undefined, networkName: undefined } };
    const [a, b] = factsOfAll(config, [known("a"), unknown]);
    expect(a).toMatchObject({
      watch: ["NodeID-w", "NodeID-a"],
      watchNetwork: ["NodeID-w", "NodeID-a"],
      watchConfigured: ["NodeID-w"],
    });
    expect(b).toMatchObject({ watch: ["NodeID-w"], watchNetwork: ["NodeID-w"], network: undefined });
  });

  it("have the name, the polled node and the reward addresses of each watched validator", () => {
    const watch = {
      ...configOf([]).watch,
      validators: ["NodeID-w", "NodeID-a"],
      validatorDetails: [
        { nodeId: "NodeID-w", name: "whale", rewardAddresses: ["P-local1w"] },
        { nodeId: "NodeID-a", rewardAddresses: ["P-local1a"] },
        { nodeId: "NodeID-b", name: "bee", rewardAddresses: [] },
        { nodeId: "NodeID-stranger", name: "stranger", rewardAddresses: [] },
      ],
    };
    const [facts] = factsOfAll(configOf([], { watch }), [known("a"), known("b"), known("c"), known("d", "NodeID-c")]);
    expect([...(facts?.watchDetails ?? [])]).toEqual([
      ["NodeID-w", { name: "whale", node: "", rewardAddresses: ["P-local1w"] }],
      ["NodeID-a", { name: "a", node: "a", rewardAddresses: ["P-local1a"] }],
      ["NodeID-b", { name: "bee", node: "b", rewardAddresses: [] }],
      ["NodeID-c", { name: "c", node: "c", rewardAddresses: [] }],
    ]);
  });

  it("know a watched validator as the node of the same network, by its configured ID until it answers", () => {
    const watch = { ...configOf([]).watch, validators: ["NodeID-w"] };
    const node = (name: string, network: string, nodeId?: string) =>
      nodeConfig(name, { network, ...(nodeId === undefined ? {} : { nodeId }) });
    const unknown = { nodeId: undefined, networkName: undefined };
    const details = (config: Config, ...nodes: readonly KnownNode[]) =>
      factsOfAll(config, nodes).map(({ watchDetails }) => watchDetails.get("NodeID-w")?.node);
    const fuji = known("f", "NodeID-w", "fuji");
    const silent: KnownNode = { config: node("m", "mainnet", "NodeID-w"), identity: unknown };
    expect(details(configOf([], { watch }), fuji, silent)).toEqual(["f", "m"]);
    // A node of another process, with and without a configured ID.
    const elsewhere = (nodeId?: string) => configOf([], { watch, nodes: [node("m", "mainnet", nodeId)] });
    const here: KnownNode = { config: node("h", "mainnet"), identity: unknown };
    expect(details(elsewhere("NodeID-w"), here)).toEqual(["m"]);
    expect(details(elsewhere(), here)).toEqual([""]);
  });

  it("count the configured ID of a node that has not answered, or that another node answers for", () => {
    const silent = (name: string, network?: string): KnownNode => ({
      config: nodeConfig(name, { nodeId: `NodeID-${name}`, ...(network === undefined ? {} : { network }) }),
      identity: { nodeId: undefined, networkName: undefined },
    });
    const replaced: KnownNode = {
      config: nodeConfig("c", { nodeId: "NodeID-c" }),
      identity: { nodeId: "NodeID-other", networkName: "local" },
    };
    const [a, b, c] = factsOfAll(configOf([]), [known("a"), silent("b", "local"), replaced]);
    const ids = ["NodeID-a", "NodeID-b", "NodeID-c"];
    expect([a?.nodeId, b?.nodeId, c?.nodeId]).toEqual(ids);
    expect(a?.watch).toEqual(ids);
    expect(b?.watch).toEqual(["NodeID-b", "NodeID-c", "NodeID-a"]);
    expect(a?.watchNetwork).toEqual(ids);
    expect(ids.map((id) => a?.watchDetails.get(id)?.node)).toEqual(["a", "b", "c"]);

    // Where its network is not known either, it is watched in every known one, and observes nothing itself.
    const [local, fuji, unknown] = factsOfAll(configOf([]), [known("a"), known("f", "NodeID-f", "fuji"), silent("b")]);
    expect(local?.watchNetwork).toEqual(["NodeID-a", "NodeID-b"]);
    expect(fuji?.watchNetwork).toEqual(["NodeID-f", "NodeID-b"]);
    expect(fuji?.watchDetails.get("NodeID-b")?.node).toBe("b");
    expect(unknown).toMatchObject({ nodeId: "NodeID-b", network: undefined, watch: [], watchNetwork: [] });
  });

  it("have the configured network rather than the reported one", () => {
    const node = { config: nodeConfig("a", { network: "mine" }), identity: { nodeId: "N", networkName: "local" } };
    expect(factsOfAll(configOf([]), [node])[0]?.network).toBe("mine");
  });

  it.each([
    ["Main", undefined, 1, "mainnet", 43114],
    ["mainnet", "prod-mainnet", 1, "mainnet", 43114],
    ["mainnet", "mainnet", 12345, "local", 43112],
    ["mainnet", "mainnet", 424242, undefined, undefined],
    ["fuji", undefined, undefined, "fuji", 43113],
  ] as const)(
    "take the network %s, named %s by the user, with the ID %s for %s",
    (networkName, network, networkId, knownNetwork, chainId) => {
      const config = nodeConfig("a", network === undefined ? {} : { network });
      const [facts] = factsOfAll(configOf([]), [{ config, identity: { nodeId: "N", networkName, networkId } }]);
      expect(facts).toMatchObject({ network: network ?? networkName, knownNetwork });
      expect(facts?.evmChains[0]?.chainId).toBe(chainId);
    },
  );

  it("have P, X, C and the chains of the served subnets", () => {
    const node = { config: nodeConfig("a", { subnets: ["S1"] }), identity: { nodeId: "N", networkName: "local" } };
    const other = { id: "S2", name: "other", chains: [] };
    const [facts] = factsOfAll(configOf([], { subnets: [SUBNET, other] }), [node]);
    expect(facts?.chains).toEqual([
      { id: "P", label: "P", subnet: "primary" },
      { id: "X", label: "X", subnet: "primary" },
      { id: "C", label: "C", subnet: "primary" },
      { id: "chain1", label: "perm1", subnet: "S1" },
    ]);
    expect(facts?.subnets.map(({ id }) => id)).toEqual(["S1"]);
  });

  it("of a network have every subnet that one of its nodes serves, the reference node or another", () => {
    const config = configOf([], { subnets: ["S1", "S2", "S3", "S4"].map((id) => ({ ...SUBNET, id })) });
    const serving = (name: string, subnets: readonly string[], network = "local"): KnownNode => ({
      ...known(name, undefined, network),
      config: { ...nodeConfig(name), subnets },
    });
    const nodes = [serving("a", []), serving("b", ["S1"]), serving("c", ["S2"]), serving("d", ["S3"], "fuji")];
    const [reference] = factsOfAll(config, nodes);
    expect(reference?.subnets).toEqual([]);
    expect(reference && networkFacts(config, reference).subnets.map(({ id }) => id)).toEqual(["S1", "S2"]);
  });

  it("expect configured validators in their network, and in none when several are possible", () => {
    const watch = {
      validators: ["NodeID-w"],
      validatorsByNetwork: { fuji: ["NodeID-f"] },
      validatorDetails: [],
      observers: 5,
      addresses: [],
    };
    const config = configOf([], { watch });
    const one = factsOfAll(config, [known("a")]);
    expect(one.map(({ watchConfigured }) => watchConfigured)).toEqual([["NodeID-w"]]);
    const two = factsOfAll(config, [known("a"), known("b", "NodeID-b", "fuji")]);
    expect(two.map(({ watchConfigured }) => watchConfigured)).toEqual([[], ["NodeID-f"]]);
    expect(two.map(({ watch: watched }) => watched)).toEqual([
      ["NodeID-w", "NodeID-a"],
      ["NodeID-w", "NodeID-f", "NodeID-b"],
    ]);
  });
});
