import { describe, expect, it } from "vitest";
import { z } from "zod";
import { keyedEndpoint } from "../../src/api/endpoint.ts";
import { gauges } from "../../src/topics/define/metric.ts";
import { topic } from "../../src/topics/define/topic.ts";
import { benchOf, configOf, coreCatalogue, nodeConfig } from "../support/engines.ts";
import { REFUSED } from "../support/fake-client.ts";

/** A fact about each EVM chain of the network, polled on a node that serves the chain. */

const SUBNET = { id: "S", name: "s", chains: [{ id: "L", name: "l1", evm: true }] };
const method = {
  name: "test.height",
  path: "/",
  about: "",
  params: z.object({ chain: z.string() }),
  result: z.number(),
};
const Heights = keyedEndpoint<number>({
  id: "health.chains",
  about: "Heights.",
  scope: "network",
  methods: [],
  every: 15,
  timeout: 5,
  byChain: true,
  follows: true,
  keys: ({ evmChains }) => evmChains.map(({ id }) => id),
  ask: async (api, chain, _facts, previous) => (await api.call(method, { chain })) + (previous ?? 0),
});
const heights = topic(
  { id: "test-heights", about: "?", scope: "network", needs: { chains: Heights } },
  {
    height: gauges("avax_test_height", "x", ["chain"], ({ chains }) => [...chains].map(([chain, n]) => [{ chain }, n])),
  },
);

function created() {
  const bench = benchOf(["a", "b", "c"], { catalogue: coreCatalogue(heights) });
  for (const node of bench.nodes.values()) node.instead.set("test.height", 1);
  const nodes = [nodeConfig("a"), nodeConfig("b", { subnets: ["S"] }), nodeConfig("c", { subnets: ["S"] })];
  bench.poller.apply(configOf([], { nodes, subnets: [SUBNET] }));
  return bench;
}

async function started() {
  const bench = created();
  await bench.run(20);
  const asked = (name: string, chain: string) =>
    bench.node(name).asked.filter((each) => each.name === "test.height" && each.params.includes(chain)).length;
  return { bench, asked };
}

const L1 = 'avax_test_height{network="local",chain="L"}';

it("the first round has the chains that the reference node does not serve", async () => {
  const bench = created();
  const found: Array<number | undefined> = [];
  void bench.poller.firstRound().then(async () => void found.push(await bench.value(L1)));
  // Without a tick, which would distribute the chains.
  await bench.clock.pass(0.9);
  expect(found).toEqual([1]);
});

describe("a chain that the reference node does not serve", () => {
  it("is polled only on the first node that serves it", async () => {
    const { bench, asked } = await started();
    for (const node of bench.nodes.values()) node.asked.length = 0;
    await bench.run(60);
    expect(asked("a", '"C"')).toBeGreaterThan(0);
    expect(asked("a", '"L"')).toBe(0);
    expect(asked("b", '"L"')).toBeGreaterThan(0);
    expect(asked("b", '"C"') + asked("c", '"L"')).toBe(0);
    expect(await bench.value(L1)).toBeGreaterThan(0);
  });

  it("is polled on the next node when that node goes down, continuing from the last answer", async () => {
    const { bench, asked } = await started();
    const before = (await bench.value(L1)) ?? 0;
    bench.node("b").failing.set("*", REFUSED);
    await bench.run(40);
    expect(asked("c", '"L"')).toBeGreaterThan(0);
    expect(await bench.value(L1)).toBeGreaterThan(before);
  });

  it("has no series when no node that serves it is up, or the configuration does not name it", async () => {
    const { bench } = await started();
    for (const name of ["b", "c"]) bench.node(name).failing.set("*", REFUSED);
    await bench.run(120);
    expect(await bench.value(L1)).toBeUndefined();
    for (const name of ["b", "c"]) bench.node(name).failing.clear();
    await bench.run(90);
    expect(await bench.value(L1)).toBeGreaterThan(0);
    bench.poller.apply(configOf(["a", "b", "c"]));
    await bench.run(5);
    expect(await bench.value(L1)).toBeUndefined();
  });
});
