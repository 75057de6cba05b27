import { describe, expect, it } from "vitest";
import { FEW_LINES } from "../../../generate/dashboards/parts/selectors.ts";
import { parsePromql } from "../promql.ts";
import { DASHBOARDS, expressions, type PanelJson } from "./dashboard.ts";

const BAD = ["red", "orange", "yellow"];

describe.each(DASHBOARDS)("panels of $uid", ({ panels }) => {
  const charts = panels.filter(({ type }) => type === "timeseries");

  it("draw limits in the colour of their bad side", () => {
    const wrong = charts.filter((chart) =>
      stepsOf(chart).some(({ color }) => ![...BAD, "transparent"].includes(color)),
    );
    expect(wrong.filter((chart) => stepsOf(chart).length > 1).map(({ title }) => title)).toEqual([]);
  });

  it("have no colour twice: neither fixed colours of series nor those of states", () => {
    const colored = panels.map((panel) => ({ title: panel.title, colors: fixedColors(panel) }));
    expect(colored.filter(({ colors }) => new Set(colors).size < colors.length)).toEqual([]);
  });

  it("have titles that fit", () => {
    const long = panels.filter(({ type, title, gridPos: { w } }) => type !== "row" && title.length > 5 * w + 2);
    expect(long.map(({ title }) => title)).toEqual([]);
  });

  it("have round ticks: seconds are no unit of an axis that reaches minutes", () => {
    const long = charts.filter((chart) => chart.fieldConfig?.defaults.unit === "s" && highestOf(chart) >= 60);
    expect(long.map(({ title }) => title)).toEqual([]);
  });

  it("add up families of other processes only for the chosen exporters", () => {
    const unselected = panels.flatMap(({ title, targets = [] }) =>
      targets.filter(({ expr }) => !selectsExporter(expr)).map(({ expr }) => `${title}: ${expr}`),
    );
    expect(unselected).toEqual([]);
  });
});

describe("units", () => {
  const panels = DASHBOARDS.flatMap((board) => board.panels);

  it("of columns with time left or passed are days and hours, which never become weeks", () => {
    const columns = panels.flatMap(({ fieldConfig }) =>
      (fieldConfig?.overrides ?? []).flatMap(({ matcher, properties }) =>
        properties.some(({ id, value }) => id === "unit" && ["s", "dtdurations"].includes(String(value)))
          ? [matcher.options]
          : [],
      ),
    );
    expect(columns).toEqual(["Duration", "Every"]);
  });

  it("of charts of shares are percent", () => {
    const charts = panels.filter(({ type }) => type === "timeseries" || type === "gauge" || type === "bargauge");
    const shares = charts.filter(({ targets = [] }) => targets.some(({ expr }) => /_ratio\{/.test(expr)));
    expect(shares).not.toEqual([]);
    expect(shares.filter((chart) => chart.fieldConfig?.defaults.unit !== "percentunit")).toEqual([]);
  });

  it("of ranges of shares are percent", () => {
    const ranges = panels.flatMap(({ targets = [] }) => targets.filter(({ expr }) => /range="0\.\d+-/.test(expr)));
    expect(new Set(ranges.map(({ legendFormat }) => legendFormat))).toEqual(
      new Set(["50–80 %", "80–90 %", "90–95 %", "95–99 %", "99–100 %"]),
    );
    expect(panels.flatMap(({ targets = [] }) => targets.map(({ legendFormat }) => legendFormat))).not.toContain(
      "{{range}}",
    );
  });

  it("of rates are minutes, but for what is known by the second", () => {
    const seconds = panels.flatMap(({ title }) => (title.includes("per second") ? [title] : []));
    expect([...new Set(seconds)].toSorted()).toEqual([
      "Gas per second",
      "Refused blocks per second",
      "Transactions per second",
    ]);
  });
});

describe("charts of a fleet of 1,000 nodes", () => {
  /** At most one node a network at a time. */
  const FEW = ["Reference node"];
  const fleet = DASHBOARDS.filter(({ uid }) => uid === "avax-fleet" || uid === "avax-exporter");
  const shown = fleet
    .flatMap(({ panels }) => panels)
    .filter(({ type }) => /timeseries|timeline|stat|bargauge/.test(type));
  const ofNodes = shown.filter(({ title, targets = [] }) =>
    targets.some(({ legendFormat }) => !FEW.includes(title) && /{{(node|instance)}}/.test(legendFormat)),
  );

  it("show the nodes or exporters that are worst in the selected time range", () => {
    expect(ofNodes).not.toEqual([]);
    const all = ofNodes.flatMap(({ title, targets = [] }) =>
      targets
        .filter(({ expr }) => !/ and on \([\w, ]+\) (top|bottom)k\(\d+, .* @ end\(\)\)\)(\) \/ \d+)?$/.test(expr))
        .map(() => title),
    );
    expect(all).toEqual([]);
  });

  it("have as many lines as Grafana's palette has colours before that of a limit", () => {
    const lines = ofNodes.filter(({ type }) => type === "timeseries").flatMap(({ targets = [] }) => targets);
    for (const { expr } of lines) expect(expr).toContain(`k(${FEW_LINES}, `);
    expect(FEW_LINES).toBeLessThanOrEqual(4);
  });
});

describe("charts of 1,000 validators, nodes of an L1, or wallets", () => {
  const boards = DASHBOARDS.filter(({ uid }) => ["avax-validator", "avax-l1", "avax-treasury"].includes(uid));
  const lines = boards.flatMap(({ panels }) =>
    panels
      .filter(({ type }) => type === "timeseries" || type === "state-timeline")
      .flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target }))),
  );
  const ofMany = lines.filter(
    ({ expr, legendFormat }) => /{{(node|wallet)}}/.test(legendFormat) || /node_id/.test(expr),
  );

  it("show those that are worst in the selected time range", () => {
    expect(ofMany).not.toEqual([]);
    expect(
      ofMany.filter(({ expr }) => !/ (top|bottom)k\(\d+, .* @ end\(\)/.test(expr)).map(({ title }) => title),
    ).toEqual([]);
  });
});

function stepsOf({ fieldConfig }: PanelJson) {
  return fieldConfig?.defaults.thresholds?.steps ?? [];
}

/** Colours that series have by their name, or that values have in a timeline. */
function fixedColors({ type, fieldConfig }: PanelJson): readonly unknown[] {
  const bySeries = (fieldConfig?.overrides ?? [])
    .flatMap(({ properties }) => properties)
    .filter(({ id }) => id === "color")
    .map(({ value }) => (value as { readonly fixedColor?: string }).fixedColor);
  if (type !== "state-timeline") return bySeries;
  const states = (fieldConfig?.defaults.mappings ?? []).flatMap(({ options }) => Object.values(options));
  return [...bySeries, ...states.flatMap(({ color }) => color ?? [])];
}

/** The highest value that an axis shows in any case. */
function highestOf(chart: PanelJson): number {
  const limits = stepsOf(chart).map(({ value }) => value ?? 0);
  return Math.max(chart.fieldConfig?.defaults.custom?.axisSoftMax ?? 0, ...limits);
}

function selectsExporter(expr: string): boolean {
  const others = parsePromql(expr).selectors.filter(({ name }) => /^(process|nodejs)_/.test(name));
  if (others.length === 0) return true;
  return (
    others.every(({ labels }) => labels.includes("job") && labels.includes("instance")) &&
    expr.includes(" and on (job, instance) avax_exporter_build_info{")
  );
}

describe("this test", () => {
  it("refuses a family of any process", () => {
    expect(selectsExporter("sum(process_resident_memory_bytes)")).toBe(false);
    expect(selectsExporter('nodejs_eventloop_lag_p99_seconds{job="x",instance="y"}')).toBe(false);
    const used = DASHBOARDS.flatMap(expressions).filter(({ expr }) => /\b(process|nodejs)_/.test(expr));
    expect(used.length).toBeGreaterThan(2);
  });
});
