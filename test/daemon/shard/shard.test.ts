import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodesOf, shardOf } from "../../../src/daemon/shard/shard.ts";
import { nodeConfig } from "../../support/engines.ts";

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
  const names = (nodes: ReturnType<typeof nodesOf>) => nodes.map(({ name }) => name);

  it("are each in one shard for any fleet, in the order of the configuration", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 6 }),
        fc.option(fc.nat(7), { nil: undefined }),
        (fleet, total, pinned) => {
          const nodes = fleet.map((name, at) => nodeConfig(name, at % 3 === 0 ? { shard: pinned } : {}));
          const all = Array.from({ length: total }, (_, index) => nodesOf({ nodes }, { index, total }));
          expect(all.flatMap(names).sort()).toEqual([...fleet].sort());
          for (const own of all) expect(own).toEqual(nodes.filter((node) => own.includes(node)));
        },
      ),
    );
  });

  it("include those that are pinned to it, and a pin beyond the last shard counts for nothing", () => {
    const nodes = NAMES.slice(0, 20).map((name) => nodeConfig(name, { shard: 2 }));
    expect(nodesOf({ nodes }, { index: 2, total: 3 })).toEqual(nodes);
    expect(nodesOf({ nodes }, { index: 0, total: 3 })).toEqual([]);
    const spread = [0, 1].map((index) => nodesOf({ nodes }, { index, total: 2 }).length);
    expect(Math.min(...spread)).toBeGreaterThan(0);
  });
});
