import { describe, expect, it } from "vitest";
import { percentOf } from "../../../src/config/base/alert-limit.ts";
import { alertGroups, ALERTS, THRESHOLDS } from "../../../src/topics/all/alerts.ts";

const having = (settings: Readonly<Record<string, number>>) =>
  alertGroups(new Map(Object.entries(settings))).flatMap(({ alerts }) => alerts);

describe("thresholds", () => {
  it("have a standard within their bounds, and a larger one that exists", () => {
    const limits = THRESHOLDS.map(({ limit }) => limit);
    const names = limits.map(({ name }) => name);
    for (const { name, standard, least, most, below } of limits) {
      expect(name).toMatch(/^[a-z0-9-]+$/);
      expect(standard).toBeGreaterThanOrEqual(least);
      expect(standard).toBeLessThanOrEqual(most);
      if (below !== undefined) expect(names).toContain(below);
    }
  });

  it.each(THRESHOLDS.map(({ limit }) => limit))(
    "$name changes the expression of each alert that declares it",
    ({ name, most, standard, least }) => {
      const value = standard === most ? least : most;
      const changed = having({ [name]: value });
      const declaring = ALERTS.filter(({ thresholds }) => thresholds.some(({ limit }) => limit.name === name));
      expect(declaring.length).toBeGreaterThan(0);
      for (const alert of declaring) {
        const after = changed.find((each) => each.name === alert.name);
        expect(after?.expr).not.toBe(alert.expr);
        // A ratio is compared in percent.
        expect([value, percentOf(value)].some((each) => after?.expr.includes(String(each)))).toBe(true);
      }
    },
  );

  it("change the texts that name them", () => {
    const changed = having({ peers: 0.4, "disk-filled-within": 7 * 86_400, lag: 300, "downtime-budget": 7200 });
    const named = (name: string) => changed.find((each) => each.name === name);
    expect(named("AvaxNodeFewPeers")?.meaning).toContain("less than 40 % of");
    expect(named("AvaxNodeDiskFilling")?.summary).toBe("{{ $labels.node }}: the disk will be full within 7 days");
    expect(named("AvaxNodeLagging")?.meaning).toContain("more than 5 minutes ago");
    expect(named("AvaxNodeDownBudgetLow")?.expr).toContain("< 7200");
    expect(named("AvaxNodeDownBudgetLow")?.description).toContain("less than 2 hours");
  });
});

it("the duration of an alert changes its rule", () => {
  const [before] = ALERTS.filter(({ name }) => name === "AvaxNodeDown");
  const after = having({ "AvaxNodeDown.for": 1200 }).find(({ name }) => name === "AvaxNodeDown");
  expect(before).toMatchObject({ for: "10m" });
  expect(after).toMatchObject({ for: "20m", expr: before?.expr });
});
