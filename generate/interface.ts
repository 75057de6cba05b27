import manifest from "../package.json" with { type: "json" };
import { metricsOf } from "../src/topics/define/catalogue.ts";
import type { Severity } from "../src/topics/define/alert.ts";
import { configJsonSchema } from "../src/config/json-schema.ts";
import { ALERTS } from "../src/topics/all/alerts.ts";
import { RECORDINGS } from "../src/topics/all/recordings.ts";
import { TOPICS } from "../src/topics/all/topics.ts";
import type { MetricType } from "../src/exposition/sample.ts";
import { PROBE_FAMILIES } from "../src/poller/probe/probe.ts";
import { EXPORTER_FAMILIES } from "../src/topics/exporter/exporter-families.ts";
import { labelsOf } from "./reference.ts";
import { resultLabels, type SeriesLabels } from "./series-labels.ts";

/**
 * What users build on: names, types and labels that a dashboard, a rule, a route or a configuration file refers to. Each list is
 * sorted by name; labels are in the order of the exposition. Labels that Prometheus adds and the families of prom-client are
 * left out.
 */
export type Interface = {
  readonly version: string;
  readonly families: ReadonlyArray<Named & { readonly type: MetricType }>;
  readonly alerts: ReadonlyArray<Named & { readonly severity: Severity }>;
  readonly recordings: readonly Named[];
  /** Top-level keys of the configuration file. */
  readonly configuration: readonly string[];
};

type Named = { readonly name: string; readonly labels: readonly string[] };

/** Labels that Prometheus adds to the series of a scrape. */
const SCRAPED: readonly string[] = ["instance", "job"];

export function currentInterface(): Interface {
  const families = currentFamilies();
  const known = knownSeries(families);
  const labelled = (expr: string) => resultLabels(expr, known).filter((label) => !SCRAPED.includes(label));
  const recordings: Named[] = RECORDINGS.map(({ name, expr }) => ({ name, labels: labelled(expr) }));
  return {
    version: manifest.version,
    families: families.toSorted(byName),
    alerts: ALERTS.map(({ name, severity, expr }) => ({ name, severity, labels: labelled(expr) })).toSorted(byName),
    recordings: recordings.toSorted(byName),
    configuration: configurationKeys().toSorted(),
  };
}

function currentFamilies(): Interface["families"] {
  return [
    ...TOPICS.flatMap((topic) => metricsOf(topic).map((metric) => familyOf(metric, labelsOf(topic, metric)))),
    ...Object.values(EXPORTER_FAMILIES).map((family) => familyOf(family, family.labels)),
    ...Object.values(PROBE_FAMILIES).map((family) => familyOf(family, family.labels)),
  ];
}

/** Labels of all series of these families, and of the recorded series. */
function knownSeries(families: Interface["families"]): SeriesLabels {
  let known: SeriesLabels = new Map(families.flatMap(seriesNames));
  for (const { name, expr } of RECORDINGS) known = new Map([...known, [name, resultLabels(expr, known)]]);
  return known;
}

/** The labels that each alert carries when it fires, those of a scrape included. */
export function alertLabels(): ReadonlyMap<string, readonly string[]> {
  const known = knownSeries(currentFamilies());
  return new Map(ALERTS.map(({ name, expr }) => [name, resultLabels(expr, known)]));
}

function familyOf({ name, type }: { readonly name: string; readonly type: MetricType }, labels: readonly string[]) {
  return { name, type, labels };
}

/** The series of a family, with the labels of a scrape. */
function seriesNames({ name, labels }: Named): ReadonlyArray<readonly [string, readonly string[]]> {
  const all = [...labels, ...SCRAPED];
  return [
    [name, all],
    [`${name}_bucket`, [...all, "le"]],
    [`${name}_sum`, all],
    [`${name}_count`, all],
  ];
}

function configurationKeys(): readonly string[] {
  const { properties } = configJsonSchema() as { readonly properties: object };
  return Object.keys(properties);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** `docs/reference/interface.json`: one entry per line, so that diffs read well. */
export function interfaceFile(described: Interface = currentInterface()): string {
  const { version, ...lists } = described;
  const list = ([key, entries]: [string, readonly unknown[]]) =>
    `  ${JSON.stringify(key)}: [\n${entries.map((entry) => `    ${line(entry)}`).join(",\n")}\n  ]`;
  return `{\n  "version": ${JSON.stringify(version)},\n${Object.entries(lists).map(list).join(",\n")}\n}\n`;
}

/** JSON in a line, with a space after each comma and colon. */
function line(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(line).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${line(each)}`);
  return `{ ${entries.join(", ")} }`;
}
