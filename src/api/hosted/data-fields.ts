import { z } from "zod";
import { count, float, uint64 } from "../wire.ts";

/** Fields of the Data API that several resources share, in both spellings: the specification's and the real service's. */

/** A value that may be missing or null. */
export function maybeField<T extends z.ZodType>(type: T) {
  return type.nullish().transform((value) => value ?? undefined);
}

/** An integer of any size as decimal text or a bare number: amounts in a token's smallest unit. */
export const amount = z.union([z.string(), z.number()]).transform((value, context): bigint => {
  const text = String(value);
  if (/^\d{1,80}$/.test(text)) return BigInt(text);
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return BigInt(value);
  context.addIssue({ code: "custom", message: "not an amount", input: value });
  return z.NEVER;
});

/** An amount in whole tokens. Decimals beyond 77 have no meaning in 256 bits. */
export function inTokens(value: bigint, decimals: number): number {
  const places = Math.min(Math.max(0, Math.trunc(decimals)), 77);
  const one = 10n ** BigInt(places);
  return Number(value / one) + Number(value % one) / Number(one);
}

export type Price = { readonly currencyCode: string; readonly value: number } | undefined;

/** A price: `value` is text in the specification and a number at the real service. Without a value or a currency it is none. */
export const price = z
  .object({ currencyCode: maybeField(z.string()), value: maybeField(float) })
  .nullish()
  .transform((raw): Price => {
    const { currencyCode, value } = raw ?? {};
    return currencyCode === undefined || value === undefined ? undefined : { currencyCode, value };
  });

/** How many digits of an amount stand behind the point. */
export const decimals = count;

/** Unix seconds as a number or text; 0 and nothing mean "never". */
export const moment = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value, context): number | undefined => {
    if (value === null || value === undefined || value === "" || value === 0 || value === "0") return undefined;
    const parsed = uint64.safeParse(value);
    if (parsed.success) return Number(parsed.data);
    context.addIssue({ code: "custom", message: "not Unix seconds", input: value });
    return z.NEVER;
  });

/** A list that may be absent or null when it is empty. */
export function listed<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
}

/** Who sent or received; addresses differ in upper and lower case between answers. */
export const party = z
  .object({ address: maybeField(z.string()) })
  .nullish()
  .transform((value) => value?.address?.toLowerCase() ?? "");

/** A stranger's word as a label value: one line, no control or direction marks, `longest` characters. */
export function bounded(text: string | undefined, longest = 40): string {
  const line = (text ?? "").replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = [...line];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : line;
}

/** The newest of some times, or nothing. */
export function newest(times: ReadonlyArray<number | undefined>): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b));
}
