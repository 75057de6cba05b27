export type MetricType = "gauge" | "counter" | "info" | "histogram" | "summary";

/** A family as in its header. */
export type Family = { readonly name: string; readonly help: string; readonly type: MetricType };

/** `undefined` is an unknown value. It is not exported; it is never 0. */
export type Value = number | boolean | undefined;

/** Buckets are cumulative and sorted by upper bound; `count` is the bucket of +Inf. */
export type HistogramValue = {
  readonly buckets: ReadonlyArray<readonly [le: number, count: number]>;
  readonly sum: number;
  readonly count: number;
};

/** A summary without quantiles: two series. */
export type SummaryValue = { readonly sum: number; readonly count: number };

export type Sample<L extends string = string, V = Value> = readonly [labels: Readonly<Record<L, string>>, value: V];

/** A series with its value, for what the exporter's own pages judge: the same labels as on /metrics, without empty ones. */
export type Reading = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};
