import { beforeAll, describe, expect, it } from "vitest";
import type { Config, NodeConfig } from "../../../src/config/config.ts";
import { defaultConfig } from "../../../src/config/default-config.ts";
import { nodesOf, partOfShard, shardOf, type Shard } from "../../../src/daemon/shard/shard.ts";
import { benchOf, configOf, nodeConfig, type Bench } from "../../support/engines.ts";
import { fakeNode, validatorOf } from "../../support/fake-client.ts";

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
    // Each process says of its own nodes whether any answers, and compares their clocks with its own.
    .filter(
      (key) =>
        !/endpoint="(info\.acps|platform\.getCurrentValidators(\.second)?|platform\.getValidatorFeeState(\.second)?)"|^avax_(nodes_all_down|exporter_clock_error)/.test(
          key,
        ),
    )
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
    expect(withoutReference(one)).not.toEqual([]);
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
    expect(others.flat().filter((key) => key.startsWith("avax_validator_stake_avax"))).not.toEqual([]);
    const configured = first.filter((key) =>
      /^avax_validator_stake_avax.*NodeID-(n0|n2|n4|stranger-mainnet)"/.test(key),
    );
    expect(configured).toHaveLength(4);
  });

  it("report no defect and no series twice", () => {
    for (const { counted } of shards) expect([counted.defects, counted.duplicates]).toEqual([[], 0]);
  });
});

describe("a network with few nodes for its shards", () => {
  const TOTAL = 4;
  const names = Array.from({ length: 60 }, (_, at) => `n${at}`);
  const [lonely = ""] = names.filter((name) => shardOf(name, TOTAL) === 2);
  const others = names.filter((name) => shardOf(name, TOTAL) === 3).slice(0, 3);
  const LAG = `avax_chain_lag_blocks{node="${lonely}",chain="P"}`;
  const VALIDATORS = 'avax_validators{network="mainnet",subnet="primary"}';

  async function started(index: number, more: Partial<NodeConfig> = {}): Promise<Bench> {
    const nodes = [...others, lonely].map((name) => nodeConfig(name, { network: "mainnet", ...more }));
    const config = configOf([], { nodes });
    const bench = benchOf([], { ...sharing({ index, total: TOTAL }), nodes: fakes(config) });
    for (const [name, node] of bench.nodes) node.height = name === lonely ? 100 : 150;
    bench.poller.apply(config);
    await bench.run(60);
    return bench;
  }

  it("compares only the nodes of each shard, and has no facts in a first shard without its nodes", async () => {
    const bench = await started(2);
    expect(bench.poller.status().targets.map(({ name }) => name)).toEqual([lonely]);
    expect(await bench.value(LAG)).toBeUndefined();
    expect(await (await started(0)).value(VALIDATORS)).toBeUndefined();
  });

  it("is compared and exported whole when its nodes are pinned to the first shard", async () => {
    const bench = await started(0, { shard: 0 });
    expect(await bench.value(LAG)).toBe(50);
    expect(await bench.value(VALIDATORS)).toBe(5);
    expect((await started(2, { shard: 0 })).poller.status().targets).toEqual([]);
  });
});
