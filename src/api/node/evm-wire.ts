import { z } from "zod";

/** The JSON types of EVM interfaces: hexadecimal quantities, and blocks as far as they are read. */

const HEX = /^0x[0-9a-fA-F]{1,64}$/;

/** A hex quantity with all its digits, as a bigint: wei. */
export const wei = z.string().transform((value, context): bigint => {
  if (HEX.test(value)) return BigInt(value);
  context.addIssue({ code: "custom", message: "not a hexadecimal quantity", input: value });
  return z.NEVER;
});

/** A hex quantity that a double holds: heights, times, gas, counts. */
export const quantity = wei.transform(Number);

/** Coins (AVAX, or what the chain has in its place) from wei; 18 decimals on every EVM chain of the network. */
export function toCoins(amount: bigint): number {
  const unit = 10n ** 18n;
  return Number(amount / unit) + Number(amount % unit) / 1e18;
}

/** Prices of gas are shown in gwei, which is nAVAX: a price in AVAX would be all zeros. */
export function toGwei(amount: bigint): number {
  return Number(amount / 1_000_000_000n) + Number(amount % 1_000_000_000n) / 1e9;
}

/** A block header with its transactions counted. */
export type Block = {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string | undefined;
  /** Unix seconds; with milliseconds where the header has them. */
  readonly time: number;
  readonly gasLimit: number;
  readonly gasUsed: number;
  /** Wei. */
  readonly baseFee: bigint | undefined;
  readonly transactions: number;
};

const header = z.object({
  number: quantity,
  hash: z.string(),
  parentHash: z.string().optional(),
  timestamp: quantity,
  timestampMilliseconds: quantity.optional(),
  gasLimit: quantity,
  gasUsed: quantity,
  baseFeePerGas: wei.nullish(),
  transactions: z.array(z.unknown()),
});

/** A block, or `undefined` for one that the server does not have. */
export const block = header.nullable().transform((found): Block | undefined => {
  if (found === null) return undefined;
  const { number, hash, parentHash, timestamp, timestampMilliseconds, gasLimit, gasUsed } = found;
  return {
    number,
    hash,
    parentHash,
    time: timestampMilliseconds === undefined ? timestamp : timestampMilliseconds / 1000,
    gasLimit,
    gasUsed,
    baseFee: found.baseFeePerGas ?? undefined,
    transactions: found.transactions.length,
  };
});

const FORK = /^([A-Za-z0-9]{1,40}?)(?:Block)?Time(?:stamp)?$/;
/** 9999-12-01: how chains write "not scheduled". */
const UNSCHEDULED = 253_399_622_400;

/** Unix seconds by fork, from a chain configuration: scheduled and past ones, without those in force since the first block. */
export const forkTimes = z.record(z.string(), z.unknown()).transform(
  (config): ReadonlyMap<string, number> =>
    new Map(
      Object.entries(config).flatMap(([key, time]) => {
        const fork = FORK.exec(key)?.[1];
        const known = fork !== undefined && typeof time === "number" && time > 0 && time < UNSCHEDULED;
        return known ? [[fork, time] as const] : [];
      }),
    ),
);
