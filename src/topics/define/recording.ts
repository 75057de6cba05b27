import type { Query } from "./condition.ts";

/** A recording rule for a figure over time that several alerts read, or that is too long for one: PromQL over the nodes' own series. */
export type Recording = {
  /** `level:metric:operations`. */
  readonly name: `${string}:avax_${string}:${string}`;
  /** What the series is, in a sentence. */
  readonly about: string;
  readonly promql: (query: Query) => string;
  /** Labels of its series, without those of the scrape. */
  readonly labels: readonly string[];
};
