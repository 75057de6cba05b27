import { partsOf, type Dated } from "../../api/hosted/hosted.ts";
import type { Moment } from "../define/metric.ts";
import type { Sample, Value } from "../../exposition/sample.ts";

/** Rows of hosted answers. */

type Row<L extends string, A> = readonly [labels: Readonly<Record<L, string>>, answer: A];
type Rows<D, L extends string, A> = (data: D, context: Moment) => ReadonlyArray<Row<L, A>>;

/** The alias of a chain that the Data API names `p-chain`, `x-chain` or `c-chain`; other chains have their ID. */
function chainAlias(name: string): string {
  return /^[pxc]-chain$/.test(name) ? name.charAt(0).toUpperCase() : name;
}

/** A row for each answer. The parts of its key are the values of `labels`, in their order. */
export function rowsOf<const L extends string, A>(
  labels: readonly L[],
  answers: ReadonlyMap<string, A> | undefined,
): ReadonlyArray<Row<L, A>> {
  return [...(answers ?? [])].map(([key, answer]) => {
    const parts = partsOf(key);
    const row = Object.fromEntries(
      labels.map((label, index) => [label, label === "chain" ? chainAlias(parts[index] ?? "") : (parts[index] ?? "")]),
    );
    return [row as Readonly<Record<L, string>>, answer] as const;
  });
}

/** Like `rowsOf`, with the label of the network. */
export function networkRows<const L extends string, A>(
  labels: readonly L[],
  answers: ReadonlyMap<string, A> | undefined,
  { networkLabel: network }: Moment,
): ReadonlyArray<Row<L | "network", A>> {
  return rowsOf(labels, answers).map(([row, answer]) => [{ network, ...row }, answer]);
}

/** The rows whose listing was read to its end: sums over one that was cut off would be too low. */
export function whole<D, L extends string, A extends Dated>(rows: Rows<D, L, A>): Rows<D, L, A> {
  return (data, context) => rows(data, context).filter(([, { truncated }]) => !truncated);
}

/** One sample for each row. */
export function each<D, L extends string, A>(rows: Rows<D, L, A>, read: (answer: A) => Value) {
  return (data: D, context: Moment) => rows(data, context).map(([row, answer]) => [row, read(answer)] as const);
}

/** Several samples for each row. */
export function flat<D, R extends string, A, L extends string>(
  rows: Rows<D, R, A>,
  read: (answer: A, row: Readonly<Record<R, string>>) => ReadonlyArray<Sample<L>>,
) {
  return (data: D, context: Moment) => rows(data, context).flatMap(([row, answer]) => read(answer, row));
}

/** The earliest of some times; `undefined` without any, and where one is unknown: it can be earlier. */
export function earliest(times: ReadonlyArray<number | undefined>): number | undefined {
  return extreme(times, Math.min);
}

/** The latest of some times; `undefined` without any, and where one is unknown. */
export function latest(times: ReadonlyArray<number | undefined>): number | undefined {
  return extreme(times, Math.max);
}

function extreme(times: ReadonlyArray<number | undefined>, of: (a: number, b: number) => number): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length < times.length || known.length === 0 ? undefined : known.reduce((a, b) => of(a, b));
}
