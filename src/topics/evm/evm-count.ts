import type { Tip } from "../../api/node/evm-follower.ts";
import type { Block } from "../../api/node/evm-wire.ts";
import type { HistogramValue } from "../../exposition/sample.ts";

/** Counts of one chain since the exporter began to follow it. Immutable. */
export type Count = {
  readonly tip: Tip;
  readonly blocks: number;
  readonly transactions: number;
  readonly gas: number;
  /** Base fee times gas used, wei. */
  readonly fees: bigint;
  /** Blocks that were not read. */
  readonly skipped: number;
  /** Number of times that another history replaced the followed one. */
  readonly histories: number;
  readonly intervals: HistogramValue;
};

/** Upper bounds of the times between two blocks, seconds. */
const BOUNDS = [0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30, 60, 300, 3600] as const;

const NO_INTERVALS: HistogramValue = { buckets: BOUNDS.map((bound) => [bound, 0] as const), sum: 0, count: 0 };

/**
 * The count after some blocks in ascending order. The very first block is where counting begins and is not counted. Blocks at
 * or below the tip were counted before. Missing heights are counted as skipped.
 */
export function counted(before: Count | undefined, blocks: readonly Block[]): Count | undefined {
  let count = before;
  // A new history has no gap behind it, at whatever height it continues.
  let begun = false;
  for (const block of blocks) {
    if (count === undefined) count = beginning(block);
    else if (block.number > count.tip.number) {
      count = advanced(count, block, begun);
    } else if (block.number === count.tip.number ? block.hash !== count.tip.hash : block.time > count.tip.time) {
      count = { ...count, tip: tipOf(block), histories: count.histories + 1 };
      begun = true;
    }
  }
  return count;
}

function beginning(block: Block): Count {
  return {
    tip: tipOf(block),
    blocks: 0,
    transactions: 0,
    gas: 0,
    fees: 0n,
    skipped: 0,
    histories: 0,
    intervals: NO_INTERVALS,
  };
}

function advanced(count: Count, block: Block, begun: boolean): Count {
  const { tip } = count;
  const gap = block.number - tip.number - 1;
  const child = gap === 0 && (block.parentHash === undefined || block.parentHash === tip.hash);
  return {
    tip: tipOf(block),
    blocks: count.blocks + 1,
    transactions: count.transactions + block.transactions,
    gas: count.gas + block.gasUsed,
    fees: count.fees + (block.baseFee ?? 0n) * BigInt(block.gasUsed),
    skipped: count.skipped + (begun ? 0 : gap),
    histories: count.histories + (gap === 0 && !child ? 1 : 0),
    // A genesis block without a time is no beginning of an interval.
    intervals: child && tip.time > 0 ? observed(count.intervals, Math.max(0, block.time - tip.time)) : count.intervals,
  };
}

function observed({ buckets, sum, count }: HistogramValue, seconds: number): HistogramValue {
  return {
    buckets: buckets.map(([bound, below]) => [bound, seconds <= bound ? below + 1 : below] as const),
    // Headers have milliseconds; further digits are rounding errors.
    sum: Number((sum + seconds).toFixed(3)),
    count: count + 1,
  };
}

const tipOf = ({ number, hash, time }: Block): Tip => ({ number, hash, time });
