import { describe, expect, it } from "vitest";
import { metricsOf } from "../../src/catalogue/catalogue.ts";
import { TOPICS } from "../../src/definitions/topics.ts";
import { ALERTS } from "../../src/definitions/alerts.ts";
import { METRICS_WITHOUT_PANEL } from "../../src/generate/metrics-without-panel.ts";
import { DASHBOARDS, expressions } from "./dashboards/dashboard.ts";
import { read } from "./vocabulary.ts";

describe("every metric", () => {
  const used = new Set(
    [...ALERTS.map(({ expr }) => expr), ...DASHBOARDS.flatMap(expressions).map(({ expr }) => expr)]
      .flatMap(read)
      .flatMap((name) => [name, name.replace(/_(bucket|sum|count)$/, "")]),
  );
  const excused = METRICS_WITHOUT_PANEL.flatMap(({ metrics }) => metrics.map(({ name }) => name));
  const all = TOPICS.flatMap(metricsOf).map(({ name }) => name);

  it("has a panel, a rule, or an entry with a reason", () => {
    expect(all.filter((name) => !used.has(name) && !excused.includes(name))).toEqual([]);
  });

  it("and the list has no used, unknown or repeated metric", () => {
    expect(excused.filter((name) => used.has(name) || !all.includes(name))).toEqual([]);
    expect(new Set(excused).size).toBe(excused.length);
  });

  it("and gives reasons in sentences", () => {
    for (const { reason } of METRICS_WITHOUT_PANEL) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });
});
