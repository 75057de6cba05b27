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
import {
  DashboardLinkBuilder,
  DashboardLinkType,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type Panel as BuiltPanel,
  type Threshold,
  type ValueMapping,
} from "@grafana/grafana-foundation-sdk/dashboard";
import type { DataqueryBuilder } from "@grafana/grafana-foundation-sdk/prometheus";
import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import type { Alert } from "../../../src/topics/define/alert.ts";
import { runbookUrl } from "../../../src/topics/all/alerts.ts";
import { asLines, DEFAULT_THRESHOLDS, type Color, type Mappings, mappingsOf, PER_MINUTE } from "./format.ts";
import { asked, DATASOURCE, query, type PanelQueries, type PanelQuery } from "./targets.ts";

/** Units of axes that show long durations, in seconds. */
const SPANS = { min: 60, h: 3600, d: 86_400 } as const;

/** A panel of a row, which gives it its id and its place (`placed`). */
export type Panel = {
  readonly title: string;
  readonly kind: string;
  /** The least columns, of 24: panels of a line share what is left. */
  readonly width: number;
  /** Lines of the grid. Neighbours of one height stand beside each other. */
  readonly height: number;
  /** `legend` is that of the row. */
  readonly build: (legend: string) => BuiltPanel;
};

/** A row of a dashboard with its panels. */
export type Row = {
  readonly title: string;
  /** The row is closed when the dashboard opens, and its panels are queried only when a user opens it. */
  readonly collapsed?: true;
  /** Of the panels that have a single query without a legend of its own. */
  readonly legend?: string;
  readonly panels: readonly Panel[];
};

/** Options of every kind of panel. */
export type PanelOptions = {
  /** Least columns, of 24, and lines of the grid; each kind of panel has its own default. */
  readonly width?: number;
  readonly height?: number;
  /** A plain number unless it is given. */
  readonly unit?: string;
  readonly decimals?: number;
  /** Soft maximum of the axis of lines, so that zeros do not fill the panel. Each unit has its own default. */
  readonly softMax?: number;
  /** The axis of lines does not begin at 0, because small differences matter. */
  readonly zoomed?: true;
  /** Lines can be below 0. */
  readonly signed?: true;
  /** Lines of seconds are drawn in this unit, so that the axis has round ticks. Limits and `softMax` stay in seconds. */
  readonly in?: keyof typeof SPANS;
  /** Last word of the names of series that are limits: they are drawn as limits are. */
  readonly limits?: string;
  /** Last word of the names of series that are red, whatever their place. */
  readonly lost?: string;
  readonly thresholds?: readonly Threshold[];
  readonly mappings?: Mappings;
  /** Text of a value below 0. */
  readonly negative?: string;
  /** Text of an empty panel, which is good news for some panels. */
  readonly noValue?: string;
  /** Colours of series by their name. */
  readonly colors?: Readonly<Record<string, Color>>;
  /** Alerts on the same figure, whose runbooks the panel links to. */
  readonly alerts?: ReadonlyArray<Alert["name"]>;
};

/** Methods that the builders of all kinds of panels have. */
type Builder<B> = {
  title: (title: string) => B;
  description: (text: string) => B;
  datasource: (ref: typeof DATASOURCE) => B;
  unit: (unit: string) => B;
  decimals: (decimals: number) => B;
  noValue: (text: string) => B;
  thresholds: (thresholds: ThresholdsConfigBuilder) => B;
  mappings: (mappings: ValueMapping[]) => B;
  links: (links: DashboardLinkBuilder[]) => B;
  targets: (targets: DataqueryBuilder[]) => B;
};

/** Sets the title, the question that the panel answers and how to read it (`about`), the options and the targets of a panel. */
export function withOptions<B extends Builder<B>>(
  builder: B,
  [title, about]: readonly [title: string, about: string],
  { unit = Short, noValue = "no data", thresholds, mappings, negative, alerts = [], decimals }: PanelOptions,
  queries: readonly DataqueryBuilder[],
): B {
  const panel = builder
    .title(title)
    .description(about)
    .datasource(DATASOURCE)
    .unit(unit)
    .noValue(noValue)
    .thresholds(
      new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([...(thresholds ?? DEFAULT_THRESHOLDS)]),
    )
    .mappings(mappingsOf({ mappings, negative }))
    .links(alerts.map(runbookLink))
    .targets([...queries]);
  return decimals === undefined ? panel : panel.decimals(decimals);
}

function runbookLink(name: Alert["name"]): DashboardLinkBuilder {
  return new DashboardLinkBuilder(`Runbook of ${name}`)
    .type(DashboardLinkType.Link)
    .url(runbookUrl(name))
    .targetBlank(true);
}

/** Shortens node, subnet and validation IDs in legends. Names with underscores stay. */
const SHORT_IDS = {
  id: "renameByRegex",
  options: { regex: "/(\\b[A-Za-z0-9]{6})[A-Za-z0-9]{16,}/g", renamePattern: "$1…" },
} as const;

/** Default soft maximum of an axis that begins at 0, by unit. All of a share is below the edge. */
const SOFT_MAX: Readonly<Record<string, number>> = { [Short]: 1, [PercentUnit]: 1.05, [Seconds]: 1, [PER_MINUTE]: 6 };

/** Present figures, one tile per series. Instant queries, so that a series that ended is not shown. `names` shows the names alone. */
export function stat(
  title: string,
  about: string,
  figures: PanelQueries,
  options: PanelOptions & { readonly names?: true } = {},
): Panel {
  const { width = Math.max(3, Math.ceil((title.length - 2) / 5)), height = 4, names, thresholds, mappings } = options;
  const build = (legend: string) => {
    const targets = asked(figures, legend).map(([expr, name], index) => query(expr, name, index).instant());
    const isPlain = thresholds === undefined && mappings === undefined;
    return withOptions(new Stat(), [title, about], options, targets)
      .withTransformation(SHORT_IDS)
      .graphMode(BigValueGraphMode.None)
      .colorMode(isPlain ? BigValueColorMode.None : BigValueColorMode.Value)
      .textMode(names === true ? BigValueTextMode.Name : BigValueTextMode.Auto)
      .reduceOptions(new ReduceDataOptionsBuilder().calcs(["lastNotNull"]).values(false))
      .build();
  };
  return { title, kind: "stat", width, height, build };
}

/** Present figures, one bar per series; `max` is the full bar. */
export function bars(
  title: string,
  about: string,
  figures: PanelQueries,
  options: PanelOptions & { readonly max?: number } = {},
): Panel {
  const { width = 6, height = 8, max } = options;
  const build = (legend: string) => {
    const targets = asked(figures, legend).map(([expr, name], index) => query(expr, name, index).instant());
    const panel = withOptions(new Bars(), [title, about], options, targets)
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
    return (max === undefined ? panel : panel.max(max)).build();
  };
  return { title, kind: "bars", width, height, build };
}

type LineOptions = PanelOptions & {
  /** Parts of a whole. */
  readonly stacked?: true;
  /** Least time between two points, for counts of polls: a rate over fewer of them is a saw. */
  readonly smooth?: "2m";
};

/**
 * Figures over time.
 * @example
 * import { peers } from "../../../src/topics/node/peers.ts";
 * import { redAbove } from "./format.ts";
 * import { ofNode } from "./selectors.ts";
 * lines("Silent peers", "How many peers are silent?", ofNode(peers.metrics.silent), { thresholds: redAbove(100) });
 */
export function lines(title: string, about: string, figures: PanelQueries, options: LineOptions = {}): Panel {
  const { width = 8, height = 8 } = options;
  const build = (legend: string) => chart([title, about], asked(figures, legend), options).build();
  return { title, kind: "lines", width, height, build };
}

function chart(head: readonly [string, string], figures: readonly PanelQuery[], given: LineOptions): Lines {
  const { options, queries } = inSpan(given, figures);
  const { thresholds, limits, lost, stacked, zoomed, signed, smooth, unit = Short } = options;
  const targets = queries.map(([expr, name], index) => query(expr, name, index).range());
  const limited = thresholds === undefined ? GraphThresholdsStyleMode.Off : GraphThresholdsStyleMode.Dashed;
  const steps = thresholds === undefined ? {} : { thresholds: asLines(thresholds) };
  const panel = withOptions(new Lines(), head, { ...options, ...steps }, targets)
    .withTransformation(SHORT_IDS)
    .lineWidth(1)
    .fillOpacity(stacked === true ? 40 : 0)
    .showPoints(VisibilityMode.Never)
    // What is not known is a gap, never a line between two known values.
    .spanNulls(false)
    .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(limited))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .legend(namesBelow());
  for (const [name, fixedColor] of seriesColors(queries, options))
    panel.overrideByName(name, [{ id: "color", value: { mode: "fixed", fixedColor } }]);
  if (smooth !== undefined) panel.interval(smooth);
  if (lost !== undefined)
    panel.overrideByRegexp(`/${lost}$/`, [{ id: "color", value: { mode: "fixed", fixedColor: "red" } }]);
  if (limits !== undefined)
    panel.overrideByRegexp(`/${limits}$/`, [
      { id: "color", value: { mode: "fixed", fixedColor: "red" } },
      { id: "custom.lineStyle", value: { fill: "dash", dash: [10, 10] } },
    ]);
  const end = options.softMax ?? SOFT_MAX[unit];
  // With a hard 0 Grafana leaves room above the lines as a part of the axis, with a soft one as a part of their differences.
  if (signed !== undefined) panel.axisSoftMin(0);
  else if (zoomed === undefined) panel.min(0);
  if (zoomed === undefined && end !== undefined) panel.axisSoftMax(end);
  return stacked === true ? panel.stacking(new StackingConfigBuilder().mode(StackingMode.Normal)) : panel;
}

/** The panel in the unit of its axis: Grafana's ticks are round numbers of the unit that the query has. */
function inSpan(options: LineOptions, queries: readonly PanelQuery[]) {
  if (options.in === undefined) return { options, queries };
  const span = SPANS[options.in];
  const { softMax, thresholds } = options;
  const inUnit: LineOptions = {
    ...options,
    unit: `suffix:${options.in}`,
    ...(softMax && { softMax: softMax / span }),
    ...(thresholds && {
      thresholds: thresholds.map(({ value, color }) => ({ value: value === null ? null : value / span, color })),
    }),
  };
  return { options: inUnit, queries: queries.map(([expr, name]): PanelQuery => [`(${expr}) / ${span}`, name]) };
}

function namesBelow(): VizLegendOptionsBuilder {
  return new VizLegendOptionsBuilder()
    .displayMode(LegendDisplayMode.List)
    .placement(LegendPlacement.Bottom)
    .showLegend(true);
}

/** States over time, one bar per series. */
export function timeline(
  title: string,
  about: string,
  figures: PanelQueries,
  options: PanelOptions & { readonly mappings: Mappings },
): Panel {
  const { width = 12, height = 8 } = options;
  const build = (legend: string) => {
    const targets = asked(figures, legend).map(([expr, name], index) => query(expr, name, index).range());
    return (
      withOptions(new Timeline(), [title, about], options, targets)
        .withTransformation(SHORT_IDS)
        .legend(namesBelow())
        .mergeValues(true)
        // What is not known is a gap.
        .spanNulls(false)
        .showValue(VisibilityMode.Never)
        .rowHeight(0.8)
        .fillOpacity(70)
        .build()
    );
  };
  return { title, kind: "timeline", width, height, build };
}

/** Colours of named series in their order. Red and orange are those of limits and states. */
const PALETTE = ["blue", "purple", "green", "yellow", "super-light-blue", "dark-green"] as const;

/** A series with its colour: that of the panel's options, else the next free one of the palette. */
type Colored = readonly [name: string, color: Color | (typeof PALETTE)[number]];

/** Colours of the series whose names are fixed. Series that are named by labels have Grafana's palette. */
function seriesColors(queries: readonly PanelQuery[], { colors = {} }: PanelOptions): readonly Colored[] {
  const chosen = Object.entries(colors);
  const names = queries.map(([, legend]) => legend).filter((name) => name !== "" && !name.includes("{{"));
  // Series of one panel that are named by labels take colours of Grafana's palette, which could be the same.
  if (names.length < queries.length) return chosen;
  const free = PALETTE.filter((color) => !chosen.some(([, taken]) => taken === color));
  const others = names.filter((name) => colors[name] === undefined);
  return [
    ...chosen,
    ...others.flatMap((name, index): Colored[] => (free[index] === undefined ? [] : [[name, free[index]]])),
  ];
}
