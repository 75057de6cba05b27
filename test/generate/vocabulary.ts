import { metricsOf } from "../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { EXPORTER_FAMILIES } from "../../src/topics/exporter/exporter-families.ts";
import { RECORDINGS } from "../../src/topics/all/recordings.ts";
import { PROCESS_FAMILIES } from "../../generate/dashboards/parts/process-families.ts";
import { NATIVE_FAMILIES } from "../../src/topics/node/native-families.ts";
import { labelsOf } from "../../generate/reference.ts";
import { recordedExpr } from "../support/recorded-expr.ts";
import { valueTest } from "../../src/topics/define/selector.ts";
import { parsePromql } from "./promql.ts";

/** Labels that Prometheus puts on every series of a scrape. */
const SCRAPED = ["instance", "job"];

/** Labels that one of our alerts has when it fires; a test derives those of each from its expression. */
const ALERTED = [
  ...["alertname", "severity", "name", "subnet_name"],
  ...new Set(ALERTS.flatMap(({ labels }) => labels)),
];

/** Every name that expressions may use, with the labels of its series. */
export const VOCABULARY: ReadonlyMap<string, readonly string[]> = new Map([
  ...TOPICS.flatMap((topic) => metricsOf(topic).map((metric) => names(metric, labelsOf(topic, metric)))).flat(),
  ...Object.values(PROCESS_FAMILIES).map((name): [string, readonly string[]] => [name, SCRAPED]),
  // What nodes export themselves, through the scrape job of `/sd`.
  ...Object.values(NATIVE_FAMILIES).map(({ name, labels }): [string, readonly string[]] => [
    name,
    [...labels, "node", "network", ...SCRAPED],
  ]),
  ...Object.values(EXPORTER_FAMILIES).flatMap((family) => names(family, family.labels)),
  ...RECORDINGS.map(({ name, labels }): [string, readonly string[]] => [name, [...labels, ...SCRAPED]]),
  // What Prometheus itself writes for each target, and for each alert: 1 in its state, and when its condition came to hold.
  ["up", ["node", "network", ...SCRAPED]],
  ["ALERTS", [...ALERTED, "alertstate", ...SCRAPED]],
  ["ALERTS_FOR_STATE", [...ALERTED, ...SCRAPED]],
]);

function names(
  { name, type }: { name: string; type: string },
  labels: readonly string[],
): Array<[string, readonly string[]]> {
  const all = [...labels, ...SCRAPED];
  if (type !== "histogram" && type !== "summary") return [[name, all]];
  return [
    ...(type === "histogram" ? [[`${name}_bucket`, [...all, "le"]] satisfies [string, readonly string[]]] : []),
    [`${name}_sum`, all],
    [`${name}_count`, all],
  ];
}

/** By alert, labels that Prometheus makes of the exporter's when a scrape job sets the same ones. Other alerts cannot use them. */
export const OVERWRITTEN: Readonly<Partial<Record<string, readonly string[]>>> = {
  AvaxLabelsOverwritten: ["exported_node"],
};

/**
 * Faults of an expression: it does not parse, or names a metric or label that does not exist.
 *
 * @param also labels that each of its metrics has besides those of the vocabulary
 */
export function faults(expr: string, also: readonly string[] = []): readonly string[] {
  const { errors, selectors: given, grouping, made } = parsePromql(expr);
  const selectors = given.flatMap((each) => namesOf(each.name).map((name) => ({ ...each, name })));
  const known = [...selectors.flatMap(({ name }) => VOCABULARY.get(name) ?? []), ...made];
  return [
    ...errors,
    ...selectors.filter(({ name }) => !VOCABULARY.has(name)).map(({ name }) => `no metric ${name} in ${expr}`),
    ...selectors.flatMap(({ name, labels }) =>
      labels
        .filter((label) => !also.includes(label) && !VOCABULARY.get(name)?.includes(label))
        .map((label) => `no label ${label} on ${name}`),
    ),
    ...grouping
      .filter((label) => !known.includes(label) && !isScrapersNode(label, expr))
      .map((label) => `no label ${label} in ${expr}`),
    ...(selectors.length === 0 ? [`names no metric: ${expr}`] : []),
  ];
}

/** The names that a pattern of names matches; itself where none is matched. */
function namesOf(pattern: string): readonly string[] {
  const found = /^\w+$/.test(pattern)
    ? []
    : [...VOCABULARY.keys()].filter(valueTest({ operator: "=~", value: pattern }));
  return found.length === 0 ? [pattern] : found;
}

/** `without (node)` on a metric without that label: a scrape job may set it (docs/collectors.md), and the series must stay one. */
function isScrapersNode(label: string, expr: string): boolean {
  return label === "node" && /without \([^)]*\bnode\b/.test(expr);
}

/** Names of families that an expression reads, those behind recorded series included. */
export function read(expr: string): readonly string[] {
  const names = parsePromql(expr).selectors.flatMap(({ name }) => namesOf(name));
  return names.flatMap((name) => {
    const recorded = RECORDINGS.find((each) => each.name === name);
    return recorded === undefined ? [name] : [name, ...read(recordedExpr(recorded))];
  });
}
