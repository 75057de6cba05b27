import { getFieldDisplayName, FieldType, type DataFrame, type Field, type GrafanaTheme2 } from "@grafana/data";
import {
  AxisPlacement,
  ScaleDirection,
  ScaleOrientation,
  UPlotChart,
  UPlotConfigBuilder,
  VizLayout,
  VizLegend,
} from "@grafana/ui";
import type { ComponentProps } from "react";
import type { Span } from "./dashboard.ts";
import { drawMarks, type Mark } from "./events.ts";

type Props = {
  readonly frames: DataFrame[];
  readonly span: Span;
  readonly width: number;
  readonly height: number;
  readonly theme: GrafanaTheme2;
  readonly marks: readonly Mark[];
  /** The panel's options of its legend. */
  readonly shown: Required<Pick<ComponentProps<typeof VizLegend>, "displayMode" | "placement">>;
};

/**
 * States over time. Grafana exports no component of its state timeline, so it is put together from what it does export: its
 * plot, its axes and its values' colours.
 */
export function Timeline({ frames, span, width, height, theme, marks, shown }: Props) {
  const times = frames[0]?.fields.find(({ type }) => type === FieldType.time)?.values ?? [];
  const rows = frames.flatMap((frame) =>
    frame.fields
      .filter(({ type }) => type === FieldType.number)
      .map((field) => ({ field, name: getFieldDisplayName(field, frame, frames) })),
  );
  const legend = (
    <VizLayout.Legend placement="bottom">
      <VizLegend items={statesOf(rows)} displayMode={shown.displayMode} placement={shown.placement} />
    </VizLayout.Legend>
  );
  return (
    <VizLayout width={width} height={height} legend={legend}>
      {(inside, left) => (
        <UPlotChart
          width={inside}
          height={left}
          data={[times as number[], ...rows.map(({ field }) => field.values as number[])]}
          config={configOf(rows, span, theme, inside, marks)}
        />
      )}
    </VizLayout>
  );
}

/** The states that are there, in words and colours, as Grafana lists them below. */
function statesOf(rows: readonly Row[]) {
  const values = [...new Set(rows.flatMap(({ field }) => field.values as unknown[]))].sort();
  const display = rows[0]?.field.display;
  return values
    .filter((value) => value !== null && value !== undefined && display !== undefined)
    .map((value) => display?.(value))
    .map((shown) => ({ label: shown?.text ?? "", color: shown?.color ?? "gray", yAxis: 1 }));
}

type Row = { readonly field: Field; readonly name: string };

function configOf(
  rows: readonly Row[],
  { from, to }: Span,
  theme: GrafanaTheme2,
  width: number,
  marks: readonly Mark[],
): UPlotConfigBuilder {
  const builder = new UPlotConfigBuilder("utc");
  builder.addScale({
    scaleKey: "x",
    isTime: true,
    orientation: ScaleOrientation.Horizontal,
    direction: ScaleDirection.Right,
    range: () => [from * 1000, to * 1000],
  });
  builder.addScale({
    scaleKey: "y",
    orientation: ScaleOrientation.Vertical,
    direction: ScaleDirection.Up,
    range: () => [0, rows.length],
  });
  builder.addAxis({ scaleKey: "x", isTime: true, placement: AxisPlacement.Bottom, timeZone: "utc", theme });
  // uPlot counts from the bottom; the first row is on top.
  const names = rows.map(({ name }) => name).reverse();
  const longest = Math.max(...names.map(({ length }) => length), 1);
  builder.addAxis({
    scaleKey: "y",
    placement: AxisPlacement.Left,
    theme,
    grid: { show: false },
    ticks: { show: false },
    size: Math.min(longest * 7 + 18, width * 0.45),
    splits: names.map((_, index) => index + 0.5),
    values: names.map((name) => name),
  });
  for (const { name } of rows)
    builder.addSeries({
      scaleKey: "y",
      theme,
      pxAlign: 0,
      show: true,
      lineWidth: 0,
      pathBuilder: () => null,
      label: name,
    } as never);
  builder.addHook("draw", (plot) => {
    rows.forEach((row, index) => drawRow(plot, row, index, rows.length, to));
  });
  drawMarks(builder, marks, theme);
  return builder;
}

type Plot = {
  readonly ctx: CanvasRenderingContext2D;
  readonly data: ReadonlyArray<ArrayLike<number | null>>;
  readonly valToPos: (value: number, scale: string, canvas: boolean) => number;
};

/** One bar a stretch of equal values, in the colour of the value. */
function drawRow(uplot: unknown, { field }: Row, index: number, count: number, to: number): void {
  const plot = uplot as Plot;
  const times = plot.data[0] ?? [];
  const values = plot.data[index + 1] ?? [];
  const top = plot.valToPos(count - index - 0.1, "y", true);
  const bottom = plot.valToPos(count - index - 0.9, "y", true);
  let start = 0;
  for (let at = 1; at <= values.length; at += 1) {
    if (at < values.length && values[at] === values[start]) continue;
    const value = values[start];
    if (value !== null && value !== undefined) {
      const left = plot.valToPos(times[start] ?? 0, "x", true);
      const right = plot.valToPos(at < times.length ? (times[at] ?? 0) : to * 1000, "x", true);
      plot.ctx.fillStyle = field.display?.(value).color ?? "gray";
      plot.ctx.globalAlpha = 0.75;
      plot.ctx.fillRect(left, top, Math.max(1, right - left), bottom - top);
      plot.ctx.globalAlpha = 1;
    }
    start = at;
  }
}
