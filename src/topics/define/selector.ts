import type { SCOPE_LABELS, Scope } from "./metric.ts";

export type Matcher = { readonly label: string; readonly operator: "=" | "!=" | "=~" | "!~"; readonly value: string };

/** Whether a text is the operator of a matcher. */
export function isMatching(text: string | undefined): text is Matcher["operator"] {
  return text === "=" || text === "!=" || text === "=~" || text === "!~";
}

type ScopeLabel = (typeof SCOPE_LABELS)[Scope][number];
/** Labels that Prometheus puts on every series of a scrape. */
type ScrapeLabel = "job" | "instance";

/** A metric or a recorded series. */
export type Named<L extends string> = { readonly name: string; readonly labels: readonly L[] };

/** The number of observations of a summary or histogram, or their sum. */
export const countOf = <L extends string>({ name, labels }: Named<L>): Named<L> => ({ name: `${name}_count`, labels });
export const sumOf = <L extends string>({ name, labels }: Named<L>): Named<L> => ({ name: `${name}_sum`, labels });

/** The buckets of a histogram. */
export const bucketOf = <L extends string>({ name, labels }: Named<L>): Named<L> => ({
  name: `${name}_bucket`,
  labels,
});

/** Names that the exporter adds to series about a validator or a subnet (`named` in `src/poller/poll/collector.ts`). */
type NameLabel = "name" | "subnet_name";

/** Matchers of a metric's series by label. */
export type MatchersOf<L extends string> = { readonly [K in L | ScopeLabel | ScrapeLabel | NameLabel]?: string };

/** Series of a metric, by their labels. */
export type Selector = {
  readonly metric: Named<string>;
  readonly matchers: Readonly<Record<string, string | undefined>>;
};

/** The series of a metric with these labels, `=` unless the value begins with another operator. An unknown label does not compile. */
export const selector = <L extends string>(metric: Named<L>, matchers: MatchersOf<L>): Selector => ({
  metric,
  matchers,
});

/** The same as PromQL. */
export function where<L extends string>(metric: Named<L>, matchers: MatchersOf<L>): string {
  return `${metric.name}{${matchersOf(matchers).join(",")}}`;
}

/** Matchers by label as text; `=` unless the value begins with another operator. */
export function matchersOf(matchers: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(matchers).map(([label, matcher]) => matcherText({ label, ...matcherOf(String(matcher)) }));
}

/** A matcher as PromQL writes it. */
export function matcherText({ label, operator, value }: Matcher): string {
  return `${label}${operator}${JSON.stringify(value)}`;
}

/** The operator and the value of a matcher that begins with its operator, or has none and must be equal. */
export function matcherOf(text: string): { readonly operator: Matcher["operator"]; readonly value: string } {
  const [, operator, value = ""] = /^(=~|!~|!=)?(.*)$/s.exec(text) ?? [];
  return { operator: isMatching(operator) ? operator : "=", value };
}

/** A matcher as a test of a label's value; a missing label is an empty text. Regular expressions match whole values. */
export function valueTest({ operator, value }: Pick<Matcher, "operator" | "value">): (actual: string) => boolean {
  if (operator === "=") return (actual) => actual === value;
  if (operator === "!=") return (actual) => actual !== value;
  const whole = new RegExp(`^(?:${value})$`, "s");
  return operator === "=~" ? (actual) => whole.test(actual) : (actual) => !whole.test(actual);
}
