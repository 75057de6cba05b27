import type { SCOPE_LABELS, Metric, Scope } from "./metric.ts";

type ScopeLabel = (typeof SCOPE_LABELS)[Scope][number];

/** A selector of a metric with matchers; a label that the metric does not have does not compile. */
export function where<L extends string>(
  metric: Metric<never, L>,
  matchers: { readonly [K in L | ScopeLabel]?: string },
): string {
  const inside = Object.entries(matchers).map(([label, matcher]) => {
    const [, operator, value] = /^(=~|!~|!=)?(.*)$/s.exec(String(matcher)) ?? [];
    return `${label}${operator ?? "="}${JSON.stringify(value ?? "")}`;
  });
  return `${metric.name}{${inside.join(",")}}`;
}
