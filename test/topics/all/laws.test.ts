import { describe, expect, it } from "vitest";
import { metricsOf, sourceOf } from "../../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import { SCOPE_LABELS, type Metric } from "../../../src/topics/define/metric.ts";
import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";
import type { Topic } from "../../../src/topics/define/topic.ts";

type Declared = { readonly metric: Metric<never, string, never>; readonly topic: Topic };

const METRICS: readonly Declared[] = TOPICS.flatMap((topic) => metricsOf(topic).map((metric) => ({ metric, topic })));

/** Labels that are reserved, or have another meaning where many exporters are aggregated. */
const FORBIDDEN_LABELS = [
  "in",
  "owner",
  "type",
  "region",
  "cluster",
  "env",
  "service",
  "job",
  "instance",
  "le",
  "quantile",
  "__name__",
  // Set by the Prometheus operator, by Kubernetes discovery and by collectors.
  "endpoint",
  "namespace",
  "pod",
  "container",
];

/** Units of gauges and counters; a figure without one is a count, named in the plural or as a weight. */
const WRONG_UNITS =
  /_(percent|percentage|navax|nanos|nanoseconds|milliseconds|ms|minutes|hours|days|kilobytes|megabytes|mb|gb|second|byte|age|unix)(_|$)/;

/** The violations of one law by a metric, in words. */
type Law = (declared: Declared) => readonly string[];

/** The words of the conditions that do not hold. */
const broken = (...conditions: ReadonlyArray<readonly [holds: boolean, words: string]>): readonly string[] =>
  conditions.filter(([holds]) => !holds).map(([, words]) => words);

const LAWS: Readonly<Record<string, Law>> = {
  "is written in the exporter's way": ({ metric: { name, labels }, topic: { across } }) =>
    broken(
      [/^avax_[a-z0-9]+(_[a-z0-9]+)*$/.test(name), "begins with avax_, in lower case"],
      [
        !name.startsWith("avax_exporter_") || (across === true && labels.length === 0),
        "avax_exporter_ is for the exporter's own metrics, which a comparison of all its nodes can give",
      ],
    ),

  "has the suffix of its type and of no other": ({ metric: { name, type } }) =>
    broken(
      [name.endsWith("_total") === (type === "counter"), "_total if and only if it is a counter"],
      [name.endsWith("_info") === (type === "info"), "_info if and only if it is an info"],
      [!/_(count|sum|bucket|created)$/.test(name), "a suffix that a histogram adds"],
    ),

  "is in base units": ({ metric: { name } }) =>
    broken(
      [!WRONG_UNITS.test(name.replace(/_by_last_(received|sent)_age$|_per_second$/, "")), "no base unit"],
      [!name.includes("timestamp") || name.endsWith("_timestamp_seconds"), "a time ends in _timestamp_seconds"],
      [!/_ratio(_|$)/.test(name) || name.endsWith("_ratio"), "a ratio ends in _ratio"],
      [!name.includes("avax", 5) || /_avax(_per_second)?(_total)?$/.test(name), "an amount ends in _avax"],
    ),

  "says in HELP where it comes from": ({ metric: { help } }) =>
    broken(
      // A field in backticks, a method (`info.peers`, `eth_baseFee`), an interface by name, or what the exporter itself knows.
      [
        /\([^()]*(?:`[^`]+`|\b[a-z]+[._][a-z]\w+|\b[a-z]+ API\b|the exporter's own record)[^()]*\)/.test(help),
        "names its source in parentheses",
      ],
      [/^[A-Z0-9].*\.$/.test(help), "is a sentence"],
      [!help.includes("\n"), "is one line"],
    ),

  "has labels that mislead nobody": ({ metric: { labels } }) =>
    broken(
      ...labels.map((label) => [!FORBIDDEN_LABELS.includes(label), `${label} has another meaning`] as const),
      ...labels.map((label) => [/^[a-z]+(_[a-z]+)*$/.test(label), `${label} is not in lower case`] as const),
      [new Set(labels).size === labels.length, "no label twice"],
    ),

  "carries the label of whose fact it is": ({ metric: { name, labels }, topic: { scope } }) => {
    const all: readonly string[] = [...SCOPE_LABELS[scope], ...labels];
    const subjects = scope === "hosted" ? ["network", "evm_chain_id", "api", "address"] : ["node", "network"];
    return broken(
      [all.some((label) => subjects.includes(label)), `one of ${subjects.join(", ")}`],
      // Facts of a network about a node: which one is the reference node, and which one is a validator.
      [
        scope !== "network" ||
          ["avax_network_reference_node", "avax_validator_info"].includes(name) ||
          !all.includes("node"),
        "no node",
      ],
    );
  },
};

describe("every metric of the catalogue", () => {
  it.each(Object.entries(LAWS))("%s", (_, law) => {
    const breaches = METRICS.flatMap((declared) => law(declared).map((words) => `${declared.metric.name}: ${words}`));
    expect(breaches).toEqual([]);
  });
});

describe("the catalogue", () => {
  it("names no family twice, in either format, and no source", () => {
    const families = [...METRICS.map(({ metric }) => metric), ...Object.values(EXPORTER_FAMILIES)];
    const names = families.map(({ name }) => name.replace(/_(total|info)$/, ""));
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
    const sources = [...new Set(TOPICS.flatMap(({ needs }) => Object.values(needs).map(sourceOf)))];
    expect(new Set(sources.map(({ id }) => id)).size).toBe(sources.length);
  });

  it("gives topics ids of their own and a question", () => {
    expect(new Set(TOPICS.map(({ id }) => id)).size).toBe(TOPICS.length);
    for (const { id, about } of TOPICS) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(about).toMatch(/^[A-Z].*\?$/);
    }
  });
});
