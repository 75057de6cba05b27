import {
  getFieldDisplayValues,
  getDisplayValueAlignmentFactors,
  toUtc,
  VizOrientation,
  type DataFrame,
  type FieldDisplay,
  type GrafanaTheme2,
  type ReduceDataOptions,
  type TimeRange,
} from "@grafana/data";
import { BarGauge, BigValue, TimeSeries, VizRepeater, type VizRepeaterRenderValueProps } from "@grafana/ui";
import { TableNG } from "@grafana/ui/unstable";
import type { ComponentProps } from "react";
import type { Panel, Span } from "./dashboard.ts";
import { drawMarks, type Mark } from "./events.ts";
import { Timeline } from "./timeline.tsx";

type Props = {
  readonly panel: Panel;
  readonly frames: DataFrame[];
  readonly span: Span;
  readonly width: number;
  readonly height: number;
  readonly theme: GrafanaTheme2;
  readonly marks: readonly Mark[];
};

/** The inside of a panel, by Grafana's component for its type. */
export function PanelBody(props: Props) {
  const { panel, frames, span, width, height, theme, marks } = props;
  if (isEmpty(frames))
    return (
      <div style={{ color: theme.colors.text?.secondary, textAlign: "center", paddingTop: height / 2 - 12 }}>
        {panel.fieldConfig?.defaults.noValue ?? "No data"}
      </div>
    );
  switch (panel.type) {
    case "stat":
      return <Repeated {...props} render={(values, size) => stat(panel, values, size, theme)} />;
    case "bargauge":
      return <Repeated {...props} render={(values, size) => bar(panel, values, size, theme)} />;
    case "table":
      return (
        <TableNG
          data={frames[0] ?? { fields: [], length: 0 }}
          width={width}
          height={height}
          enablePagination={panel.options?.["enablePagination"] === true}
          cellHeight={(panel.options?.["cellHeight"] ?? "sm") as never}
          {...(panel.fieldConfig === undefined ? {} : { fieldConfig: panel.fieldConfig })}
          {...(panel.options?.["sortBy"] === undefined ? {} : { sortBy: panel.options["sortBy"] as never })}
        />
      );
    case "state-timeline":
      return (
        <Timeline
          frames={frames}
          span={span}
          width={width}
          height={height}
          theme={theme}
          marks={marks}
          shown={panel.options?.["legend"] as ComponentProps<typeof Timeline>["shown"]}
        />
      );
    case "timeseries":
      return (
        <TimeSeries
          frames={frames}
          width={width}
          height={height}
          timeRange={rangeOf(span)}
          timeZone="utc"
          legend={panel.options?.["legend"] as ComponentProps<typeof TimeSeries>["legend"]}
        >
          {(builder) => {
            drawMarks(builder, marks, theme);
            return undefined;
          }}
        </TimeSeries>
      );
    default:
      throw new Error(`no component for panels of type ${panel.type}`);
  }
}

export function isEmpty(frames: readonly DataFrame[]): boolean {
  return frames.every(({ length, fields }) => length === 0 || fields.length < 2);
}

type Size = VizRepeaterRenderValueProps<FieldDisplay, ReturnType<typeof getDisplayValueAlignmentFactors>> & {
  readonly all: number;
};

/** Panels that show one figure a series, side by side. */
function Repeated({
  panel,
  frames,
  width,
  height,
  theme,
  render,
}: Props & { render: (value: FieldDisplay, size: Size) => React.JSX.Element }) {
  const orientation = (panel.options?.["orientation"] ?? VizOrientation.Auto) as VizOrientation;
  const values = () =>
    getFieldDisplayValues({
      fieldConfig: panel.fieldConfig ?? { defaults: {}, overrides: [] },
      reduceOptions: panel.options?.["reduceOptions"] as ReduceDataOptions,
      replaceVariables: (text) => text,
      theme,
      data: frames,
      timeZone: "utc",
    });
  return (
    <VizRepeater<FieldDisplay, ReturnType<typeof getDisplayValueAlignmentFactors>>
      getValues={values}
      getAlignmentFactors={getDisplayValueAlignmentFactors}
      renderValue={(size) => render(size.value, { ...size, all: size.count })}
      width={width}
      height={height}
      source={frames}
      autoGrid
      minVizHeight={(panel.options?.["minVizHeight"] ?? 0) as number}
      {...(panel.options?.["sizing"] === "manual" ? { maxVizHeight: panel.options["maxVizHeight"] as number } : {})}
      itemSpacing={3}
      renderCounter={0}
      orientation={orientation}
    />
  );
}

function stat(
  panel: Panel,
  { display, sparkline, hasLinks }: FieldDisplay,
  { width, height, alignmentFactors, count }: Size,
  theme: GrafanaTheme2,
) {
  const options = panel.options as Pick<
    ComponentProps<typeof BigValue>,
    "colorMode" | "graphMode" | "justifyMode" | "textMode"
  >;
  return (
    <BigValue
      value={display}
      count={count}
      {...(sparkline === undefined ? {} : { sparkline })}
      colorMode={options.colorMode}
      graphMode={options.graphMode}
      {...(options.justifyMode === undefined ? {} : { justifyMode: options.justifyMode })}
      {...(options.textMode === undefined ? {} : { textMode: options.textMode })}
      alignmentFactors={alignmentFactors}
      width={width}
      height={height}
      theme={theme}
      hasLinks={hasLinks}
    />
  );
}

function bar(
  panel: Panel,
  { field, display, view, colIndex }: FieldDisplay,
  { width, height, alignmentFactors, orientation }: Size,
  theme: GrafanaTheme2,
) {
  const options = panel.options as {
    displayMode: never;
    valueMode: never;
    namePlacement: never;
    showUnfilled: boolean;
    text: object;
  };
  return (
    <BarGauge
      value={display}
      width={width}
      height={height}
      orientation={orientation}
      field={field}
      {...displayOf(view?.getFieldDisplayProcessor(colIndex ?? 0))}
      theme={theme}
      itemSpacing={8}
      lcdCellWidth={12}
      displayMode={options.displayMode}
      valueDisplayMode={options.valueMode}
      namePlacement={options.namePlacement}
      showUnfilled={options.showUnfilled}
      text={options.text}
      alignmentFactors={alignmentFactors}
    />
  );
}

function displayOf<T>(display: T | undefined): { readonly display?: T } {
  return display === undefined ? {} : { display };
}

function rangeOf({ from, to }: Span): TimeRange {
  const [start, end] = [toUtc(from * 1000), toUtc(to * 1000)];
  return { from: start, to: end, raw: { from: start, to: end } };
}
