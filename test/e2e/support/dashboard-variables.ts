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
  const [, asked] = /, (\w+)\)$/.exec(variable.query) ?? [];
  const [, shown] = /^\/(\w+)=/.exec(variable.regex ?? "") ?? [];
  // The labels of the scrape are not in the answer under their own names.
  const expr = `label_replace(${chosen(variableExpression(variable), values)}, "offered", "$1", "${shown ?? asked ?? ""}", "(.+)")`;
  const series = [...(await query(expr)).values()];
  return [...new Set(series.flatMap(({ labels }) => labels["offered"] ?? []))];
}

/** An expression with the values of its variables. */
export function chosen(expr: string, values: Values): string {
  return expr.replaceAll(/\$([a-z]\w*)/g, (all, name: string) => values.get(name)?.text ?? all);
}
