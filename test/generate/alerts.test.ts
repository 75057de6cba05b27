import { describe, expect, it } from "vitest";
import { SEVERITIES } from "../../src/topics/define/alert.ts";
import { isOfValidator } from "../../src/topics/all/joined-alert.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { RECORDINGS } from "../../src/topics/all/recordings.ts";
import { casesOf } from "../rule-cases/cases-of.ts";
import { RECORDING_CASES } from "../rule-cases/recordings.ts";
import { GENERATED_FILES } from "../../generate/generated-files.ts";
import { briefly } from "../../generate/rules/rules.ts";
import { parsePromql } from "./promql.ts";
import { faults, OVERWRITTEN, read, VOCABULARY } from "./vocabulary.ts";
import { recordedExpr } from "../support/recorded-expr.ts";

describe.each(ALERTS)("$name", (alert) => {
  it("has a name of the common form, a severity and a duration", () => {
    expect(alert.name).toMatch(/^Avax([A-Z][a-z0-9]+)+$/);
    expect(SEVERITIES).toContain(alert.severity);
    expect(alert.for).toMatch(/^\d+[smh]$/);
  });

  it("names only metrics and labels that exist", () => {
    if (alert.expr !== "vector(1)") expect(faults(alert.expr, OVERWRITTEN[alert.name])).toEqual([]);
  });

  it("has a label or a figure in its texts", () => {
    // What is about an exporter as a whole names none: its texts name the scrape job.
    const isOfAll = alert.expr.startsWith("absent(") || alert.name === "AvaxExporterCannotPoll";
    if (!isOfAll) expect(alert.summary).toMatch(/{{ (or )?\$(labels\.\w+|value)/);
    // A description that repeats the duration of the rule is false once a user sets another one.
    expect(alert.description ?? ".").toMatch(/^(?!.*\b[Ff]or \d+ (second|minute|hour|day)s?\b).*\.$/);
  });

  it("has an action, a resolution and a description that a phone shows", () => {
    const { action, over = "", description = "" } = alert;
    expect(briefly(action).length).toBeLessThanOrEqual(90);
    expect(over.length).toBeLessThanOrEqual(65);
    // A name that begins with a small letter would get the subject before it.
    expect(over).not.toMatch(/^\{/);
    expect(description.length).toBeLessThanOrEqual(130);
  });

  it("uses labels in its texts that it has", () => {
    const used = [...`${alert.summary} ${alert.description ?? ""}`.matchAll(/\$labels\.(\w+)/g)].map(
      ([, label = ""]) => label,
    );
    const names = isOfValidator(alert) ? ["name", "node"] : ["name"];
    const proved = [...alert.labels, ...names, "subnet_name", "instance", "job"];
    expect(used.filter((label) => !proved.includes(label))).toEqual([]);
  });

  it("has a runbook in whole sentences", () => {
    const { commands, meaning, confirm, action, falseWhen } = alert;
    expect(Object.keys(commands)).not.toEqual([]);
    for (const text of [meaning, confirm, action, falseWhen]) expect(text).toMatch(/^[^a-z].{10,}[.]$/s);
  });

  it("is proved with series that exist", () => {
    const { fires, silent = {} } = casesOf(alert);
    for (const series of [...Object.keys(fires), ...Object.keys(silent)]) {
      expect(faults(series, OVERWRITTEN[alert.name])).toEqual([]);
    }
  });

  it("is proved silent with the series that it reads", () => {
    const { silent } = casesOf(alert);
    if (silent === undefined) return;
    const asked = read(alert.expr);
    const given = Object.keys(silent).flatMap((each) => parsePromql(each).selectors.map(({ name }) => name));
    expect(given.some((name) => asked.includes(name))).toBe(true);
  });
});

describe.each(RECORDINGS)("$name", (recording) => {
  const { name, labels, about } = recording;
  const expr = recordedExpr(recording);
  const proof = RECORDING_CASES[name];

  it("has its level, metric and operations in its name", () => {
    expect(name).toMatch(/^[a-z]+:avax_[a-z0-9_]+:[a-z0-9_]+$/);
    expect(about).toMatch(/^[A-Z0-9].{20,}\.$/);
  });

  it("names only metrics and labels that exist", () => {
    expect(faults(expr)).toEqual([]);
    for (const series of Object.keys(proof?.series ?? {})) expect(faults(series)).toEqual([]);
  });

  it("has the labels that it says, by its proof", () => {
    expect(proof).toBeDefined();
    for (const sample of Object.keys(proof?.samples ?? {})) {
      const found = [...sample.matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
      expect(found.filter((label) => label !== "instance").sort()).toEqual([...labels].sort());
    }
  });
});

describe("alerts", () => {
  it("have unique names", () => {
    expect(new Set(ALERTS.map(({ name }) => name)).size).toBe(ALERTS.length);
  });

  it("and generated pages name only metrics that exist", () => {
    const families = [...VOCABULARY.keys()].map((name) => name.replace(/_(bucket|sum|count)$/, ""));
    const known = new Set([...VOCABULARY.keys(), ...families]);
    const wrong = GENERATED_FILES.filter(({ path }) => path.endsWith(".md")).flatMap(({ path, text }) =>
      [...text().matchAll(/\b(?:[a-z]+:)?avax_[a-z0-9_]+(?::\w+)?/g)]
        .filter(([name]) => !known.has(name))
        .map(([name]) => `${path}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });
});
