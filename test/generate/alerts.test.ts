import { describe, expect, it } from "vitest";
import { SEVERITIES, type Alert, isOfValidator } from "../../src/topics/define/alert.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { RECORDINGS } from "../../src/topics/all/recordings.ts";
import { casesOf } from "../rule-cases/cases-of.ts";
import { RECORDING_CASES } from "../rule-cases/recordings.ts";
import { GENERATED_FILES } from "../../generate/generated-files.ts";
import { briefly } from "../../generate/rules/rules.ts";
import { parsePromql } from "./promql.ts";
import { faults, OVERWRITTEN, read, VOCABULARY } from "./vocabulary.ts";
import { recordedExpr } from "../support/recorded-expr.ts";

/** Faults of one alert, in words. */
type Law = (alert: Alert) => readonly string[];

/** The words of the conditions that do not hold. */
const broken = (...conditions: ReadonlyArray<readonly [holds: boolean, words: string]>): readonly string[] =>
  conditions.filter(([holds]) => !holds).map(([, words]) => words);

const LAWS: Readonly<Record<string, Law>> = {
  "has a name of the common form, a severity and a duration": ({ name, severity, for: lasting }) =>
    broken(
      [/^Avax([A-Z][a-z0-9]+)+$/.test(name), "name"],
      [SEVERITIES.includes(severity), `severity ${severity}`],
      [/^\d+[smh]$/.test(lasting), `for ${lasting}`],
    ),

  "names only metrics and labels that exist": ({ name, expr }) =>
    expr === "vector(1)" ? [] : faults(expr, OVERWRITTEN[name]),

  "has a label or a figure in its texts": ({ name, expr, summary, description = "." }) => {
    // What is about an exporter as a whole names none: its texts name the scrape job.
    const isOfAll = expr.startsWith("absent(") || name === "AvaxExporterCannotPoll";
    return broken(
      [isOfAll || /{{ (or )?\$(labels\.\w+|value)/.test(summary), summary],
      // A description that repeats the duration of the rule is false once a user sets another one.
      [/^(?!.*\b[Ff]or \d+ (second|minute|hour|day)s?\b).*\.$/.test(description), description],
    );
  },

  "has an action, a resolution and a description that a phone shows": ({ action, over = "", description = "" }) =>
    broken(
      [briefly(action).length <= 90, action],
      // A name that begins with a small letter would get the subject before it.
      [over.length <= 65 && !over.startsWith("{"), over],
      [description.length <= 130, description],
    ),

  "uses labels in its texts that it has": (alert) => {
    const used = `${alert.summary} ${alert.description ?? ""}`.matchAll(/\$labels\.(\w+)/g);
    const names = isOfValidator(alert) ? ["name", "node"] : ["name"];
    const proved = [...alert.labels, ...names, "subnet_name", "instance", "job"];
    return [...used].map(([, label = ""]) => label).filter((label) => !proved.includes(label));
  },

  "has a runbook in whole sentences": ({ commands, meaning, confirm, action, falsePositives }) => [
    ...broken([Object.keys(commands).length > 0, "no command"]),
    ...[meaning, confirm, action, falsePositives].filter((text) => !/^[^a-z].{10,}[.]$/s.test(text)),
  ],

  "is proved with series that exist": (alert) => {
    const { fires, silent = {} } = casesOf(alert);
    return [...Object.keys(fires), ...Object.keys(silent)].flatMap((series) => faults(series, OVERWRITTEN[alert.name]));
  },

  "is proved silent with the series that it reads": (alert) => {
    const silent = Object.keys(casesOf(alert).silent ?? {});
    const given = silent.flatMap((each) => parsePromql(each).selectors.map(({ name }) => name));
    const asked = read(alert.expr);
    return broken([silent.length === 0 || given.some((name) => asked.includes(name)), given.join(" ")]);
  },
};

describe("every alert", () => {
  it.each(Object.entries(LAWS))("%s", (_, law) => {
    expect(ALERTS.flatMap((alert) => law(alert).map((words) => `${alert.name}: ${words}`))).toEqual([]);
  });
});

describe("every recording", () => {
  const proofOf = (name: string) => RECORDING_CASES[name] ?? { series: {}, samples: {} };

  it("has its level, metric and operations in its name, and only metrics and labels that exist", () => {
    for (const recording of RECORDINGS) {
      expect(recording.name).toMatch(/^[a-z]+:avax_[a-z0-9_]+:[a-z0-9_]+$/);
      expect(recording.about).toMatch(/^[A-Z0-9].{20,}\.$/);
      const series = Object.keys(proofOf(recording.name).series);
      expect([recordedExpr(recording), ...series].flatMap((each) => faults(each))).toEqual([]);
    }
  });

  it("has the labels that it says, by its proof", () => {
    for (const { name, labels } of RECORDINGS) {
      const samples = Object.keys(proofOf(name).samples);
      expect(samples, name).not.toEqual([]);
      for (const sample of samples) {
        const found = [...sample.matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
        expect(found.filter((label) => label !== "instance" && label !== "job").sort()).toEqual([...labels].sort());
      }
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
