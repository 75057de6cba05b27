import { describe, expect, it } from "vitest";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import { ALERTS } from "../../../src/topics/all/alerts.ts";
import { DASHBOARDS, expressions } from "../../generate/dashboards/dashboard.ts";
import { read } from "../../generate/vocabulary.ts";

describe("every metric", () => {
  const used = new Set(
    [...ALERTS.map(({ expr }) => expr), ...DASHBOARDS.flatMap(expressions).map(({ expr }) => expr)]
      .flatMap(read)
      .flatMap((name) => [name, name.replace(/_(bucket|sum|count)$/, "")]),
  );
  const all = TOPICS.flatMap(({ metrics, withoutPanel = {} }) =>
    Object.entries(metrics).map(([key, { name }]) => ({ name, withoutPanel: withoutPanel[key] })),
  );

  it("has a panel, a rule, or a reason for neither", () => {
    expect(all.filter(({ name, withoutPanel }) => !used.has(name) && withoutPanel === undefined)).toEqual([]);
  });

  it("and none with a reason has a panel or a rule", () => {
    const excused = all.filter(({ withoutPanel }) => withoutPanel !== undefined);
    expect(excused.length).toBeGreaterThan(0);
    expect(excused.filter(({ name }) => used.has(name)).map(({ name }) => name)).toEqual([]);
  });

  it("and gives reasons in sentences", () => {
    for (const { withoutPanel } of all) if (withoutPanel !== undefined) expect(withoutPanel).toMatch(/^[A-Z].{20,}\.$/);
  });
});
