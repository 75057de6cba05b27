import type { MetricObjectWithValues, MetricValue, Registry } from "prom-client";
import type { Sample } from "../exposition/sample.ts";
import { canonicalNumber, renderSamples } from "../exposition/format.ts";
import type { Family } from "../exposition/sample.ts";

/**
 * The process's own counters, histograms and runtime metrics live in prom-client. They are read as data and rendered here,
 * because prom-client's OpenMetrics output renames its counters for good.
 */

/** The lines of histograms and summaries name themselves; the declaration does not tell. */
type OwnValue = MetricValue<string> & { readonly metricName?: string };
type Own = MetricObjectWithValues<OwnValue>;

/**
 * Families of a registry with their lines at this moment, in the order of registration. prom-client's gauges that are
 * called `_total` are left out: the name says counter, and they are the sums of other gauges.
 */
export async function exporterExposition(
  registry: Registry,
): Promise<ReadonlyArray<{ readonly family: Family; readonly text: string }>> {
  const metrics = await registry.getMetricsAsJSON();
  return metrics.filter(isWellNamed).map((metric) => {
    const family: Family = { name: metric.name, help: metric.help, type: typeOf(metric) };
    return { family, text: family.type === "gauge" || family.type === "counter" ? plain(metric) : composed(metric) };
  });
}

function isWellNamed(metric: Own): boolean {
  return typeOf(metric) !== "gauge" || !metric.name.endsWith("_total");
}

/** The declaration promises a numeric enumeration; what comes is the word. */
function typeOf(metric: Own): Family["type"] {
  const word = String(metric.type);
  return word === "counter" || word === "histogram" || word === "summary" ? word : "gauge";
}

function plain(metric: Own): string {
  return renderSamples({ name: metric.name, type: "gauge" }, {}, metric.values.map(sampleOf)).text;
}

/** Histograms and summaries bring the lines of each label set together, each with the name of its own. */
function composed(metric: Own): string {
  const lines = metric.values.map((value) => {
    const name = value.metricName ?? metric.name;
    return renderSamples({ name, type: "gauge" }, {}, [sampleOf(value)]).text;
  });
  return lines.join("");
}

function sampleOf({ labels, value }: MetricValue<string>): Sample {
  const entries = Object.entries(labels).map(([name, label]) => [name, labelValue(name, label)] as const);
  return [Object.fromEntries(entries), value];
}

function labelValue(name: string, value: string | number | undefined): string {
  if (name === "le" || name === "quantile") return canonicalNumber(value === "+Inf" ? Infinity : Number(value));
  return value === undefined ? "" : String(value);
}
