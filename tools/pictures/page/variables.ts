import type { Choice, Dashboard, Span, Variable } from "./dashboard.ts";
import { askNow } from "./prometheus.ts";

/** A variable with its values, as it stands on the bar and in expressions. */
export type Filled = {
  readonly label: string;
  readonly shown: string;
  readonly text: string;
  readonly isHidden: boolean;
};
export type Values = ReadonlyMap<string, Filled>;

/** Grafana's number of a variable that the bar does not show. */
const HIDDEN = 2;

/** Fills the variables in their order; a later one may use those before it. */
export async function fillVariables({ templating }: Dashboard, choice: Choice, span: Span): Promise<Values> {
  const values = new Map<string, Filled>();
  for (const variable of templating.list) {
    const label = variable.label ?? variable.name;
    if (variable.type === "datasource") {
      values.set(variable.name, { label, shown: "Prometheus", text: "prometheus", isHidden: false });
      continue;
    }
    const offered = await offers(variable, values, span);
    const chosen = choice[variable.name] ?? (variable.includeAll === false ? offered.slice(0, 1) : undefined);
    const text = chosen !== undefined ? joined(chosen) : (variable.allValue ?? joined(offered));
    values.set(variable.name, { label, shown: chosen?.join(" + ") ?? "All", text, isHidden: variable.hide === HIDDEN });
  }
  return values;
}

/** An expression as Prometheus gets it. `step` in seconds. */
export function interpolate(expr: string, values: Values, { from, to, scrape }: Span, step: number): string {
  const rate = Math.max(4 * scrape, step + scrape);
  return expr
    .replaceAll("$__rate_interval", `${rate}s`)
    .replaceAll("$__interval", `${step}s`)
    .replaceAll("$__range", `${to - from}s`)
    .replaceAll(/\$\{?(\w+)\}?/g, (all, name: string) => values.get(name)?.text ?? all);
}

async function offers({ query, regex }: Variable, values: Values, span: Span): Promise<readonly string[]> {
  const [, metric, label] = /^label_values\((.*), (\w+)\)$/s.exec(query) ?? [];
  if (metric !== undefined && label !== undefined) {
    const series = await askNow(`group by (${label}) (${interpolate(metric, values, span, 15)})`, span);
    return series.flatMap(({ metric: labels }) => labels[label] ?? []).sort();
  }
  const [, expr = ""] = /^query_result\((.*)\)$/s.exec(query) ?? [];
  const pattern = new RegExp((regex ?? "").replace(/^\/|\/$/g, ""));
  const series = await askNow(interpolate(expr, values, span, 15), span);
  const texts = series.map(
    ({ metric: labels }) =>
      `{${Object.entries(labels)
        .map(([name, value]) => `${name}="${value}"`)
        .join(",")}}`,
  );
  return texts.flatMap((text) => pattern.exec(text)?.[1] ?? []).sort();
}

function joined(options: readonly string[]): string {
  const escaped = options.map((option) => option.replaceAll(/[.+*?^$()[\]{}|\\]/g, "\\\\$&"));
  return escaped.length === 1 ? (escaped[0] ?? "") : `(${escaped.join("|")})`;
}
