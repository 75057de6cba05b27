import type { Metric } from "../../topics/define/metric.ts";
import { isMatching, matchersOf, matcherText, type Matcher } from "../../topics/define/selector.ts";

/** Further matchers of all queries, such as `job="avax-exporter"`. */
export type Matchers = readonly Matcher[];

/** One matcher, and what is behind it. */
const MATCHER = /^\s*([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\.)*")\s*(?:,|$)/;

/** Reads matchers, with or without braces; `undefined` for other text. */
export function parseMatchers(text: string): Matchers | undefined {
  let rest = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1] ?? text;
  const found: Matcher[] = [];
  while (rest.trim() !== "") {
    const [whole = "", label = "", operator, quoted = ""] = MATCHER.exec(rest) ?? [];
    const value = textOf(quoted);
    if (!isMatching(operator) || value === undefined || !isExpression(operator, value)) return undefined;
    found.push({ label, operator, value });
    rest = rest.slice(whole.length);
  }
  return found.length === 0 ? undefined : found;
}

function textOf(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

function isExpression(operator: Matcher["operator"], value: string): boolean {
  if (operator === "=" || operator === "!=") return true;
  try {
    return new RegExp(value) instanceof RegExp;
  } catch {
    return false;
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
