import { variableExpression, type DashboardJson, type VariableJson } from "../../generate/dashboards/dashboard.ts";
import type { Prometheus } from "./prometheus.ts";

/** By variable, the values that a dashboard offers, and the text that Grafana fills in for all of them. */
type Values = ReadonlyMap<string, { readonly text: string; readonly offered: readonly string[] }>;
type Query = Prometheus["query"];

/** What Grafana fills in for each variable when "All" is chosen. */
export async function valuesOf({ templating }: DashboardJson, query: Query): Promise<Values> {
  const values = new Map<string, { text: string; offered: readonly string[] }>();
  for (const variable of templating.list.filter(({ type }) => type === "query")) {
    const offered = await offeredBy(variable, values, query);
    values.set(variable.name, { offered, text: `(${offered.join("|")})` });
  }
  return values;
}

async function offeredBy(variable: VariableJson, values: Values, query: Query): Promise<readonly string[]> {
  const series = [...(await query(chosen(variableExpression(variable), values))).values()];
  const [, asked] = /, (\w+)\)$/.exec(variable.query) ?? [];
  const [, shown] = /^\/(\w+)=/.exec(variable.regex ?? "") ?? [];
  const label = shown ?? asked ?? "";
  return [...new Set(series.flatMap(({ labels }) => labels[label] ?? []))];
}

/** An expression with the values of its variables. */
export function chosen(expr: string, values: Values): string {
  return expr.replaceAll(/\$([a-z]\w*)/g, (all, name: string) => values.get(name)?.text ?? all);
}
