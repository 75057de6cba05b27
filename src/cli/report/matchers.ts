import type { Metric } from "../../topics/define/metric.ts";
import { matchersOf, matcherText, type Matcher } from "../../topics/define/selector.ts";
import { PromqlError } from "../../diagnosis/promql/expression.ts";
import { parse } from "../../diagnosis/promql/parse.ts";

/** Further matchers of all queries, such as `job="avax-exporter"`. */
export type Matchers = readonly Matcher[];

/** Reads matchers, with or without braces; `undefined` for other text. */
export function parseMatchers(text: string): Matchers | undefined {
  try {
    const inside = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1] ?? text;
    const expression = parse(`a{${inside}}`);
    return expression.kind === "selector" && expression.matchers.length > 0 ? expression.matchers : undefined;
  } catch (error) {
    if (error instanceof PromqlError) return undefined;
    throw error;
  }
}

/** A selector of a metric with these matchers. */
export function selecting(
  { name }: Pick<Metric<never>, "name">,
  matchers: Readonly<Record<string, string>>,
  more: Matchers,
): string {
  return `${name}{${[...matchersOf(matchers), ...more.map(matcherText)].join(",")}}`;
}

/** The same matchers, which also hold for a series without the label: many alerts have no label of the scrape. */
export function orWithout(matchers: Matchers): Matchers {
  return matchers.map((matcher) => {
    if (matcher.operator === "=") return { ...matcher, operator: "=~", value: `${literal(matcher.value)}|` };
    return matcher.operator === "=~" ? { ...matcher, value: `(?:${matcher.value})|` } : matcher;
  });
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
