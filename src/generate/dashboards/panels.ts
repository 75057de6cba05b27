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
import { faced, query, SHORT_IDS, type Face, type PanelBuilder, type Query, type Words } from "./face.ts";

/** Where an axis that begins at 0 ends at least, by unit. */
const AT_LEAST: Readonly<Record<string, number>> = { [Short]: 1, [PercentUnit]: 1, [Seconds]: 1, ops: 0.1 };

/** Figures of now, one tile a series. They are asked for now alone, so that what is gone is not shown as it was. */
export function stat(face: Face, queries: readonly Query[], show: "value" | "name" = "value"): PanelBuilder {
  const targets = queries.map(([expr, legend], index) => query(expr, legend, index).instant());
  return faced(new Stat(), face, 4, targets)
    .withTransformation(SHORT_IDS)
    .graphMode(BigValueGraphMode.None)
    .colorMode(
      face.thresholds === undefined && face.words === undefined ? BigValueColorMode.None : BigValueColorMode.Value,
    )
    .textMode(show === "name" ? BigValueTextMode.Name : BigValueTextMode.Auto)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(["lastNotNull"]).values(false));
}

/** Figures of now side by side, one bar a series; `max` is the full bar. */
export function bars(face: Face, queries: readonly Query[], max?: number): PanelBuilder {
  const targets = queries.map(([expr, legend], index) => query(expr, legend, index).instant());
  const panel = faced(new Bars(), face, 8, targets)
    .withTransformation(SHORT_IDS)
    .min(0)
    .orientation(VizOrientation.Horizontal)
    .displayMode(BarGaugeDisplayMode.Basic)
    .valueMode(BarGaugeValueMode.Text)
    .namePlacement(BarGaugeNamePlacement.Left)
    .sizing(BarGaugeSizing.Manual)
    .minVizHeight(16)
    .maxVizHeight(28)
    // Grafana leaves names of bars so low the room of 12 pixels, whatever their size: larger ones are cut off.
    .text(new VizTextDisplayOptionsBuilder().titleSize(12).valueSize(12))
    .showUnfilled(true)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(["lastNotNull"]).values(false));
  return max === undefined ? panel : panel.max(max);
}

/** Figures over time. `kind` stacked: parts of a whole. */
export function lines(face: Face, queries: readonly Query[], kind: "lines" | "stacked" = "lines"): PanelBuilder {
  const targets = queries.map(([expr, legend], index) => query(expr, legend, index).range());
  const limited = face.thresholds === undefined ? GraphThresholdsStyleMode.Off : GraphThresholdsStyleMode.Dashed;
  const panel = faced(new Lines(), face, 8, targets)
    .withTransformation(SHORT_IDS)
    .lineWidth(1)
    .fillOpacity(kind === "stacked" ? 40 : 0)
    .showPoints(VisibilityMode.Never)
    .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(limited))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .legend(legend());
  for (const [name, fixedColor] of Object.entries(face.colors ?? {}))
    panel.overrideByName(name, [{ id: "color", value: { mode: "fixed", fixedColor } }]);
  const end = face.atLeast ?? AT_LEAST[face.unit];
  if (face.zoomed === undefined) panel.axisSoftMin(0);
  if (face.zoomed === undefined && end !== undefined) panel.axisSoftMax(end);
  return kind === "stacked" ? panel.min(0).stacking(new StackingConfigBuilder().mode(StackingMode.Normal)) : panel;
}

function legend(): VizLegendOptionsBuilder {
  return new VizLegendOptionsBuilder()
    .displayMode(LegendDisplayMode.List)
    .placement(LegendPlacement.Bottom)
    .showLegend(true);
}

/** States over time, one bar a series. */
export function timeline(face: Face & { readonly words: Words }, queries: readonly Query[]): PanelBuilder {
  const targets = queries.map(([expr, legend], index) => query(expr, legend, index).range());
  return faced(new Timeline(), face, 8, targets)
    .withTransformation(SHORT_IDS)
    .legend(legend())
    .mergeValues(true)
    .showValue(VisibilityMode.Never)
    .rowHeight(0.8)
    .fillOpacity(70);
}
