import { EXPORTER_PAGES, TO_EXPORTER } from "../../../src/topics/exporter/exporter-pages.ts";
import { describe, expect, it } from "vitest";
import { ALERTS, RUNBOOK_INDEX, RUNBOOKS, runbookUrl } from "../../../src/topics/all/alerts.ts";
import { ALERT_SERIES } from "../../../generate/dashboards/parts/alert-series.ts";
import { parsePromql } from "../promql.ts";
import { faults, VOCABULARY } from "../vocabulary.ts";
import {
  DASHBOARDS,
  expressions,
  filled,
  variableExpression,
  type DashboardJson,
  type PanelJson,
} from "./dashboard.ts";

const VARIABLES = ["network", "node", "chain", "subnet", "validator", "job", "instance", "exporter"];

describe.each(DASHBOARDS)("dashboard $uid", (dashboard) => {
  const { panels, templating } = dashboard;
  const drawn = panels.filter(({ type }) => type !== "row");
  const [source, ...choices] = templating.list;

  it("gives every panel and row an id of its own from 1 on", () => {
    const ids = panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Math.min(...ids)).toBeGreaterThanOrEqual(1);
  });

  it("has the data source first, then variables that allow several values or all", () => {
    expect(source).toMatchObject({ name: "datasource", type: "datasource" });
    // Money is that of wallets and validators, whatever the nodes.
    const all = dashboard.uid === "avax-treasury" ? ["network"] : ["network", "node"];
    expect(choices.map(({ name }) => name)).toEqual(expect.arrayContaining(all));
    expect(choices.filter(({ name }) => !VARIABLES.includes(name))).toEqual([]);
    // The charts of one network name none; a link leads to one exporter.
    const isOne = (name: string): boolean =>
      name === "exporter" || (dashboard.uid === "avax-network" && name === "network");
    expect(choices.every(({ name, type, multi }) => type === "query" && multi !== isOne(name))).toBe(true);
  });

  it("uses each of its variables, and no other", () => {
    const texts = [
      ...expressions(dashboard).map(({ expr }) => expr),
      ...dashboard.annotations.list.map(({ expr }) => expr),
      ...choices.map(({ query }) => query),
      ...dashboard.links.map(({ url = "" }) => url.replaceAll(/\$\{(\w+)[^}]*\}/g, "$$$1")),
    ];
    const used = new Set(texts.flatMap((text) => [...text.matchAll(/\$([a-z]\w*)/g)].map(([, name = ""]) => name)));
    expect([...used].sort()).toEqual(choices.map(({ name }) => name).sort());
  });

  it("asks for the chosen jobs alone, wherever the series are ours", () => {
    const asked = [
      ...expressions(dashboard).map(({ expr }) => expr),
      ...dashboard.annotations.list.map(({ expr }) => filled(expr)),
      ...choices.filter(({ name }) => name !== "job").map(variableExpression),
    ].flatMap((expr) => parsePromql(expr).selectors);
    expect(choices[0]).toMatchObject({ name: "job", query: "label_values(avax_node_configured, job)", allValue: ".*" });
    const ours = asked.filter(({ name }) => /^avax_|^ALERTS/.test(name));
    expect(ours).not.toEqual([]);
    expect(ours.filter(({ labels }) => !labels.includes("job"))).toEqual([]);
  });

  it("names only metrics and labels that exist in its variables", () => {
    expect(choices.map(variableExpression).flatMap((each) => faults(each))).toEqual([]);
  });

  it("names only metrics and labels that exist in its annotations, and in their texts", () => {
    const wrong = dashboard.annotations.list.flatMap(({ name, expr, textFormat }) => [
      ...faults(expr),
      ...placeholders(textFormat)
        .filter((label) => !labelsOf(expr).includes(label))
        .map((label) => `${name}: ${label}`),
    ]);
    expect(wrong).toEqual([]);
  });

  it("names only metrics and labels that exist in its panels", () => {
    const found = expressions(dashboard).flatMap(({ panel, expr }) =>
      faults(expr).map((fault) => `${panel}: ${fault}`),
    );
    expect(found).toEqual([]);
  });

  it("writes legends of labels that the series have", () => {
    const wrong = expressions(dashboard).flatMap(({ panel, expr, legend }) =>
      placeholders(legend)
        .filter((label) => !labelsOf(expr).includes(label))
        .map((label) => `${panel}: ${label}`),
    );
    expect(wrong).toEqual([]);
  });

  it("chooses by node or network wherever the metric can", () => {
    const careless = expressions(dashboard).filter(({ expr }) => {
      const { selectors } = parsePromql(expr);
      // Other alerts are matched with the chosen ones, label by label.
      const matched = selectors.some(({ name, labels }) => name === "ALERTS" && labels.some(isChoice));
      return selectors.some(({ name, labels }) => {
        const own = matched && name.startsWith("ALERTS") ? [] : (VOCABULARY.get(name) ?? []);
        return ["node", "network"].some((label) => own.includes(label)) && !labels.some(isChoice);
      });
    });
    expect(careless).toEqual([]);
  });

  it("draws rates over Grafana's rate interval, and figures of the chosen time over its range", () => {
    const fixed = dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets
        .filter(({ expr }) => /\brate\([^[]*\[(?!\$__rate_interval\]|\$__range\])/.test(expr))
        .map(({ expr }) => `${title}: ${expr}`),
    );
    expect(fixed).toEqual([]);
  });

  it("describes every panel, first with the question that it answers, gives it a unit and asks the chosen data source", () => {
    for (const panel of drawn) {
      expect(panel.description, panel.title).toMatch(/^[A-Z][^.?]{9,}\?( [A-Z].*\.)?$/);
      expect(panel.fieldConfig?.defaults.unit, panel.title).toBeTruthy();
      expect(panel.datasource, panel.title).toEqual({ type: "prometheus", uid: "${datasource}" });
    }
  });

  it("links panels to runbooks that exist", () => {
    const known = new Set<string>(ALERTS.map(({ name }) => runbookUrl(name)));
    const links = drawn.flatMap(({ links = [] }) => links.map(({ url }) => url));
    expect(links).not.toEqual([]);
    expect(links.filter((url) => !known.has(url))).toEqual([]);
  });

  it("asks each question once", () => {
    const questions = drawn.map(({ description = "" }) => description.split("?")[0]);
    expect(questions.filter((each, index) => questions.indexOf(each) !== index)).toEqual([]);
  });

  it("links to the other dashboards, and its cells to dashboards and variables that exist", () => {
    const [others, runbooks, pages] = dashboard.links;
    expect(others).toMatchObject({ type: "dashboards", tags: dashboard.tags });
    expect([runbooks?.url, pages?.url]).toEqual([RUNBOOK_INDEX, EXPORTER_PAGES]);
    expect(drawn.flatMap(cellLinks).filter((url) => url !== TO_EXPORTER && !leadsSomewhere(url))).toEqual([]);
  });

  it("fills the width without overlapping, and each closed row does below its title", () => {
    const closed = panels.filter(({ collapsed }) => collapsed === true);
    for (const shown of [dashboard.opened, ...closed.map((row) => [row, ...(row.panels ?? [])])]) {
      const cells = shown.flatMap(cellsOf);
      expect(new Set(cells).size).toBe(cells.length);
      const lines = shown.flatMap(({ gridPos: { y, h } }) => Array.from({ length: h }, (_, index) => y + index));
      expect(new Set(lines).size, "no gap between lines").toBe(Math.max(...lines) - Math.min(...lines) + 1);
      for (const y of lines) expect(widthAt(shown, y), `line ${y}`).toBe(24);
    }
  });
});

describe("dashboards", () => {
  it("each have a title and a uid of its own, and all are found by one tag", () => {
    for (const key of ["uid", "title"] as const)
      expect(new Set(DASHBOARDS.map((each) => each[key])).size).toBe(DASHBOARDS.length);
    expect(DASHBOARDS.every(({ tags }) => tags.includes("avalanche"))).toBe(true);
  });

  it("have exactly the labels of the alerts", () => {
    const scraped = ["instance", "job"];
    const fired = new Set(ALERTS.flatMap(({ labels }) => labels));
    expect([...ALERT_SERIES.since.labels].sort()).toEqual(
      ["alertname", "severity", ...fired].filter((label) => !scraped.includes(label)).sort(),
    );
  });
});

function widthAt(shown: readonly PanelJson[], y: number): number {
  return shown
    .filter(({ gridPos }) => gridPos.y <= y && y < gridPos.y + gridPos.h)
    .reduce((width, { gridPos }) => width + gridPos.w, 0);
}

function placeholders(text: string): readonly string[] {
  return [...text.matchAll(/{{(\w+)}}/g)].map(([, label = ""]) => label);
}

function isChoice(label: string): boolean {
  return label === "node" || label === "network";
}

/** Labels that the result may have: those that are grouped by, else those of all that is read. */
function labelsOf(expr: string): readonly string[] {
  const { grouping, selectors, made } = parsePromql(expr);
  if (/\bby \(/.test(expr) && !/\bgroup_(?:left|right)\b/.test(expr)) return [...grouping, ...made];
  return [...selectors.flatMap(({ name }) => VOCABULARY.get(name) ?? []), ...made];
}

function cellLinks({ fieldConfig }: PanelJson): readonly string[] {
  const properties = (fieldConfig?.overrides ?? []).flatMap((override) => override.properties);
  return properties
    .filter(({ id }) => id === "links")
    .flatMap(({ value }) => (value as ReadonlyArray<{ readonly url: string }>).map(({ url }) => url));
}

function leadsSomewhere(url: string): boolean {
  if (url === `${RUNBOOKS}/\${__value.raw}.md`) return true;
  const [, uid = "", name = ""] = /^\/d\/([\w-]+)\?var-(\w+)=/.exec(url) ?? [];
  const found: DashboardJson | undefined = DASHBOARDS.find((each) => each.uid === uid);
  return found?.templating.list.some((each) => each.name === name) ?? false;
}

function cellsOf({ gridPos: { x, y, w, h } }: PanelJson): readonly string[] {
  return Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`);
}
