import type { View } from "../world/wire.ts";
import { absent, fail, invalid, namedHeight, ok, type EvmMethod, type Refusal } from "./evm-arguments.ts";
import { GAS_LIMIT } from "./evm-blocks.ts";
import { baseFeeOf, headOf, hex, isNewEngine, type EvmChain } from "./evm-chain.ts";
import { TIP, transactionCount, TRANSFER_GAS } from "./evm-transactions.ts";

/** Methods of the simulated EVM about fees, from the blocks' base fees, gas and tips. */

/** Maximum number of blocks of a fee history. */
const MAX_BLOCKS = 2048;

/** Base fee of the block after the head. */
const nextBaseFee = (view: View, chain: EvmChain): bigint => baseFeeOf(chain, headOf(view, chain) + 1);

/** A count as a number, or as text in hex or decimal. */
function countIn(value: unknown): number | undefined {
  const number = typeof value === "string" && /^(0x[0-9a-f]+|\d+)$/i.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** The percentiles of the tips, or the error for them. They ascend from 0 to 100. */
function percentilesIn(view: View, chain: EvmChain, value: unknown): readonly number[] | Refusal {
  if (!Array.isArray(value) || !value.every((each): each is number => typeof each === "number")) {
    return invalid(2, "json: cannot unmarshal into Go value of type []float64");
  }
  const at = value.findIndex((percent, i) => percent < 0 || percent > 100 || percent < (value[i - 1] ?? 0));
  const wrong = value[at];
  if (wrong === undefined) return value;
  const shown = wrong.toFixed(6);
  return fail(
    isNewEngine(view, chain)
      ? `percentile out of range or misordered: value ${shown} at index ${at}`
      : `invalid reward percentile: ${shown}`,
  );
}

const feeHistory: EvmMethod = (view, chain, params) => {
  const newest = absent(params, 3) ?? namedHeight(view, chain, 1, params[1]);
  if (typeof newest !== "number") return newest;
  const wanted = countIn(params[0]);
  if (wanted === undefined) return invalid(0, "invalid hex or decimal integer");
  const percentiles = percentilesIn(view, chain, params[2]);
  if ("code" in percentiles) return percentiles;
  const head = headOf(view, chain);
  if (newest > head) return fail(`request beyond head block: requested ${newest}, head ${head}`);
  const blocks = Math.min(wanted, MAX_BLOCKS, newest + 1);
  if (blocks === 0) return ok({ oldestBlock: "0x0", gasUsedRatio: null });
  const heights = Array.from({ length: blocks }, (_, i) => newest - blocks + 1 + i);
  // Every transaction pays the same tip, and a block without one shows 0.
  const tipsOf = (height: number): string[] => {
    const tip = hex(transactionCount(view, chain, height) > 0 ? TIP : 0n);
    return percentiles.map(() => tip);
  };
  return ok({
    oldestBlock: hex(newest - blocks + 1),
    ...(percentiles.length > 0 ? { reward: heights.map(tipsOf) } : {}),
    baseFeePerGas: [...heights, newest + 1].map((height) => hex(baseFeeOf(chain, height))),
    gasUsedRatio: heights.map((height) => (transactionCount(view, chain, height) * TRANSFER_GAS) / GAS_LIMIT[chain]),
  });
};

export const FEES: Readonly<Record<string, EvmMethod>> = {
  eth_baseFee: (view, chain) => ok(hex(nextBaseFee(view, chain))),
  eth_maxPriorityFeePerGas: () => ok(hex(TIP)),
  eth_gasPrice: (view, chain) => ok(hex(nextBaseFee(view, chain) + TIP)),
  eth_feeHistory: feeHistory,
};
