import { partsOf, type Dated } from "../../api/hosted/hosted-endpoint.ts";
import type { Rows } from "../define/metric.ts";

/** Rows of hosted answers. */

type Answers<D, A> = (data: D) => ReadonlyMap<string, A> | undefined;

/** The alias of a chain that the Data API names `p-chain`, `x-chain` or `c-chain`; other chains have their ID. */
function chainAlias(name: string): string {
  return /^[pxc]-chain$/.test(name) ? name.charAt(0).toUpperCase() : name;
}

/** A row for each answer. The parts of its key are the values of `labels`, in their order. */
export function rowsOf<const L extends string, D, A>(labels: readonly L[], answers: Answers<D, A>): Rows<D, L, A> {
  return {
    labels,
    of: (data) =>
      [...(answers(data) ?? [])].map(([key, answer]) => {
        const parts = partsOf(key);
        const values = labels.map((label, index) => {
          const part = parts[index] ?? "";
          return [label, label === "chain" ? chainAlias(part) : part];
        });
        return [Object.fromEntries(values) as Readonly<Record<L, string>>, answer];
      }),
  };
}

/** Like `rowsOf`, with the label of the network. */
export function networkRows<const L extends string, D, A>(
  labels: readonly L[],
  answers: Answers<D, A>,
): Rows<D, L | "network", A> {
  const rows = rowsOf(labels, answers);
  return {
    labels: ["network", ...labels],
    of: (data, context) =>
      rows.of(data, context).map(([row, answer]) => [{ network: context.networkLabel, ...row }, answer]),
  };
}

/** The rows whose listing was read to its end: sums over one that was cut off would be too low. */
export function whole<D, L extends string, A extends Dated>({ labels, of }: Rows<D, L, A>): Rows<D, L, A> {
  return { labels, of: (data, context) => of(data, context).filter(([, { truncated }]) => !truncated) };
}

type Group<T> = readonly [text: string, rows: readonly T[]];

/** Rows by a closed set of texts, and those with any other text as `other`; a text can have no rows. */
export function byKnown<T>(known: readonly string[], rows: readonly T[], textOf: (row: T) => string): Group<T>[] {
  const found = Map.groupBy(rows, (row) => (known.includes(textOf(row)) ? textOf(row) : "other"));
  return [...known, "other"].map((text) => [text, found.get(text) ?? []]);
}

/** The first or last of some times; `undefined` without any, and where one is unknown: it can be the one. */
const extreme =
  (of: (...times: number[]) => number) =>
  (times: ReadonlyArray<number | undefined>): number | undefined => {
    const known = times.filter((time) => time !== undefined);
    return known.length < times.length || known.length === 0 ? undefined : of(...known);
  };
export const earliest = extreme(Math.min);
export const latest = extreme(Math.max);
