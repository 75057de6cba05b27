import type { MetricObjectWithValues, MetricValue, Registry } from "prom-client";
import type { Family } from "../exposition/sample.ts";
import { canonicalNumber, renderSamples } from "../exposition/render-samples.ts";

/**
 * The process's own counters, histograms and runtime metrics are in prom-client. They are read as data and rendered here,
 * because prom-client's OpenMetrics output renames its counters permanently.
 */

/** Values of histograms and summaries have their own metric name, which the type declaration lacks. */
type OwnValue = MetricValue<string> & { readonly metricName?: string };
type Own = MetricObjectWithValues<OwnValue>;

/**
 * The families of a registry with their present lines, in the order of registration. Gauges of prom-client whose names end in
 * `_total` are left out: the suffix is for counters, and they are sums of other gauges.
 */
export async function exporterExposition(
  registry: Registry,
): Promise<ReadonlyArray<{ readonly family: Family; readonly text: string }>> {
  const metrics = await registry.getMetricsAsJSON();
  return metrics
    .map((metric) => {
      const family = { name: metric.name, help: metric.help, type: typeOf(metric) };
      return { family, text: metric.values.map((value) => lineOf(family.name, value)).join("") };
    })
    .filter(({ family: { name, type } }) => type !== "gauge" || !name.endsWith("_total"));
}

/** The declared type is a numeric enumeration; the value is its name. */
function typeOf({ type }: Own): Family["type"] {
  const name = String(type);
  return name === "counter" || name === "histogram" || name === "summary" ? name : "gauge";
}

/** Histograms and summaries list all lines of a label set together, each with its own name. */
function lineOf(family: string, { metricName: name = family, labels, value }: OwnValue): string {
  const shown = Object.entries(labels).map(([label, text]) => [label, labelValue(label, text)] as const);
  return renderSamples({ name, type: "gauge" }, {}, [[Object.fromEntries(shown), value]]).text;
}

function labelValue(name: string, value: string | number | undefined): string {
  if (name === "le" || name === "quantile") return canonicalNumber(value === "+Inf" ? Infinity : Number(value));
  return value === undefined ? "" : String(value);
}
