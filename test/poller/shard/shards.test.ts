import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { keyedEndpoint } from "../../../src/api/endpoint.ts";
import type { Config } from "../../../src/config/config.ts";
import { defaultConfig } from "../../../src/config/default-config.ts";
import { gauges } from "../../../src/topics/define/metric.ts";
import { topic } from "../../../src/topics/define/topic.ts";
import { nodesOf, partOfShard, shardOf, type Shard } from "../../../src/poller/shard/shard.ts";
import { benchOf, configOf, coreCatalogue, nodeConfig, type Bench } from "../../support/engines.ts";
import { fakeNode, REFUSED, validatorOf } from "../../support/fake-client.ts";

/** Several processes that share a fleet, each on a fake clock of its own. */

function benches(config: Config, total: number): readonly Bench[] {
  return Array.from({ length: total }, (_, index) =>
    benchOf([], { ...sharing({ index, total }), nodes: fakes(config) }),
  );
}
const sharing = (shard: Shard) => ({ part: partOfShard(shard), nodesOf: (config: Config) => nodesOf(config, shard) });

/** Fake nodes; the validators of a network are its nodes and one that is not polled. */
function fakes({ nodes }: Config) {
  const validators = (network: string | undefined) => [
    ...nodes.filter((node) => node.network === network).map(({ name }) => validatorOf(`NodeID-${name}`)),
    validatorOf(`NodeID-stranger-${network ?? ""}`),
  ];
  return new Map(
    nodes.map(({ name, network }) => [
      name,
      fakeNode(name, {
        networkName: network ?? "",
        validators: validators(network),
        peers: validators(network).map((each) => ({ ...each, observedUptime: "99" })),
      }),
    ]),
  );
}

async function keysOf(bench: Bench): Promise<readonly string[]> {
  return [...(await bench.series()).keys()];
}

async function running(config: Config, total: number): Promise<readonly Bench[]> {
  const all = benches(config, total);
  for (const bench of all) {
    bench.poller.apply(config);
    await bench.run(130);
  }
  return all;
}

/** The series without the name of the reference node, which differs. */
const withoutReference = (keys: readonly string[]): readonly string[] =>
  keys
    .filter((key) => !/endpoint="(info\.acps|platform\.getCurrentValidators)"/.test(key))
    .map((key) => (key.startsWith("avax_network_reference_node") ? key.replace(/,node="[^"]*"/, "") : key))
    .sort();

const askedOf = (bench: Bench, name: string) => bench.nodes.get(name)?.asked.length ?? 0;

describe("three shards of forty nodes", () => {
  const nodes = Array.from({ length: 40 }, (_, at) =>
    nodeConfig(`n${at}`, {
      network: at % 2 === 0 ? "mainnet" : "fuji",
      // A shard knows the nodes of the others by their configured IDs.
      nodeId: `NodeID-n${at}`,
      labels: { at: String(at) },
    }),
  );
  const validatorsByNetwork = { mainnet: ["NodeID-stranger-mainnet", "NodeID-n0", "NodeID-n2", "NodeID-n4"] };
  // Each validator is only observed by itself, so that observers do not depend on the shards.
  const config = configOf([], { nodes, watch: { ...defaultConfig().watch, validatorsByNetwork, observers: 1 } });
  let one: readonly string[];
  let shards: readonly Bench[];
  let shown: ReadonlyArray<readonly string[]>;
  beforeAll(async () => {
    const [whole] = await running(config, 1);
    one = whole === undefined ? [] : await keysOf(whole);
    shards = await running(config, 3);
    shown = await Promise.all(shards.map(keysOf));
  });

  it("export together the series of one process, each once", () => {
    expect(withoutReference(one).length).toBeGreaterThan(2_000);
    expect(withoutReference(shown.flat())).toEqual(withoutReference(one));
  });

  it("poll each node in one shard", () => {
    for (const { name } of nodes) {
      expect(shards.map((bench) => askedOf(bench, name) > 0)).toEqual([0, 1, 2].map((at) => shardOf(name, 3) === at));
    }
  });

  it("export networks in the first shard, and each watched validator once", () => {
    const [first = [], ...others] = shown;
    expect(first).toContain('avax_validators{network="fuji",subnet="primary"}');
    expect(others.flat().filter((key) => /^avax_(validators|network|acp|subnet|upgrade)/.test(key))).toEqual([]);
    expect(others.flat().filter((key) => key.startsWith("avax_validator_stake_avax")).length).toBeGreaterThan(10);
    const configured = first.filter((key) =>
      /^avax_validator_stake_avax.*NodeID-(n0|n2|n4|stranger-mainnet)"/.test(key),
    );
    expect(configured).toHaveLength(4);
  });

  it("poll endpoints that only networks need in the first shard", () => {
    const names = (bench: Bench | undefined) =>
      new Set([...(bench?.nodes.values() ?? [])].flatMap(({ asked }) => asked.map(({ name }) => name)));
    expect(names(shards[0])).toContain("info.acps");
    expect(names(shards[1])).not.toContain("info.acps");
    expect(names(shards[1])).toContain("platform.getCurrentValidators");
  });

  it("report no defect and no series twice", () => {
    for (const { counted } of shards) expect([counted.defects, counted.duplicates]).toEqual([[], 0]);
  });
});

describe("a fleet with few nodes for its shards", () => {
  const TOTAL = 4;
  const names = Array.from({ length: 60 }, (_, at) => `n${at}`);
  const [lonely = ""] = names.filter((name) => shardOf(name, TOTAL) === 2);
  const others = names.filter((name) => shardOf(name, TOTAL) === 3).slice(0, 3);
  const config = configOf([], {
    nodes: [...others, lonely].map((name) => nodeConfig(name, { network: "mainnet" })),
  });
  const [a = "", b = ""] = others;

  async function started(index: number): Promise<Bench> {
    const bench = benchOf([], { ...sharing({ index, total: TOTAL }), nodes: fakes(config) });
    bench.poller.apply(config);
    await bench.run(40);
    return bench;
  }

  it("compares a node that is alone in its shard with auxiliary nodes, and exports only their observations", async () => {
    const bench = await started(2);
    for (const [name, node] of bench.nodes) node.height = name === lonely ? 100 : 150;
    await bench.run(60);
    expect(await bench.value(`avax_chain_lag_blocks{node="${lonely}",chain="P"}`)).toBe(50);
    const keys = await keysOf(bench);
    const exported = keys.filter((key) => key.includes(`node="${a}"`)).map((key) => key.slice(0, key.indexOf("{")));
    expect([...new Set(exported)].sort()).toEqual([
      "avax_auxiliary_endpoint_up",
      "avax_validator_attainable_uptime_ratio",
      "avax_validator_connected",
      "avax_validator_downtime_budget_remaining_seconds",
      "avax_validator_uptime_margin",
      "avax_validator_uptime_ratio",
    ]);
    expect(keys).toContain(
      `avax_validator_uptime_ratio{node="${a}",network="mainnet",subnet="primary",node_id="NodeID-${lonely}"}`,
    );
    expect(keys.filter((key) => key.includes(`node="${others[2] ?? ""}"`))).toEqual([]);
    expect(keys.filter((key) => key.startsWith("avax_validator_stake_avax"))).toEqual([
      `avax_validator_stake_avax{network="mainnet",subnet="primary",node_id="NodeID-${lonely}"}`,
    ]);
  });

  it("polls an auxiliary node only for comparisons", async () => {
    const { nodes } = await started(2);
    const asked = new Set(nodes.get(a)?.asked.map(({ name }) => name));
    expect([...asked].sort()).toEqual([
      "GET /ext/health",
      "info.getBlockchainID",
      "info.getNodeID",
      "info.isBootstrapped",
      "info.peers",
      "info.upgrades",
      "platform.getCurrentValidators",
      "platform.getHeight",
    ]);
  });

  it("lists auxiliary nodes apart from nodes", async () => {
    const { poller } = await started(2);
    const { targets, auxiliary, networks } = poller.status();
    expect(targets.map(({ name }) => name)).toEqual([lonely]);
    expect(auxiliary?.map(({ name }) => name)).toEqual([a, b]);
    expect(networks).toEqual([{ name: "mainnet", referenceNode: lonely, nodes: 1 }]);
  });

  it("exports the network in the first shard without own nodes, and continues when an auxiliary node fails", async () => {
    const bench = await started(0);
    const validators = 'avax_validators{network="mainnet",subnet="primary"}';
    expect(await bench.value(validators)).toBe(5);
    expect(await bench.value(`avax_network_reference_node{network="mainnet",node="${a}"}`)).toBe(1);
    expect((await keysOf(bench)).filter((key) => /^avax_node_(up|configured|healthy)/.test(key))).toEqual([]);
    bench.node(a).failing.set("*", REFUSED);
    await bench.run(120);
    expect(await bench.value(`avax_network_reference_node{network="mainnet",node="${b}"}`)).toBe(1);
    expect(await bench.value(`avax_auxiliary_endpoint_up{node="${a}",api_endpoint="health"}`)).toBe(0);
    expect(await bench.value(`avax_auxiliary_endpoint_up{node="${b}",api_endpoint="health"}`)).toBe(1);
    expect(await bench.value(validators)).toBe(5);
  });

  it("drops an auxiliary node that the configuration removes, and chooses another", async () => {
    const bench = await started(2);
    const whole = { ...config, nodes: config.nodes.filter(({ name }) => name !== a) };
    bench.poller.apply(whole);
    await bench.run(40);
    expect((await keysOf(bench)).filter((key) => key.includes(`node="${a}"`))).toEqual([]);
    expect(bench.poller.status().auxiliary?.map(({ name }) => name)).toEqual(others.slice(1));
  });
});

describe("a chain that only nodes of other shards serve", () => {
  const Heights = keyedEndpoint<number>({
    id: "health.chains",
    about: "Heights.",
    scope: "network",
    methods: [],
    every: 15,
    timeout: 5,
    byChain: true,
    keys: ({ evmChains }) => evmChains.map(({ id }) => id),
    ask: (api, chain) => api.call(METHOD, { chain }),
  });
  const METHOD = {
    name: "test.height",
    path: "/",
    about: "",
    params: z.object({ chain: z.string() }),
    result: z.number(),
  };
  const heights = topic(
    { id: "test-heights", about: "?", scope: "network", needs: { chains: Heights } },
    {
      height: gauges("avax_test_height", "x", ["chain"], ({ chains }) =>
        [...chains].map(([chain, height]) => [{ chain }, height] as const),
      ),
    },
  );
  const at = (index: number) =>
    Array.from({ length: 40 }, (_, n) => `n${n}`).filter((name) => shardOf(name, 2) === index);
  const subnets = [{ id: "S", name: "s", chains: [{ id: "L", name: "l1", evm: true }] }];
  const nodes = [
    ...at(0)
      .slice(0, 4)
      .map((name) => nodeConfig(name, { network: "mainnet" })),
    ...at(1)
      .slice(0, 4)
      .map((name) => nodeConfig(name, { network: "mainnet", subnets: ["S"] })),
  ];
  const config = configOf([], { nodes, subnets });

  it("is polled on one of them by the first shard, and only exported there", async () => {
    const shards = [0, 1].map((index) =>
      benchOf([], { ...sharing({ index, total: 2 }), nodes: fakes(config), catalogue: coreCatalogue(heights) }),
    );
    for (const bench of shards) {
      for (const node of bench.nodes.values()) node.instead.set("test.height", 5);
      bench.poller.apply(config);
      await bench.run(40);
      // In the first second the first node that answers is polled.
      for (const node of bench.nodes.values()) node.asked.length = 0;
      await bench.run(40);
    }
    const exported = await Promise.all(shards.map(keysOf));
    expect(exported.map((keys) => keys.filter((key) => key.startsWith("avax_test_height")))).toEqual([
      ['avax_test_height{network="mainnet",chain="C"}', 'avax_test_height{network="mainnet",chain="L"}'],
      [],
    ]);
    const askedFor = shards.map((bench) =>
      [...bench.nodes].flatMap(([name, { asked }]) =>
        asked.some((each) => each.name === "test.height" && each.params.includes('"L"')) ? [name] : [],
      ),
    );
    expect(askedFor).toEqual([at(1).slice(0, 1), []]);
  });
});
