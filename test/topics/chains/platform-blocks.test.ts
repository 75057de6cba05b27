import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlatformBlock } from "../../../src/api/node/platform-block.ts";
import type { BlockRun } from "../../../src/api/node/platform-blocks.ts";
import { counted, platformBlocks, type Counted } from "../../../src/topics/chains/platform-blocks.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";

const block = (height: number): PlatformBlock => ({
  height,
  kind: height % 5 === 0 ? "commit" : "standard",
  time: 1000 + height,
  transactions: height % 5 === 0 ? [] : ["import", "base"],
});

/** A run of all blocks from one height to another. */
const run = (from: number, to: number, time = 1000 + to): BlockRun => ({
  from,
  to,
  time,
  blocks: Array.from({ length: to - from + 1 }, (_, i) => block(from + i)),
  head: "rpc",
  encoding: "json",
  position: { height: to, at: time },
});

const start = platformBlocks.start?.() as Counted;
const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);
const counts = (runs: readonly BlockRun[]): Counted => runs.reduce(counted, start);

describe("counted", () => {
  it("counts each kind", () => {
    const state = counts([run(90, 100), run(101, 106)]);
    expect(state.blocks.get("standard")).toBe(5);
    expect(state.blocks.get("commit")).toBe(1);
    expect(state.transactions.get("import")).toBe(5);
    expect(state).toMatchObject({ height: 106, time: 1106, skipped: 0 });
  });

  it("sums the AVAX that is exported, and loses the sum with what cannot be read", () => {
    const moving = (asset: string | undefined, exported: PlatformBlock["exported"]): BlockRun => ({
      ...run(101, 101),
      ...{ asset, blocks: [{ ...block(101), exported }] },
    });
    const sumOf = (asset: string | undefined, exported: PlatformBlock["exported"]) =>
      counts([run(90, 100), moving(asset, exported)]).exported;
    const two = { asset: "avax", amount: 2_000_000_000n };
    expect(sumOf("avax", [two, { asset: "other", amount: 7n }, two])).toBe(4);
    expect(sumOf("avax", [])).toBe(0);
    expect(sumOf(undefined, [])).toBe(0);
    for (const unknown of [
      sumOf(undefined, [two]),
      sumOf("avax", undefined),
      sumOf("avax", [{ ...two, amount: undefined }]),
    ])
      expect(unknown).toBeUndefined();
  });

  it("waits for a node that is behind", () => {
    const state = counts([run(90, 100), run(40, 50), run(51, 60), run(91, 101)]);
    expect([state.height, sum(state.blocks), state.skipped]).toEqual([101, 1, 0]);
  });

  it("continues with a chain that was restarted from genesis", () => {
    const state = counts([run(90, 100), run(3, 3, 5000), run(4, 6, 5003)]);
    expect([state.height, sum(state.blocks), state.skipped]).toEqual([6, 3, 0]);
  });

  it("accounts for every height, with any order, gaps and repeats of the answers", () => {
    const runs = fc.array(
      fc
        .record({ from: fc.nat(400), length: fc.integer({ min: 1, max: 60 }) })
        .map((each) => run(each.from, each.from + each.length - 1)),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(runs, (answers) => {
        const [first] = answers;
        const state = counts(answers);
        const top = Math.max(...answers.map(({ to }) => to));
        expect(state.height).toBe(top);
        expect(sum(state.blocks) + state.skipped).toBe(top - (first?.to ?? 0));
      }),
    );
  });

  it("never decreases a counter", () => {
    const anything = fc.array(
      fc.tuple(fc.nat(100), fc.nat(20), fc.nat(3000)).map(([from, length, time]) => run(from, from + length, time)),
    );
    fc.assert(
      fc.property(anything, (answers) => {
        let state = start;
        for (const answer of answers) {
          const next = counted(state, answer);
          expect(sum(next.blocks)).toBeGreaterThanOrEqual(sum(state.blocks));
          expect(next.skipped).toBeGreaterThanOrEqual(state.skipped);
          state = next;
        }
      }),
    );
  });
});

describe("the topic", () => {
  it("exports every kind from the start, and no time before the first block", () => {
    const context = contextOf();
    const first = { run: { ...run(90, 100), time: undefined } };
    const before = readTopic(platformBlocks, first, context);
    expect(Object.values(only(before, "blocks_total"))).toEqual([0, 0, 0, 0, 0]);
    expect(before.has("avax_platform_last_block_timestamp_seconds")).toBe(false);
    const state = nextState(platformBlocks, first, context);
    const after = readTopic(platformBlocks, { run: run(101, 104) }, context, state);
    expect(after.get('avax_platform_blocks_total{kind="standard"}')).toBe(4);
    expect(after.get('avax_platform_transactions_total{kind="base"}')).toBe(4);
    expect(after.get("avax_platform_counted_height")).toBe(104);
    expect(after.get("avax_platform_last_block_timestamp_seconds")).toBe(1104);
  });
});
