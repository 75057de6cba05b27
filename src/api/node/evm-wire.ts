import { z } from "zod";
import { isLate, LATE } from "../is-late.ts";
import { atMost, isNever, mapped, MOST, scaled } from "../wire.ts";

/** JSON types of the EVM interfaces: hexadecimal quantities and blocks. */

const HEX = /^0x[0-9a-fA-F]{1,64}$/;

/** A hex quantity as a bigint, with all its digits: wei. */
export const wei = mapped(z.string().regex(HEX, { error: "not a hexadecimal quantity", abort: true }), BigInt);

/** A hex quantity as a double: gas, counts, chain IDs. */
export const quantity = mapped(wei, Number);

/** A hex quantity that is counted up by one: a height. */
export const height = quantity.refine(Number.isSafeInteger, "beyond 2^53");

const AFTER_2200 = "a time after 2200";
/** Unix seconds, from 0 (many genesis blocks; `setTime` tells them apart) to the time of the answer. */
const blockTime = quantity
  .refine((seconds) => !isNever(seconds), AFTER_2200)
  .refine((seconds) => !isLate(seconds), LATE);
const blockMillis = quantity.refine((ms) => !isNever(ms / 1000), AFTER_2200).refine((ms) => !isLate(ms / 1000), LATE);

/** Coins (AVAX, or the chain's own) from wei; every EVM chain of the network has 18 decimals. */
export const toCoins = (amount: bigint): number => scaled(amount, 18);

/** Gwei, equal to nAVAX, from wei: gas prices in AVAX would be hard to read. */
export const toGwei = (amount: bigint): number => scaled(amount, 9);

/** wei of an address. */
export const balance = atMost(wei, BigInt(MOST.coins) * 10n ** 18n);
/** wei for a unit of gas. */
export const gasPrice = atMost(wei, BigInt(MOST.gasPrice));
/** What an EVM counts. */
export const counted = atMost(quantity, MOST.counted);

const fields = z.object({
  number: height,
  hash: z.string(),
  parentHash: z.string().optional(),
  timestamp: blockTime,
  timestampMilliseconds: blockMillis.optional(),
  gasLimit: atMost(quantity, MOST.gasLimit),
  gasUsed: atMost(quantity, MOST.blockGas),
  baseFeePerGas: gasPrice.nullish(),
  transactions: z.array(z.unknown()),
  settledHeight: z.unknown().optional(),
});
const header = fields
  .refine(({ gasUsed, gasLimit }) => gasUsed <= gasLimit, { message: "above the gas limit", path: ["gasUsed"] })
  .refine(({ gasUsed, baseFeePerGas }) => BigInt(gasUsed) * (baseFeePerGas ?? 0n) <= MOST.blockFees, {
    message: "with this gas the fees of the block are more than there can be",
    path: ["baseFeePerGas"],
  });

/** A block with the number of its transactions; `undefined` for null: the server does not have it. */
export const block = mapped(header.nullable(), (found) => {
  if (found === null) return undefined;
  const { timestamp, timestampMilliseconds, baseFeePerGas, transactions, settledHeight, ...rest } = found;
  return {
    ...rest,
    /** Unix seconds; with milliseconds if the header has them. */
    time: timestampMilliseconds === undefined ? timestamp : timestampMilliseconds / 1000,
    /** Wei. */
    baseFee: baseFeePerGas ?? undefined,
    transactions: transactions.length,
    /**
     * Whether the header was made before the transactions ran, as on the C-Chain since Helicon: its gas used is the sum of their limits,
     * and its base fee the highest that can apply.
     */
    worstCase: settledHeight !== undefined,
  };
});
export type EvmBlock = NonNullable<z.output<typeof block>>;

/** What the transactions of a block used, and paid for it in wei, tips included; `undefined` for null: the server does not have the block. */
export const receipts = mapped(
  z.array(z.object({ gasUsed: wei, effectiveGasPrice: gasPrice })).nullable(),
  (found, refuse) => {
    const executed = found?.reduce(
      ({ gas, fees }, { gasUsed, effectiveGasPrice }) => ({
        gas: gas + gasUsed,
        fees: fees + effectiveGasPrice * gasUsed,
      }),
      { gas: 0n, fees: 0n },
    );
    if (executed !== undefined && (executed.gas > MOST.blockGas || executed.fees > MOST.blockFees))
      refuse("more gas or fees than a block can have");
    return executed;
  },
);
export type Executed = NonNullable<z.output<typeof receipts>>;

const FORK = /^([A-Za-z0-9]{1,40}?)(?:Block)?Time(?:stamp)?$/;

/** Unix seconds by fork, from a chain configuration: past and scheduled forks; 0 is a fork that is active since genesis. */
export const forkTimes = mapped(
  // The specification leaves its form open.
  z.unknown(),
  (config): ReadonlyMap<string, number> =>
    new Map(
      Object.entries(config ?? {}).flatMap(([key, time]) => {
        const fork = FORK.exec(key)?.[1];
        const known = fork !== undefined && typeof time === "number" && time >= 0 && !isNever(time);
        return known ? [[fork, time] as const] : [];
      }),
    ),
);
