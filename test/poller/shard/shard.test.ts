import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodesOf, shardOf } from "../../../src/poller/shard/shard.ts";
import { configOf, nodeConfig } from "../../support/engines.ts";

const NAMES = Array.from({ length: 3_000 }, (_, at) => `validator-${at}`);
const shares = (total: number) => {
  const counts = Array.from({ length: total }, () => 0);
  for (const name of NAMES) counts[shardOf(name, total)] = (counts[shardOf(name, total)] ?? 0) + 1;
  return counts;
};

describe("the shard of a node", () => {
  it("never changes: a release that moves nodes would restart their counters", () => {
    expect(["a", "b", "validator-1", "validator-2", "fuji-1", "µ"].map((name) => shardOf(name, 3))).toEqual([
      2, 0, 1, 0, 2, 0,
    ]);
  });

  it("is an existing shard, and with one shard always that", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 64 }), (name, total) => {
        const shard = shardOf(name, total);
        expect(Number.isInteger(shard) && shard >= 0 && shard < total).toBe(true);
        expect(shardOf(name, 1)).toBe(0);
      }),
    );
  });

  it.each([2, 3, 5, 10])("gives %i shards a fair share of names that differ by a number", (total) => {
    for (const count of shares(total)) {
      expect(count).toBeGreaterThan((0.85 * NAMES.length) / total);
      expect(count).toBeLessThan((1.15 * NAMES.length) / total);
    }
  });

  it("stays the same for most nodes when a shard is added; others move to the new one", () => {
    const moved = NAMES.filter((name) => shardOf(name, 4) !== shardOf(name, 5));
    expect(moved.every((name) => shardOf(name, 5) === 4)).toBe(true);
    expect(moved.length).toBeGreaterThan(0.17 * NAMES.length);
    expect(moved.length).toBeLessThan(0.23 * NAMES.length);
  });
});

describe("the nodes of a shard", () => {
  const names = ({ own, auxiliary }: ReturnType<typeof nodesOf>) => ({
    own: own.map(({ name }) => name),
    auxiliary: auxiliary.map(({ name }) => name),
  });
  const fleet = (count: number, more: Parameters<typeof nodeConfig>[1] = {}, prefix = "n") =>
    Array.from({ length: count }, (_, at) => nodeConfig(`${prefix}${at}`, { network: "mainnet", ...more }));

  it("are all nodes in one process, without auxiliary nodes", () => {
    const config = configOf([], { nodes: fleet(2) });
    expect(names(nodesOf(config, { index: 0, total: 1 }))).toEqual({ own: ["n0", "n1"], auxiliary: [] });
  });

  it("are each in one shard for any fleet, and an auxiliary node is never an own one", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 6 }),
        (fleetNames, total) => {
          const nodes = fleetNames.map((name, at) => nodeConfig(name, { network: at % 3 === 0 ? "fuji" : "mainnet" }));
          const all = Array.from({ length: total }, (_, index) => nodesOf({ nodes }, { index, total }));
          expect(all.flatMap(({ own }) => own.map(({ name }) => name)).sort()).toEqual([...fleetNames].sort());
          for (const { own, auxiliary } of all) {
            expect(auxiliary.filter((node) => own.includes(node))).toEqual([]);
            expect(own).toEqual(nodes.filter((node) => own.includes(node)));
          }
        },
      ),
    );
  });

  it("include no auxiliary nodes when a shard has three nodes of a network", () => {
    const nodes = fleet(60);
    for (const index of [0, 1, 2]) expect(nodesOf({ nodes }, { index, total: 3 }).auxiliary).toEqual([]);
  });

  it("include the first other nodes of the configuration until there are three of each network", () => {
    const nodes = [...fleet(2), ...fleet(3, { network: "fuji" }, "f")];
    const shards = Array.from({ length: 8 }, (_, index) => names(nodesOf({ nodes }, { index, total: 8 })));
    for (const { own, auxiliary } of shards.slice(1)) {
      const of = (letter: string) => [...own, ...auxiliary].filter((name) => name.startsWith(letter));
      if (own.some((name) => name.startsWith("n"))) expect(of("n").sort()).toEqual(["n0", "n1"]);
      else expect(of("n")).toEqual([]);
      if (own.some((name) => name.startsWith("f"))) expect(of("f").sort()).toEqual(["f0", "f1", "f2"]);
      else expect(of("f")).toEqual([]);
    }
  });

  it("include auxiliary nodes for every network and every chain in the first shard, which exports them", () => {
    const total = 4;
    const elsewhere = (count: number, prefix: string, more: Parameters<typeof nodeConfig>[1]) =>
      Array.from({ length: 200 }, (_, at) => `${prefix}${at}`)
        .filter((name) => shardOf(name, total) !== 0)
        .slice(0, count)
        .map((name) => nodeConfig(name, more));
    const plain = elsewhere(5, "p", { network: "mainnet" });
    const l1 = elsewhere(2, "l", { network: "mainnet", primaryChains: ["P"], subnets: ["S"] });
    const fuji = elsewhere(1, "f", { network: "fuji" });
    const { own, auxiliary } = nodesOf({ nodes: [...plain, ...l1, ...fuji] }, { index: 0, total });
    expect(own).toEqual([]);
    expect(auxiliary).toEqual([...plain.slice(0, 3), ...l1, ...fuji]);
  });

  it("include no auxiliary nodes for a chain that only an auxiliary node serves", () => {
    const total = 2;
    const at1 = Array.from({ length: 50 }, (_, at) => `n${at}`).filter((name) => shardOf(name, total) === 1);
    const at0 = Array.from({ length: 50 }, (_, at) => `n${at}`).filter((name) => shardOf(name, total) === 0);
    const own = nodeConfig(at1[0] ?? "", { network: "mainnet" });
    const others = at0.slice(0, 5).map((name) => nodeConfig(name, { network: "mainnet", subnets: ["S"] }));
    expect(nodesOf({ nodes: [own, ...others] }, { index: 1, total }).auxiliary).toEqual(others.slice(0, 2));
  });
});
