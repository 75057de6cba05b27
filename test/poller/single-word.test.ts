import { beforeAll, describe, expect, it } from "vitest";
import { TOPICS } from "../../src/topics/all/topics.ts";
import { catalogueOf } from "../../src/topics/define/catalogue.ts";
import type { Config } from "../../src/config/config.ts";
import { benchOf, configOf, nodeConfig, type Bench } from "../support/engines.ts";
import { validatorOf, type FakeNode } from "../support/fake-client.ts";

/** One of five nodes lies about the network: nothing that pages about another one follows from it, whichever node it is. */

const NAMES = ["a", "b", "c", "d", "e"];
const KEY = "0xaa";
const L1 = { id: "S", name: "s", chains: [] };
const ENDPOINTS =
  /^(health|info|exporter|platform\.(getHeight|getTimestamp|getCurrentValidators|getValidatorFeeState))\b/;

const catalogue = (() => {
  const whole = catalogueOf(TOPICS);
  return { ...whole, endpoints: whole.endpoints.filter(({ id }) => ENDPOINTS.test(id)) };
})();

const memberOf = (name: string, more: object = {}) =>
  validatorOf(`NodeID-${name}`, {
    ...{ validationID: `v-${name}`, publicKey: KEY, balance: "500000000000", minNonce: "0", weight: "100" },
    ...{ endTime: undefined, delegationFee: undefined, delegatorWeight: undefined, potentialReward: undefined },
    ...more,
  });

/** Validators that are in both sets: the fake node answers the same to both questions. */
const honest = (): readonly object[] => NAMES.map((name) => memberOf(name));
const others = (liar: string, more: object): readonly object[] =>
  NAMES.map((name) => memberOf(name, name === liar ? {} : more));

const fee = (now: number, price = "512") => ({
  ...{ excess: "0", price },
  timestamp: new Date(now * 1000).toISOString(),
});

type Lie = (node: FakeNode, name: string, now: number) => void;
const LIES: Readonly<Record<string, Lie>> = {
  "other BLS keys": (node, name) => (node.validators = others(name, { publicKey: "0xbb" })),
  "no balance": (node, name) => (node.validators = others(name, { balance: "0" })),
  "hardly any balance": (node, name) => (node.validators = others(name, { balance: "1000" })),
  "nobody but itself": (node, name) => (node.validators = [memberOf(name)]),
  "an empty set": (node) => (node.validators = []),
  "a giant that is not connected": (node) =>
    (node.validators = [...honest(), memberOf("giant", { weight: "1000000" })]),
  "a price of a million times": (node, _name, now) =>
    node.instead.set("platform.getValidatorFeeState", fee(now, "512000000")),
  "a P-Chain of yesterday": (node, _name, now) => node.instead.set("platform.getValidatorFeeState", fee(now - 86_400)),
  "90 blocks more": (node) => (node.height += 90),
  "a height of 2^53 - 1": (node) => (node.height = 2 ** 53 - 1),
  "disconnected validators": (node, name) => (node.validators = others(name, { connected: false, uptime: "1.0" })),
  "nothing at all": (node) => node.failing.set("*", { reason: "rpc_error", message: "no", rpcMessage: "no" }),
};

/** Series whose values page, with their harmless value. */
const PAGES: ReadonlyArray<readonly [family: string, isHarmful: (value: number) => boolean]> = [
  ["avax_node_bls_key_wrong", (value) => value === 1],
  ["avax_l1_own_runway_seconds", (value) => value < 86_400],
  ["avax_validator_gone", (value) => value === 1],
  ["avax_subnet_quorum_lost", (value) => value === 1],
  ["avax_validator_disconnected_observers", (value) => value > 0],
  ["avax_l1_validator_offline", (value) => value === 1],
  ["avax_node_behind_seconds", (value) => value > 300],
  ["avax_chain_stalled_seconds", (value) => value > 0],
];

const pagesOf = (series: ReadonlyMap<string, number>, liar: string): readonly string[] =>
  [...series].flatMap(([key, value]) => {
    const isHarmful = PAGES.find(([family]) => key.startsWith(`${family}{`))?.[1];
    const isOwn = key.includes(`node="${liar}"`) || key.includes(`NodeID-${liar}"`);
    return isHarmful?.(value) === true && !isOwn ? [`${key} ${value}`] : [];
  });

const peer = (name: string, now: number) => ({
  ...{ nodeID: `NodeID-${name}`, version: "avalanchego/1.15.0", trackedSubnets: ["S"], observedUptime: "100" },
  ...{ lastSent: new Date(now * 1000).toISOString(), lastReceived: new Date(now * 1000).toISOString() },
});

async function started(more: Partial<Config> = {}): Promise<Bench> {
  const bench = benchOf(NAMES, { catalogue });
  for (const [name, node] of bench.nodes) {
    node.validators = honest();
    node.instead.set("platform.getValidatorFeeState", fee(bench.clock.now()));
    node.peers = NAMES.filter((each) => each !== name).map((each) => peer(each, bench.clock.now()));
  }
  const nodes = NAMES.map((name) => nodeConfig(name, { subnets: ["S"] }));
  bench.poller.apply(configOf([], { nodes, subnets: [L1], ...more }));
  await run(bench, 180);
  return bench;
}

/** A minute has a block every five seconds. */
async function run(bench: Bench, seconds: number, lie?: () => void): Promise<void> {
  for (let second = 0; second < seconds; second += 5) {
    for (const node of bench.nodes.values()) {
      if (node.height < 1e6) node.height++;
      if (lie === undefined) node.instead.set("platform.getValidatorFeeState", fee(bench.clock.now()));
    }
    await bench.run(5);
  }
}

describe.each(["a", "b"])("one node, %s, that reports", (liar) => {
  it.each(Object.entries(LIES))(
    "%s pages about no other one, and is forgotten after three polls",
    async (_what, lie) => {
      const bench = await started();
      expect(pagesOf(await bench.series(), "")).toEqual([]);
      const before = bench.node(liar).height;
      lie(bench.node(liar), liar, bench.clock.now());
      const { height } = bench.node(liar);
      for (let part = 0; part < 8; part++) {
        await run(bench, 60, () => undefined);
        expect(pagesOf(await bench.series(), liar)).toEqual([]);
      }
      const found = [...(await bench.series()).keys()].filter((key) => key.startsWith("avax_validators{"));
      expect(found).toHaveLength(2);
      expect(height).toBeGreaterThanOrEqual(before);
      const node = bench.node(liar);
      node.failing.clear();
      Object.assign(node, { validators: honest(), height: bench.node("e").height });
      await run(bench, 200);
      const after = await bench.series();
      expect(pagesOf(after, "")).toEqual([]);
      expect([...after.keys()].filter((key) => key.startsWith("avax_network_nodes_disagree"))).toEqual([]);
      expect(after.get('avax_validators{network="local",subnet="primary"}')).toBe(5);
      expect(bench.counted.defects).toEqual([]);
    },
  );
});

describe("where the reference node and a second one disagree", () => {
  let series: ReadonlyMap<string, number>;
  beforeAll(async () => {
    const bench = await started();
    LIES["other BLS keys"]?.(bench.node("a"), "a", bench.clock.now());
    await run(bench, 120);
    series = await bench.series();
  });

  it("that is the finding, with both names", () => {
    const found = [...series].filter(([key]) => key.startsWith("avax_network_nodes_disagree"));
    expect(found.map(([key, value]) => [key.replace(/,subnet_name="[^"]*"/, ""), value]).sort()).toEqual([
      ['avax_network_nodes_disagree{network="local",subnet="S",about="keys",a="a",b="b"}', 1],
      ['avax_network_nodes_disagree{network="local",subnet="primary",about="keys",a="a",b="b"}', 1],
    ]);
  });
});

it("what two nodes report pages", async () => {
  const bench = await started();
  for (const node of bench.nodes.values()) node.validators = NAMES.map((name) => memberOf(name, { balance: "1000" }));
  await run(bench, 120);
  expect(pagesOf(await bench.series(), "").some((key) => key.startsWith("avax_l1_own_runway"))).toBe(true);
});

it.each([
  ["other BLS keys", "avax_node_bls_key_wrong"],
  ["hardly any balance", "avax_l1_own_runway_seconds"],
  ["nobody but itself", "avax_validator_gone"],
  ["a giant that is not connected", "avax_subnet_quorum_lost"],
  ["a price of a million times", "avax_l1_own_runway_seconds"],
])("without the second node, %s would page: %s", async (what, family) => {
  const ids = ["platform.getCurrentValidators.second", "platform.getValidatorFeeState.second"];
  const bench = await started({ endpoints: Object.fromEntries(ids.map((id) => [id, { enabled: false }])) });
  LIES[what]?.(bench.node("a"), "a", bench.clock.now());
  await run(bench, 240, () => undefined);
  expect(pagesOf(await bench.series(), "a").some((key) => key.startsWith(family))).toBe(true);
});
