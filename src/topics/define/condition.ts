import { percentOf } from "../../config/base/alert-limit.ts";
import type { Limit, QueryWriter, Recording } from "./recording.ts";
import { matchersOf, matcherOf, valueTest, type Named, type Selector } from "./selector.ts";

/**
 * The condition of an alert: a comparison of one metric, or PromQL where only Prometheus has the past that it needs. One value gives
 * the rule (`promqlOf`) and what the exporter's own pages say (`resultOf`).
 */

/** The values of thresholds, by name; those that are not set have their standard. */
export type ThresholdSettings = ReadonlyMap<string, number>;

/** The value of a limit. */
export function limitOf(limit: Limit, settings: ThresholdSettings): number {
  return typeof limit === "number" ? limit : (settings.get(limit.limit.name) ?? limit.limit.standard);
}

type Comparison =
  /** The value is above, below, at least the limit, or this number. It is the alert's value; of a ratio, in percent. */
  | { readonly above: Limit }
  | { readonly below: Limit }
  | { readonly atLeast: Limit }
  | { readonly equals: number }
  /** The value is a time, Unix seconds, that comes within this many seconds, or was longer ago. The alert's value is the distance in seconds. */
  | { readonly within: Limit }
  | { readonly longerThan: Limit };

/** A comparison of one metric. */
export type Compared = Comparison & {
  readonly of: Named<string> | Selector;
  /**
   * Of two exporters of the same node, both must find it: one that reaches none of its nodes says of each that it is down. Without
   * it one suffices. For whoever runs two.
   */
  readonly unanimous?: true;
  /** Those of two exporters are two alerts: it is about the exporter itself, or is never sent. */
  readonly perExporter?: true;
};

/**
 * The condition of an alert.
 * @example
 * import { peers } from "../node/peers.ts";
 * import { selector } from "./selector.ts";
 * const many: Condition = { of: peers.metrics.silent, above: 100 };
 * const ofOne: Condition = { of: selector({ name: "avax_node_health_check_passing", labels: ["check"] }, { check: "bls" }), equals: 0 };
 * const grows: Condition = { promql: ({ series }) => `max without (instance)(changes(${series(peers.metrics.silent)}[1h])) > 9` };
 */
export type Condition = Compared | { readonly promql: (query: QueryWriter) => string };

/** Whether Prometheus alone can judge it. */
export function isPromql(condition: Condition): condition is Extract<Condition, { readonly promql: unknown }> {
  return "promql" in condition;
}

/** The series that a comparison is about. */
export function seriesOf({ of }: Compared): Selector {
  return "metric" in of ? of : { metric: of, matchers: {} };
}

const isRatio = ({ metric }: Selector): boolean => metric.name.endsWith("_ratio");

/** What compares in PromQL, by kind. */
const OPERATORS = { above: ">", below: "<", atLeast: ">=", equals: "==", within: "<", longerThan: ">" } as const;
export type Kind = keyof typeof OPERATORS;

/** What a comparison compares with, and how. */
function comparisonOf(condition: Compared): { readonly kind: Kind; readonly limit: Limit } {
  if ("above" in condition) return { kind: "above", limit: condition.above };
  if ("below" in condition) return { kind: "below", limit: condition.below };
  if ("atLeast" in condition) return { kind: "atLeast", limit: condition.atLeast };
  if ("within" in condition) return { kind: "within", limit: condition.within };
  if ("longerThan" in condition) return { kind: "longerThan", limit: condition.longerThan };
  return { kind: "equals", limit: condition.equals };
}

type Labels = Readonly<Record<string, string>>;

/**
 * A comparison as a function: the value of the alert where a sample meets it, else `undefined`. The labels of one whose value does not
 * are not read. @param now Unix seconds
 */
export function resultOf(
  condition: Compared,
  settings: ThresholdSettings,
): (sample: { readonly labels: Labels; readonly value: number }, now: number) => number | undefined {
  const selected = seriesOf(condition);
  const tests = Object.entries(selected.matchers).map(
    ([label, matcher]) => [label, valueTest(matcherOf(matcher ?? ""))] as const,
  );
  const { kind, limit } = comparisonOf(condition);
  const than = limitOf(limit, settings);
  const scale = isRatio(selected) ? 100 : 1;
  return (sample, now) => {
    const { value } = sample;
    const result = kind === "within" ? value - now : kind === "longerThan" ? now - value : value;
    const isTrue =
      HOLDS[OPERATORS[kind]](result, than) && tests.every(([label, test]) => test(sample.labels[label] ?? ""));
    return isTrue ? result * scale : undefined;
  };
}

const HOLDS: Readonly<Record<(typeof OPERATORS)[Kind], (value: number, limit: number) => boolean>> = {
  ">": (value, limit) => value > limit,
  "<": (value, limit) => value < limit,
  ">=": (value, limit) => value >= limit,
  "==": (value, limit) => value === limit,
};

/**
 * For how long a page rests on the last sample of its series: an exporter that restarts must not end it, and one that stays away is
 * reported by AvaxExporterAbsent after five minutes. A page whose condition has ended ends at once, as its series says so.
 */
export const BRIDGED = "6m";

/** What an expression reads. */
export type Read = Recording | Limit | { readonly family: string };

export type Rendering = {
  readonly settings: ThresholdSettings;
  /** It is bridged over restarts of the exporter. */
  readonly isPage: boolean;
  /** Further matchers of the exporter's own series, as text. */
  readonly more: readonly string[];
  /** Recordings are replaced by what they record: a Prometheus can lack them, or have those of another release. */
  readonly inline?: boolean;
  /** Gets each recording, each family and each limit that is read. */
  readonly reads?: (read: Read) => unknown;
};

/** The condition as PromQL. */
export function promqlOf(condition: Condition, rendering: Rendering): string {
  if (isPromql(condition)) return condition.promql(queryOf(rendering));
  const { value, kind, than } = comparedQueryOf(condition, rendering);
  return `${value} ${OPERATORS[kind]} ${than}`;
}

/** A comparison in two parts, for what takes a query and a threshold: PromQL of the alert's value, and what it is compared with. */
export function comparedQueryOf(
  condition: Compared,
  rendering: Rendering,
): { readonly value: string; readonly kind: Kind; readonly than: number } {
  const query = queryOf(rendering);
  const { isPage } = rendering;
  const selected = seriesOf(condition);
  const found = query.series(selected.metric, selected.matchers);
  const { kind, limit: given } = comparisonOf(condition);
  const series = isPage ? `last_over_time(${found}[${BRIDGED}])` : found;
  const joined = condition.perExporter === true ? series : `${worstOf(condition)} without (instance)(${series})`;
  const value = isRatio(selected) ? `100 * ${joined}` : joined;
  const distance = kind === "within" ? `${value} - time()` : kind === "longerThan" ? `time() - ${value}` : value;
  const than = query.limit(given);
  return { value: distance, kind, than: isRatio(selected) ? percentOf(than) : than };
}

/** What writes the PromQL of conditions and recordings. */
export function queryOf(rendering: Omit<Rendering, "isPage">): QueryWriter {
  const { settings, more, inline = false, reads } = rendering;
  const query: QueryWriter = {
    series(metric, matchers = {}) {
      reads?.({ family: metric.name });
      return selectorText(metric, matchers, more);
    },
    recorded(recording) {
      reads?.(recording);
      return inline ? `(${recording.promql(query)})` : selectorText(recording, {}, equalOf(more));
    },
    limit(limit) {
      reads?.(limit);
      return limitOf(limit, settings);
    },
  };
  return query;
}

/** Which of the values of two exporters counts: the one that meets the condition, or the other where both must. */
function worstOf(condition: Compared): "max" | "min" {
  const { kind, limit } = comparisonOf(condition);
  const isHigh = kind === "above" || kind === "atLeast" || (kind === "equals" && limit !== 0);
  return isHigh === (condition.unanimous !== true) ? "max" : "min";
}

/** Recorded series have the labels of what must be equal alone. */
function equalOf(more: readonly string[]): readonly string[] {
  return more.filter((each) => /^\w+="/.test(each));
}

function selectorText(
  { name }: { readonly name: string },
  matchers: Readonly<Record<string, string | undefined>>,
  more: readonly string[],
): string {
  const ours = /^(?:[a-z]+:)?avax_/.test(name) ? more : [];
  const all = [...ours, ...matchersOf(matchers)];
  return all.length === 0 ? name : `${name}{${all.join(",")}}`;
}
