import {
  applyFieldOverrides,
  cacheFieldDisplayNames,
  FieldType,
  standardTransformers,
  toDataFrame,
  type DataFrame,
  type FieldDTO,
  type GrafanaTheme2,
} from "@grafana/data";
import { firstValueFrom, of } from "rxjs";
import type { Panel, Span, Target } from "./dashboard.ts";
import { FIELD_CONFIG, withDefaults } from "./field-config.ts";
import { askNow, askSpan, type Series } from "./prometheus.ts";
import { interpolate, type Values } from "./variables.ts";

/** The data of a panel as Grafana's data source, transformations and field options make it. */
export async function framesOf(
  panel: Panel,
  values: Values,
  span: Span,
  pixels: number,
  theme: GrafanaTheme2,
): Promise<DataFrame[]> {
  const { targets = [], interval = "0m" } = panel;
  const step = Math.max(span.scrape, Math.ceil((span.to - span.from) / pixels), 60 * Number.parseInt(interval, 10));
  const made = await Promise.all(targets.map((target) => framesOfTarget(target, targets.length, values, span, step)));
  const frames = await transformed(panel, made.flat());
  const drawn = applyFieldOverrides({
    data: frames,
    fieldConfig: withDefaults(panel),
    fieldConfigRegistry: FIELD_CONFIG,
    replaceVariables: (text) => text,
    theme,
    timeZone: "utc",
  });
  cacheFieldDisplayNames(drawn);
  return drawn;
}

async function framesOfTarget(
  { expr, legendFormat, refId, instant = false, format }: Target,
  targets: number,
  values: Values,
  span: Span,
  step: number,
): Promise<DataFrame[]> {
  const query = interpolate(expr, values, span, step);
  const series = instant ? await askNow(query, span) : await askSpan(query, span, step);
  if (format === "table") return [tableOf(series, targets === 1 ? "Value" : `Value #${refId}`, refId)];
  return series.map((each) =>
    frameOf(each, named(legendFormat, each.metric), refId, instant ? undefined : { ...span, step }),
  );
}

function named(legend: string, metric: Series["metric"]): string {
  return legend.replaceAll(/{{\s*(\w+)\s*}}/g, (_all, label: string) => metric[label] ?? "");
}

/** One series; a range is filled with gaps where Prometheus has nothing. */
function frameOf(
  { metric, values }: Series,
  name: string,
  refId: string,
  grid: (Span & { readonly step: number }) | undefined,
): DataFrame {
  const known = new Map(values.map(([time, value]) => [time, number(value)]));
  const times =
    grid === undefined
      ? [...known.keys()]
      : Array.from({ length: Math.floor((grid.to - grid.from) / grid.step) + 1 }, (_, i) => grid.from + i * grid.step);
  return toDataFrame({
    refId,
    fields: [
      { name: "Time", type: FieldType.time, values: times.map((time) => time * 1000) },
      {
        name: "Value",
        type: FieldType.number,
        labels: { ...metric },
        config: { displayNameFromDS: name },
        values: times.map((time) => known.get(time) ?? null),
      },
    ],
  });
}

function tableOf(series: readonly Series[], value: string, refId: string): DataFrame {
  const labels = [...new Set(series.flatMap(({ metric }) => Object.keys(metric)))].sort();
  const fields: FieldDTO[] = [
    { name: "Time", type: FieldType.time, values: series.map(({ values }) => (values[0]?.[0] ?? 0) * 1000) },
    ...labels.map((label) => ({
      name: label,
      type: FieldType.string,
      values: series.map(({ metric }) => metric[label] ?? ""),
    })),
    { name: value, type: FieldType.number, values: series.map(({ values }) => number(values[0]?.[1] ?? "NaN")) },
  ];
  return toDataFrame({ refId, fields: series.length === 0 ? [] : fields });
}

function number(text: string): number {
  return Number(text.replace("Inf", "Infinity"));
}

const TRANSFORMERS = new Map(
  Object.values(standardTransformers).map((transformer) => [transformer.id as string, transformer]),
);

async function transformed({ transformations = [] }: Panel, frames: DataFrame[]): Promise<DataFrame[]> {
  let data = frames;
  for (const { id, options } of transformations) {
    const transformer = TRANSFORMERS.get(id);
    if (transformer === undefined) throw new Error(`no transformation ${id}`);
    const operator = transformer.operator({ ...transformer.defaultOptions, ...options } as never, {
      interpolate: (text: string) => text,
    });
    data = await firstValueFrom(of(data).pipe(operator));
  }
  return data;
}
