import type { MatchersOf, Named } from "./selector.ts";
import type { Threshold } from "./threshold.ts";

/** A limit, which a user may change where it is a threshold. In the unit of the metric: a ratio is 0 to 1. */
export type Limit = number | Threshold;

/** What writes PromQL: selectors with the matchers that a user adds, and limits with the values that he set. */
export type QueryWriter = {
  readonly series: <L extends string>(metric: Named<L>, matchers?: MatchersOf<L>) => string;
  readonly recorded: (recording: Recording) => string;
  readonly limit: (limit: Limit) => number;
};

/** A recording rule for a figure over time that several alerts read, or that is too long for one: PromQL over the nodes' own series. */
export type Recording = {
  /** `level:metric:operations`. */
  readonly name: `${string}:avax_${string}:${string}`;
  /** What the series is, in a sentence. */
  readonly about: string;
  readonly promql: (query: QueryWriter) => string;
  /** Labels of its series, without those of the scrape. */
  readonly labels: readonly string[];
};
