import { describe, expect, it } from "vitest";
import { catalogueOf, metricsOf } from "../../src/catalogue/catalogue.ts";
import { TOPICS } from "../../src/definitions/topics.ts";
import { SCOPE_LABELS } from "../../src/catalogue/metric.ts";

/** Every metric with its topic, as `it.each` wants them. */
const METRICS = TOPICS.flatMap((topic) => metricsOf(topic).map((metric) => ({ ...metric, topic, own: metric.labels })));

/** Labels that mean something else to those who aggregate over many exporters, or are reserved. */
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
];

/** What the unit of a gauge or counter may be; a figure of another unit is a count, named in the plural or as a weight. */
const WRONG_UNITS =
  /_(percent|percentage|navax|nanos|nanoseconds|milliseconds|ms|minutes|hours|days|kilobytes|megabytes|mb|gb|second|byte|age|unix)(_|$)/;

describe.each(METRICS)("$name", ({ name, help, type, own, topic }) => {
  it("is written in the exporter's way", () => {
    expect(name).toMatch(/^avax_[a-z0-9]+(_[a-z0-9]+)*$/);
    expect(name).not.toMatch(/^avax_exporter_/);
  });

  it("has the suffix of its type and of no other", () => {
    expect(name.endsWith("_total")).toBe(type === "counter");
    expect(name.endsWith("_info")).toBe(type === "info");
    expect(name).not.toMatch(/_(count|sum|bucket|created)$/);
  });

  it("is in base units", () => {
    expect(name.replace(/_by_last_(received|sent)_age$/, "")).not.toMatch(WRONG_UNITS);
    if (name.includes("timestamp")) expect(name).toMatch(/_timestamp_seconds$/);
    if (/_ratio(_|$)/.test(name)) expect(name).toMatch(/_ratio$/);
    if (name.includes("avax", 5)) expect(name).toMatch(/_avax(_total)?$/);
  });

  it("says in HELP where it comes from", () => {
    // A field in backticks, a method (`info.peers`, `eth_baseFee`), an interface by name, or what the exporter itself knows.
    expect(help).toMatch(/\([^()]*(?:`[^`]+`|\b[a-z]+[._][a-z]\w+|\b[a-z]+ API\b|the exporter's own record)[^()]*\)/);
    expect(help).toMatch(/^[A-Z0-9].*\.$/);
    expect(help).not.toContain("\n");
  });

  it("has labels that mislead nobody", () => {
    expect(own.filter((label) => FORBIDDEN_LABELS.includes(label))).toEqual([]);
    expect(own.filter((label) => !/^[a-z]+(_[a-z]+)*$/.test(label))).toEqual([]);
    expect(new Set(own).size).toBe(own.length);
  });

  it("carries the label of whose fact it is", () => {
    const all: readonly string[] = [...SCOPE_LABELS[topic.scope], ...own];
    const subjects = topic.scope === "hosted" ? ["network", "chain_id", "api", "address"] : ["node", "network"];
    expect(all.some((label) => subjects.includes(label))).toBe(true);
    // Of the facts of a network only one is about a node: which one speaks for it.
    if (topic.scope === "network" && name !== "avax_network_speaker") expect(all).not.toContain("node");
  });
});

describe("the catalogue", () => {
  it("names no family and no endpoint twice", () => {
    const { families } = catalogueOf(TOPICS);
    expect(new Set(families.map(({ name }) => name)).size).toBe(METRICS.length);
  });

  it("gives topics ids of their own and a question", () => {
    expect(new Set(TOPICS.map(({ id }) => id)).size).toBe(TOPICS.length);
    for (const { id, about } of TOPICS) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(about).toMatch(/^[A-Z].*\?$/);
    }
  });
});
