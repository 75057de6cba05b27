import {
  BarGaugeDisplayMode,
  BarGaugeNamePlacement,
  BarGaugeSizing,
  BarGaugeValueMode,
  BigValueColorMode,
  BigValueGraphMode,
  BigValueTextMode,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizOrientation,
  VizTextDisplayOptionsBuilder,
  VizTooltipOptionsBuilder,
} from "@grafana/grafana-foundation-sdk/common";
import { PanelBuilder as Bars } from "@grafana/grafana-foundation-sdk/bargauge";
import { PanelBuilder as Stat } from "@grafana/grafana-foundation-sdk/stat";
import { PanelBuilder as Timeline } from "@grafana/grafana-foundation-sdk/statetimeline";
import { PanelBuilder as Lines } from "@grafana/grafana-foundation-sdk/timeseries";
import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import type { Mappings } from "./mappings.ts";
import { SPANS, withOptions, type PanelOptions, type PanelBuilder } from "./panel-options.ts";
import { seriesColors } from "./series-colors.ts";
import { query, type Query } from "./targets.ts";
import { asLines } from "./thresholds.ts";

/** Shortens node, subnet and validation IDs in legends. Names with underscores stay. */
const SHORT_IDS = {
  id: "renameByRegex",
  options: { regex: "/(\\b[A-Za-z0-9]{6})[A-Za-z0-9]{16,}/g", renamePattern: "$1…" },
} as const;

/** Default soft maximum of an axis that begins at 0, by unit. */
const SOFT_MAX: Readonly<Record<string, number>> = { [Short]: 1, [PercentUnit]: 1, [Seconds]: 1, ops: 0.1 };

/** Present figures, one tile per series. Instant queries, so that a series that ended is not shown. */
export function stat(options: PanelOptions, queries: readonly Query[], show: "value" | "name" = "value"): PanelBuilder {
  const targets = queries.map(([expr, legend], index) => query(expr, legend, index).instant());
  return withOptions(new Stat(), options, 4, targets)
    .withTransformation(SHORT_IDS)
    .graphMode(BigValueGraphMode.None)
    .colorMode(
      options.thresholds === undefined && options.mappings === undefined
        ? BigValueColorMode.None
        : BigValueColorMode.Value,
    )
    .textMode(show === "name" ? BigValueTextMode.Name : BigValueTextMode.Auto)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(["lastNotNull"]).values(false));
}

/** Present figures, one bar per series; `max` is the full bar. */
export function bars(options: PanelOptions, queries: readonly Query[], max?: number): PanelBuilder {
  const targets = queries.map(([expr, legend], index) => query(expr, legend, index).instant());
  const panel = withOptions(new Bars(), options, 8, targets)
    .withTransformation(SHORT_IDS)
    .min(0)
    .orientation(VizOrientation.Horizontal)
    .displayMode(BarGaugeDisplayMode.Basic)
    .valueMode(BarGaugeValueMode.Text)
    .namePlacement(BarGaugeNamePlacement.Left)
    .sizing(BarGaugeSizing.Manual)
    .minVizHeight(16)
    .maxVizHeight(28)
    // At this height Grafana reserves 12 pixels for the names, so a larger size is cut off.
    .text(new VizTextDisplayOptionsBuilder().titleSize(12).valueSize(12))
    .showUnfilled(true)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(["lastNotNull"]).values(false));
  return max === undefined ? panel : panel.max(max);
}

/** Figures over time; `stacked` for parts of a whole. */
export function lines(given: PanelOptions, asked: readonly Query[], kind: "lines" | "stacked" = "lines"): PanelBuilder {
  const { options, queries } = inSpan(given, asked);
  const targets = queries.map(([expr, legend], index) => query(expr, legend, index).range());
  const limited = options.thresholds === undefined ? GraphThresholdsStyleMode.Off : GraphThresholdsStyleMode.Dashed;
  const limits = options.thresholds === undefined ? {} : { thresholds: asLines(options.thresholds) };
  const panel = withOptions(new Lines(), { ...options, ...limits }, 8, targets)
    .withTransformation(SHORT_IDS)
    .lineWidth(1)
    .fillOpacity(kind === "stacked" ? 40 : 0)
    .showPoints(VisibilityMode.Never)
    // What is not known is a gap, never a line between two known values.
    .spanNulls(false)
    .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(limited))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .legend(legend());
  for (const [name, fixedColor] of seriesColors(queries, options))
    panel.overrideByName(name, [{ id: "color", value: { mode: "fixed", fixedColor } }]);
  if (options.limits !== undefined)
    panel.overrideByRegexp(`/${options.limits}$/`, [
      { id: "color", value: { mode: "fixed", fixedColor: "red" } },
      { id: "custom.lineStyle", value: { fill: "dash", dash: [10, 10] } },
    ]);
  const end = options.softMax ?? SOFT_MAX[options.unit];
  if (options.zoomed === undefined) panel.axisSoftMin(0);
  if (options.zoomed === undefined && end !== undefined) panel.axisSoftMax(end);
  return kind === "stacked" ? panel.min(0).stacking(new StackingConfigBuilder().mode(StackingMode.Normal)) : panel;
}

/** The panel in the unit of its axis: Grafana's ticks are round numbers of the unit that the query has. */
function inSpan(options: PanelOptions, queries: readonly Query[]) {
  if (options.in === undefined) return { options, queries };
  const span = SPANS[options.in];
  const { softMax, thresholds, ...others } = options;
  return {
    options: {
      ...others,
      unit: `suffix:${options.in}`,
      ...(softMax === undefined ? {} : { softMax: softMax / span }),
      ...(thresholds === undefined
        ? {}
        : {
            thresholds: thresholds.map(({ value, color }) => ({ value: value === null ? null : value / span, color })),
          }),
    },
    queries: queries.map(([expr, legend]): Query => [`(${expr}) / ${span}`, legend]),
  };
}

function legend(): VizLegendOptionsBuilder {
  return new VizLegendOptionsBuilder()
    .displayMode(LegendDisplayMode.List)
    .placement(LegendPlacement.Bottom)
    .showLegend(true);
}

/** States over time, one bar per series. */
export function timeline(
  options: PanelOptions & { readonly mappings: Mappings },
  queries: readonly Query[],
): PanelBuilder {
  const targets = queries.map(([expr, legend], index) => query(expr, legend, index).range());
  return (
    withOptions(new Timeline(), options, 8, targets)
      .withTransformation(SHORT_IDS)
      .legend(legend())
      .mergeValues(true)
      // What is not known is a gap.
      .spanNulls(false)
      .showValue(VisibilityMode.Never)
      .rowHeight(0.8)
      .fillOpacity(70)
  );
}
