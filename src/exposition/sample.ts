/** What is exposed: families of samples, before they are text. */

export type MetricType = "gauge" | "counter" | "info" | "histogram";

/** A family as its header shows it. Topics have no summaries; the process's own metrics may. */
export type Family = { readonly name: string; readonly help: string; readonly type: MetricType | "summary" };

/** A value, or nothing when it is not known: unknown is absent, never 0. */
export type Value = number | boolean | undefined;

/** Cumulative counts of a histogram: one per upper bound, the last bound is +Inf by `count`. */
export type HistogramValue = {
  readonly buckets: ReadonlyArray<readonly [le: number, count: number]>;
  readonly sum: number;
  readonly count: number;
};

export type Sample<L extends string = string, V = Value> = readonly [labels: Readonly<Record<L, string>>, value: V];
