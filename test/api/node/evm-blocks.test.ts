import { describe, expect, it } from "vitest";
import { EvmBlocks, positionOf, type FollowedChain } from "../../../src/api/node/evm-blocks.ts";
import { block, receipts } from "../../../src/api/node/evm-wire.ts";
import { blockOf, fakeChain, type FakeChain } from "../../support/evm-chain.ts";
import { contextOf } from "../../support/topics.ts";

const facts = {
  ...contextOf(),
  evm: { batch: 40, websocket: false, proofProbe: false, receipts: true, maxBlocksPerPoll: 10 },
};
const poll = (chain: FakeChain, previous?: FollowedChain) => EvmBlocks.ask(chain.api, "C", facts, previous);
const heights = ({ blocks }: FollowedChain) => blocks.map(({ number }) => number);

const HEADER = { hash: "0x1", timestamp: "0x6123", gasLimit: "0x1", gasUsed: "0x0", transactions: [] };

it.each([
  ["height 2^53 - 1", { number: "0x1fffffffffffff" }, true],
  ["height 2^53", { number: "0x20000000000000" }, false],
  ["height 2^64 - 1", { number: `0x${"f".repeat(16)}` }, false],
  ["height 2^256 - 1", { number: `0x${"f".repeat(64)}` }, false],
  ["time after 2200", { number: "0x1", timestamp: `0x${(7_258_118_400).toString(16)}` }, false],
  ["gas used that is the limit", { number: "0x1", gasUsed: "0x1" }, true],
  ["gas used above the limit", { number: "0x1", gasUsed: "0x2" }, false],
  ["gas limit above 2^63", { number: "0x1", gasLimit: `0x1${"0".repeat(16)}` }, false],
  ["base fee of one coin", { number: "0x1", baseFeePerGas: `0x${(10n ** 18n).toString(16)}` }, true],
  ["base fee above one coin", { number: "0x1", baseFeePerGas: `0x${(10n ** 18n + 1n).toString(16)}` }, false],
  ["10^12 gas", { number: "0x1", gasUsed: `0x${(1e12).toString(16)}`, gasLimit: `0x${(1e12).toString(16)}` }, true],
  [
    "10^12 + 1 gas",
    { number: "0x1", gasUsed: `0x${(1e12 + 1).toString(16)}`, gasLimit: `0x${(2e12).toString(16)}` },
    false,
  ],
  [
    "fees of 10^10 coins, of a price and gas that can be",
    {
      ...{ number: "0x1", gasUsed: `0x${(1e11).toString(16)}`, gasLimit: `0x${(1e12).toString(16)}` },
      baseFeePerGas: `0x${(10n ** 17n).toString(16)}`,
    },
    false,
  ],
])("a block with the %s is read: %j, %s", (_, fields, read) => {
  expect(block.safeParse({ ...HEADER, ...fields }).success).toBe(read);
});

describe("EvmBlocks", () => {
  it("starts at the head", async () => {
    const first = await poll(fakeChain(100));
    expect(first).toMatchObject({ tip: { number: 100, hash: "a100" } });
    expect(heights(first)).toEqual([100]);
  });

  it("sends one request for no or one new block, two for several, and none past the head, at whatever rate blocks came before", async () => {
    const chain = fakeChain(100);
    let last = await poll(chain);
    for (const [head, expected] of [
      [104, [101, 102, 103, 104]],
      [107, [105, 106, 107]],
      [107, [107]],
      [108, [108]],
    ] as const) {
      chain.head = head;
      last = await poll(chain, last);
      expect(heights(last)).toEqual(expected);
    }
    expect(chain.requests).toEqual([1, 1, 3, 1, 2, 1, 1]);
    expect(chain.pastHead).toEqual([]);
  });

  it("reads a limited number of blocks, and the tip again after a gap", async () => {
    const chain = fakeChain(100);
    const first = await poll(chain);
    chain.head = 200;
    const after = await poll(chain, first);
    expect(heights(after)).toEqual([100, ...Array.from({ length: 10 }, (_, i) => 191 + i)]);
    expect(after.tip.number).toBe(200);
  });

  it("stops at a missing block and continues from there", async () => {
    const chain = fakeChain(100);
    const first = await poll(chain);
    chain.head = 105;
    chain.missing.add(103);
    const part = await poll(chain, first);
    expect(heights(part)).toEqual([101, 102]);
    expect(part.tip.number).toBe(102);
    chain.missing.clear();
    expect(heights(await poll(chain, part))).toEqual([103, 104, 105]);
  });

  it("keeps the tip while a node is behind", async () => {
    const chain = fakeChain(100);
    const first = await poll(chain);
    chain.head = 90;
    const behind = await poll(chain, first);
    expect(behind.tip.number).toBe(100);
    chain.head = 101;
    expect(heights(await poll(chain, behind))).toEqual([101]);
  });

  describe("with headers that have limits alone", () => {
    const after = async (chain: FakeChain, settings = facts) => {
      chain.worstCase = true;
      const first = await EvmBlocks.ask(chain.api, "C", settings, undefined);
      chain.head = 104;
      return EvmBlocks.ask(chain.api, "C", settings, first);
    };

    it("reads the receipts of each new block with transactions, in one batch", async () => {
      const chain = fakeChain(100);
      const { blocks, receiptsMissing } = await after(chain);
      expect(blocks.map(({ executed }) => executed?.gas)).toEqual([10_500n, 21_000n, 31_500n, 0n]);
      expect(chain.requests).toEqual([1, 1, 3, 3]);
      expect(receiptsMissing).toBeUndefined();
    });

    it("reads none where the configuration has it off", async () => {
      const chain = fakeChain(100);
      const { blocks } = await after(chain, { ...facts, evm: { ...facts.evm, receipts: false } });
      expect(blocks.map(({ number, executed }) => [number, executed])).toEqual(
        [101, 102, 103, 104].map((number) => [number, undefined]),
      );
      expect(chain.requests).toEqual([1, 1, 3]);
    });

    it("counts without them where the server refuses the method, and asks again after a day", async () => {
      const chain = fakeChain(100);
      chain.receipts = "refused";
      const refused = await after(chain);
      expect(refused).toMatchObject({ receiptsMissing: 0, tip: { number: 104 } });
      expect(refused.blocks.every(({ executed }) => executed === undefined || executed.gas === 0n)).toBe(true);
      chain.head = 105;
      chain.receipts = "served";
      const next = await poll(chain, refused);
      expect(next).toMatchObject({ receiptsMissing: 1, blocks: [{ number: 105 }] });
      expect(next.blocks[0]?.executed).toBeUndefined();
      chain.head = 106;
      const later = await poll(chain, { ...next, receiptsMissing: 5_760 });
      expect(later.blocks[0]?.executed?.gas).toBe(21_000n);
      expect(later.receiptsMissing).toBeUndefined();
    });

    it("stops at a block whose receipts the server lacks, and reads it again", async () => {
      const chain = fakeChain(100);
      chain.receipts = "lacking";
      const part = await after(chain);
      expect(part).toMatchObject({ blocks: [], tip: { number: 100 } });
      chain.receipts = "served";
      expect(heights(await poll(chain, part))).toEqual([101, 102, 103, 104]);
    });
  });

  it("sums up receipts, with all digits", () => {
    const row = { gasUsed: "0x7a120", effectiveGasPrice: "0x3b9aca01", logs: [], status: "0x1" };
    expect(receipts.parse([row, row])).toEqual({ gas: 1_000_000n, fees: 1_000_000_001_000_000n });
    expect(receipts.parse(null)).toBeUndefined();
    expect(receipts.safeParse([{ ...row, gasUsed: null }]).success).toBe(false);
    expect(receipts.safeParse([{ gasUsed: "0x1" }]).success).toBe(false);
  });

  it("sends single calls with batch size 1", async () => {
    const chain = fakeChain(100);
    const single = { ...facts, evm: { ...facts.evm, batch: 1 } };
    const first = await EvmBlocks.ask(chain.api, "C", single, undefined);
    chain.head = 103;
    const after = await EvmBlocks.ask(chain.api, "C", single, first);
    expect(heights(after)).toEqual([101, 102, 103]);
    expect(chain.requests).toEqual([1, 1, 1, 1]);
  });
});

describe("positionOf", () => {
  const tip = { number: 100, hash: "a100", time: 1200 };
  it.each([
    ["the first one", undefined, blockOf(7), { kind: "start" }],
    ["the tip itself", tip, blockOf(100), { kind: "idle" }],
    ["another at the same height", tip, blockOf(100, {}, "b"), { kind: "start" }],
    ["older", tip, blockOf(50), { kind: "idle" }],
    ["lower and later, of another history", tip, blockOf(50, { time: 5000 }, "b"), { kind: "start" }],
    ["the child of the tip", tip, blockOf(101), { kind: "ahead", from: 101 }],
    ["far ahead", tip, blockOf(500), { kind: "ahead", from: 491 }],
  ] as const)("if the head is %s", (_, before, head, position) =>
    expect(positionOf(before, head, 10)).toEqual(position),
  );
});

describe("a position that was wrong", () => {
  it("heals with the third poll after a lie about a head far above", async () => {
    const chain = fakeChain(100);
    // Blocks of this chain are made every two seconds.
    const at = (head: number): FollowedChain["position"]["at"] => 1000 + 2 * head;
    const api = { ...chain.api, now: () => at(chain.head) };
    const ask = (previous?: FollowedChain) => EvmBlocks.ask(api, "C", facts, previous);
    let last = await ask();
    const honest = { ...chain.api };
    const lying = { ...fakeChain(1100).api, now: () => at(100) };
    last = await EvmBlocks.ask(lying, "C", facts, last);
    expect(last.tip.number).toBe(1100);
    Object.assign(chain.api, honest);
    const heads = [101, 102, 103];
    const over: boolean[] = [];
    for (chain.head of heads) {
      last = await ask(last);
      over.push(last.startsOver === true);
    }
    expect(over).toEqual([false, false, true]);
    expect(last.tip.number).toBe(103);
    chain.head = 104;
    expect(heights(await ask(last))).toEqual([104]);
  });

  it("is none where the reference node is behind: its blocks were made before the position was reached", async () => {
    const chain = fakeChain(100);
    const api = { ...chain.api, now: () => 1000 + 2 * 100 + 5 };
    let last = await EvmBlocks.ask(api, "C", facts, undefined);
    for (chain.head of [80, 84, 88, 92]) last = await EvmBlocks.ask(api, "C", facts, last);
    expect(last.tip.number).toBe(100);
    chain.head = 101;
    expect(heights(await EvmBlocks.ask(api, "C", facts, last))).toEqual([101]);
  });
});
