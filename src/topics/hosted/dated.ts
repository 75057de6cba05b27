import type { Dated } from "../../api/hosted/hosted.ts";
import { gauges, type Moment } from "../../catalogue/metric.ts";
import type { Sample } from "../../exposition/sample.ts";

/** How old a hosted answer is and whether it is whole: the same two families for each kind of answer. */

/** When each answer was given. */
export function answeredAt<D, const L extends string>(
  name: `${string}_answer_timestamp_seconds`,
  source: string,
  labels: readonly L[],
  rows: (data: D, context: Moment) => ReadonlyArray<readonly [Readonly<Record<L, string>>, Dated]>,
) {
  return gauges<D, L, Moment>(
    name,
    `When the hosted service gave the answer behind these series; an answer older than three intervals is gone (the exporter's own record of ${source}).`,
    labels,
    (data, context) => rows(data, context).map(([row, { at }]) => [row, at]),
  );
}

/** Whether pages were left out. */
export function truncated<D, const L extends string>(
  name: `${string}_truncated`,
  source: string,
  labels: readonly L[],
  rows: (data: D, context: Moment) => ReadonlyArray<readonly [Readonly<Record<L, string>>, Dated]>,
) {
  return gauges<D, L, Moment>(
    name,
    `1 when more pages followed than are read (max_pages): sums and counts of this answer are too small (${source}, \`nextPageToken\`).`,
    labels,
    (data, context) => rows(data, context).map(([row, each]) => [row, each.truncated]),
  );
}

/** The samples of each answer, one after the other. */
export function flat<A, R extends string, L extends string>(
  rows: ReadonlyArray<readonly [Readonly<Record<R, string>>, A]>,
  read: (answer: A, row: Readonly<Record<R, string>>) => ReadonlyArray<Sample<L>>,
): ReadonlyArray<Sample<L>> {
  return rows.flatMap(([row, answer]) => read(answer, row));
}
