import { describe, expect, it } from "vitest";
import { ALERTS } from "../../src/alerts/alerts.ts";
import { GENERATED_FILES } from "../../src/observability/generated.ts";
import { parsePromql } from "./promql.ts";
import { faults, VOCABULARY } from "./vocabulary.ts";

describe.each(ALERTS)("$name", (alert) => {
  it("is called in one way and has a severity and a duration", () => {
    expect(alert.name).toMatch(/^Avax([A-Z][a-z0-9]+)+$/);
    expect(["critical", "warning", "info"]).toContain(alert.severity);
    expect(alert.for).toMatch(/^\d+[smh]$/);
  });

  it("names only metrics and labels that exist", () => {
    expect(faults(alert.expr)).toEqual([]);
  });

  it("says who or how much", () => {
    if (!alert.expr.startsWith("absent(")) expect(alert.summary).toMatch(/{{ \$(labels\.\w+|value)/);
    expect(alert.description).toMatch(/\d|\$value/);
    expect(alert.summary.length).toBeLessThan(120);
    expect(alert.description).toMatch(/\.$/);
  });

  it("uses labels in its texts that its proof has", () => {
    const used = [...`${alert.summary} ${alert.description}`.matchAll(/\$labels\.(\w+)/g)].map(
      ([, label = ""]) => label,
    );
    const proved = [...Object.keys(alert.fires.labels), "instance", "job"];
    expect(used.filter((label) => !proved.includes(label))).toEqual([]);
  });

  it("has a runbook in whole sentences", () => {
    for (const text of Object.values(alert.runbook)) expect(text).toMatch(/^[^a-z].{10,}[.]$/s);
  });

  it("is proved with series that exist", () => {
    for (const series of [...Object.keys(alert.fires.series), ...Object.keys(alert.silent.series)]) {
      expect(faults(series)).toEqual([]);
    }
  });

  it("is proved silent with the series that it reads", () => {
    const read = parsePromql(alert.expr).selectors.map(({ name }) => name);
    const given = Object.keys(alert.silent.series).flatMap((each) =>
      parsePromql(each).selectors.map(({ name }) => name),
    );
    expect(given.some((name) => read.includes(name))).toBe(true);
  });
});

describe("alerts", () => {
  it("have names of their own", () => {
    expect(new Set(ALERTS.map(({ name }) => name)).size).toBe(ALERTS.length);
  });

  it("and every generated page name only metrics that exist", () => {
    const families = [...VOCABULARY.keys()].map((name) => name.replace(/_(bucket|sum|count)$/, ""));
    const known = new Set([...VOCABULARY.keys(), ...families]);
    const wrong = GENERATED_FILES.filter(({ path }) => path.endsWith(".md")).flatMap(({ path, text }) =>
      [...text().matchAll(/\bavax_[a-z0-9_]+/g)]
        .filter(([name]) => !known.has(name))
        .map(([name]) => `${path}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });
});
