import { describe, expect, it } from "vitest";
import { ALERTS, runbookUrl } from "../../src/observability/alerts.ts";
import { LAGGING_BLOCKS } from "../../src/metrics/lag.ts";
import { DASHBOARDS, expressions, type PanelJson } from "./dashboard.ts";
import { parsePromql } from "./promql.ts";
import { faults, VOCABULARY } from "./vocabulary.ts";

describe.each(DASHBOARDS)("dashboard $uid", (dashboard) => {
  const { panels } = dashboard;
  const drawn = panels.filter(({ type }) => type !== "row");

  it("is of the classic format that Grafana 10 to 13 read", () => {
    expect(dashboard.schemaVersion).toBe(39);
  });

  it("gives every panel and row an id of its own from 1 on", () => {
    const ids = panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Math.min(...ids)).toBeGreaterThanOrEqual(1);
  });

  it("asks for the data source, the networks and the nodes, several or all of them", () => {
    expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ["datasource", "datasource"],
      ["network", "query"],
      ["node", "query"],
    ]);
    const choices = dashboard.templating.list.filter(({ type }) => type === "query");
    expect(choices.every(({ multi, includeAll }) => multi && includeAll)).toBe(true);
  });

  it("names only metrics and labels that exist in its variables", () => {
    const exprs = dashboard.templating.list.flatMap(({ query }) => {
      const [, result, metric] = /^query_result\((.*)\)$|^label_values\(([^,]*), \w+\)$/.exec(query) ?? [];
      return result ?? metric ?? [];
    });
    expect(exprs).toHaveLength(2);
    expect(exprs.flatMap(faults)).toEqual([]);
  });

  it("names only metrics and labels that exist in its panels", () => {
    expect(
      expressions(dashboard).flatMap(({ panel, expr }) => faults(expr).map((fault) => `${panel}: ${fault}`)),
    ).toEqual([]);
  });

  it("writes legends of labels that the series have", () => {
    const wrong = expressions(dashboard).flatMap(({ panel, expr, legend }) => {
      const kept = keptLabels(expr);
      return [...legend.matchAll(/{{(\w+)}}/g)]
        .filter(([, label = ""]) => !kept.includes(label))
        .map(([text]) => `${panel}: ${text}`);
    });
    expect(wrong).toEqual([]);
  });

  it("chooses by node or network wherever the metric can", () => {
    const careless = expressions(dashboard).filter(({ expr }) =>
      parsePromql(expr).selectors.some(({ name, labels }) => {
        const own = VOCABULARY.get(name) ?? [];
        return (
          (own.includes("node") || own.includes("network")) && !labels.includes("node") && !labels.includes("network")
        );
      }),
    );
    expect(careless).toEqual([]);
  });

  it("describes every panel, gives it a unit and asks the chosen data source", () => {
    for (const panel of drawn) {
      expect(panel.description, panel.title).toMatch(/^[A-Z].{20,}\.$/);
      expect(panel.fieldConfig?.defaults.unit, panel.title).toBeTruthy();
      expect(panel.datasource, panel.title).toEqual({ type: "prometheus", uid: "${datasource}" });
    }
  });

  it("links panels to runbooks that exist", () => {
    const known = new Set<string>(ALERTS.map(({ name }) => runbookUrl(name)));
    const links = drawn.flatMap(({ links = [] }) => links.map(({ url }) => url));
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((url) => !known.has(url))).toEqual([]);
  });

  it("fills the width without overlapping", () => {
    const cells = panels.flatMap(cellsOf);
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });

  it("draws the limits of the alerts", () => {
    expect(JSON.stringify(panels.find(({ title }) => title === "Blocks behind"))).toContain(
      `{"value":${LAGGING_BLOCKS},"color":"red"}`,
    );
  });
});

/** Labels of the result: those of an outermost `by`, else those of all that is read. */
function keptLabels(expr: string): readonly string[] {
  const [, by] = /^(?:ceil\()?(?:sum|max|min|count) by \(([^)]*)\)/.exec(expr) ?? [];
  if (by !== undefined) return by.split(", ");
  const [, inner] = /^histogram_quantile\([^,]*, sum by \(([^)]*)\)/.exec(expr) ?? [];
  if (inner !== undefined) return inner.split(", ").filter((label) => label !== "le");
  const agg = /^time\(\) - max by \(([^)]*)\)/.exec(expr)?.[1];
  if (agg !== undefined) return agg.split(", ");
  return VOCABULARY.get(parsePromql(expr).selectors[0]?.name ?? "") ?? [];
}

function cellsOf({ gridPos: { x, y, w, h } }: PanelJson): readonly string[] {
  return Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`);
}
