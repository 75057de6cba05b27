import { z } from "zod";
import { isLate, LATE } from "../is-late.ts";
import { atMost, float, MOST, scaled, textOrNumber, unixTime } from "../wire.ts";

/** Fields that several resources of the Data API share, as the specification defines them and as the real service sends them. */

/** A value that can be absent or null. */
export function maybeField<T>(type: z.ZodType<T>): z.ZodType<T | undefined> {
  return type.nullish().transform((value) => value ?? undefined);
}

/** An amount in a token's smallest unit: an integer of any size, as decimal text or a number. */
export const amount = textOrNumber
  .refine(
    (value) => (typeof value === "number" ? Number.isInteger(value) && value >= 0 : /^\d{1,80}$/.test(value)),
    "not an amount",
  )
  .transform(BigInt);

/** An amount in whole tokens. More than 77 decimals have no meaning in 256 bits. */
function inTokens(value: bigint, decimals: number): number {
  return scaled(value, Math.min(Math.max(0, Math.trunc(decimals)), 77));
}

/** The same, unknown without one of the two, and where it is more than can be. */
export function maybeTokens(value: bigint | undefined, decimals: number | undefined): number | undefined {
  const tokens = value === undefined || decimals === undefined ? Infinity : inTokens(value, decimals);
  return tokens <= MOST.coins ? tokens : undefined;
}

export type Price = { readonly currencyCode: string; readonly value: number } | undefined;

/** A figure from 0. */
export const positive = (most: number): z.ZodType<number> =>
  atMost(float, most).refine((value) => value >= 0, "below 0");

/** A price: `value` is text in the specification and a number at the real service. `undefined` without a value or a currency. */
export const price = z
  .object({ currencyCode: maybeField(z.string()), value: maybeField(positive(MOST.coins)) })
  .nullish()
  .transform((raw): Price => {
    const { currencyCode, value } = raw ?? {};
    return currencyCode === undefined || value === undefined ? undefined : { currencyCode, value };
  });

/** Unix seconds as a number or text; `undefined` for 0, null, and an empty or absent value: never. */
export const moment = z
  .preprocess((value) => (value === "" ? null : value), unixTime.nullish())
  .transform((time) => time ?? undefined);

/** The same, of the past. */
export const pastMoment = moment.refine((time) => !isLate(time), LATE);

/** When a block was made: without it, what is in the block cannot be counted from a time on. */
export const blockTime = pastMoment.pipe(z.number("a block has a time"));

/** Address of a sender, in lower case: answers differ in case. */
export const sender = z.object({ address: z.string() }).transform(({ address }) => address.toLowerCase());

/** The same of a recipient; empty where there is none, as of a transaction that makes a contract. */
export const recipient = z
  .object({ address: maybeField(z.string()) })
  .nullish()
  .transform((value) => value?.address?.toLowerCase() ?? "");

type Sum = number | undefined;

/** The sum of a counter and what `read` gives of each row; unknown from the first unknown value on. */
export function added<R>(sum: Sum, rows: readonly R[], read: (row: R) => Sum): Sum {
  return rows.reduce<Sum>((all, row) => {
    const value = read(row);
    return all === undefined || value === undefined ? undefined : all + value;
  }, sum);
}

/** The newest known time. */
export function newest(times: ReadonlyArray<number | undefined>): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b));
}
