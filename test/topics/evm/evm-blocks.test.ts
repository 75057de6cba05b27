import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EvmBlocks, type FollowedChain, type FollowedBlock } from "../../../src/api/node/evm-blocks.ts";
import { type Count, counted } from "../../../src/topics/evm/evm-blocks.ts";
import { blockOf, fakeChain } from "../../support/evm-chain.ts";
import { contextOf } from "../../support/topics.ts";

const blocks = (from: number, to: number, name = "a") =>
  Array.from({ length: to - from + 1 }, (_, i) => blockOf(from + i, {}, name));
const after = (...answers: ReadonlyArray<readonly ReturnType<typeof blockOf>[]>): Count => {
  const count = answers.reduce<Count | undefined>((before, found) => counted(before, found), undefined);
  if (count === undefined) throw new Error("nothing was counted");
  return count;
};

describe("a count", () => {
  it("goes on at a lower head, counts nothing twice and skips nothing, where its tip was wrong", () => {
    const lied = counted(counted(undefined, [blockOf(100)]), [blockOf(1100)]);
    const over = counted(lied, [blockOf(103)], true);
    expect(over).toMatchObject({ blocks: 1, skipped: 999, histories: 1, tip: { number: 103 } });
    expect(counted(over, blocks(104, 105))).toMatchObject({ blocks: 3, skipped: 999, tip: { number: 105 } });
  });

  it("has blocks, transactions, gas and fees", () => {
    const count = after([blockOf(100)], blocks(101, 103));
    expect(count).toMatchObject({ blocks: 3, transactions: 6, gas: 126_000n, skipped: 0 });
    expect(count.baseFees).toBe(126_000n * 25_000_000_000n);
    expect([count.gasLimits, count.fees, count.mostBaseFees]).toEqual([undefined, undefined, undefined]);
    expect(count.intervals).toMatchObject({ count: 3, sum: 6 });
    expect(count.intervals.buckets.find(([bound]) => bound === 1.5)?.[1]).toBe(0);
    expect(count.intervals.buckets.find(([bound]) => bound === 2)?.[1]).toBe(3);
  });

  it("has limits of blocks whose headers have no more, and what their receipts say", () => {
    const limits = (number: number, executed?: FollowedBlock["executed"]) => ({
      ...blockOf(number),
      worstCase: true,
      executed,
    });
    const known = { gas: 10_000n, fees: 7n };
    const first = after([limits(100)], [limits(101, known), limits(102, known)]);
    expect(first).toMatchObject({ blocks: 2, gas: 20_000n, fees: 14n, gasLimits: 63_000n });
    expect(first.mostBaseFees).toBe(63_000n * 25_000_000_000n);
    expect(first.baseFees).toBeUndefined();
    const unknown = counted(first, [limits(103)]);
    expect([unknown?.gas, unknown?.fees, unknown?.gasLimits]).toEqual([undefined, undefined, 126_000n]);
    expect(counted(unknown, [limits(104, known)])).toMatchObject({ gas: 10_000n, fees: 7n, gasLimits: 126_000n });
  });

  it("counts on in the families of the new headers after the switch", () => {
    const before = after([blockOf(100)], [blockOf(101)]);
    const switched = counted(before, [{ ...blockOf(102), worstCase: true, executed: { gas: 21_000n, fees: 5n } }]);
    expect(switched).toMatchObject({ gas: 42_000n, gasLimits: 42_000n, fees: 5n, baseFees: undefined });
  });

  it("has no interval after a genesis block without a time", () => {
    const count = after([{ ...blockOf(0), time: 0 }], blocks(1, 2));
    expect(count).toMatchObject({ blocks: 2, intervals: { count: 1, sum: 2 } });
  });

  it("continues with a chain that was restarted from genesis, without a gap", () => {
    const young = blockOf(3, { time: 9000 }, "b");
    const count = after([blockOf(100)], [young], [blockOf(4, { time: 9002 }, "b")]);
    expect(count).toMatchObject({ blocks: 1, skipped: 0, histories: 1, tip: { number: 4, hash: "b4" } });
  });

  it("detects another chain at the same height and beyond a gap", () => {
    expect(after([blockOf(100)], [blockOf(100, {}, "b"), ...blocks(191, 192, "b")])).toMatchObject({
      blocks: 2,
      skipped: 0,
      histories: 1,
    });
  });

  it("detects a block with another parent", () => {
    expect(after([blockOf(100)], [blockOf(101, {}, "b")])).toMatchObject({ blocks: 1, histories: 1 });
  });
});

describe("any sequence of heads", () => {
  const facts = {
    ...contextOf(),
    evm: { batch: 7, websocket: false, proofProbe: false, receipts: true, maxBlocksPerPoll: 5 },
  };

  it("each block is counted once or skipped, and the sums are those of the chain", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -8, max: 20 }), { maxLength: 25 }), async (steps) => {
        const chain = fakeChain(100);
        let previous: FollowedChain | undefined;
        let count: Count | undefined;
        let highest = 100;
        for (const step of [0, ...steps]) {
          chain.head = Math.max(1, highest + step);
          highest = Math.max(highest, chain.head);
          previous = await EvmBlocks.ask(chain.api, "C", facts, previous);
          count = counted(count, previous.blocks);
        }
        expect((count?.blocks ?? 0) + (count?.skipped ?? 0)).toBe(highest - 100);
        expect(count?.histories).toBe(0);
        expect(count?.gas).toBe(21_000n * BigInt(count?.transactions ?? 0));
      }),
      { numRuns: 200 },
    );
  });

  it("two followers that take turns count no block twice", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 4 })), { maxLength: 25 }),
        async (turns) => {
          const chain = fakeChain(100);
          const previous = new Map<boolean, FollowedChain>();
          let count = counted(undefined, [blockOf(100)]);
          for (const [who, step] of turns) {
            chain.head += step;
            const answer = await EvmBlocks.ask(chain.api, "C", facts, previous.get(who));
            previous.set(who, answer);
            count = counted(count, answer.blocks);
          }
          expect(count?.histories).toBe(0);
          expect((count?.blocks ?? 0) + (count?.skipped ?? 0)).toBe((count?.tip.number ?? 0) - 100);
        },
      ),
      { numRuns: 100 },
    );
  });
});
