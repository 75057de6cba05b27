import { ThresholdsMode, type DynamicConfigValue, type Threshold } from "@grafana/grafana-foundation-sdk/dashboard";
import { PromQueryFormat } from "@grafana/grafana-foundation-sdk/prometheus";
import { PanelBuilder as Table } from "@grafana/grafana-foundation-sdk/table";
import { DASH, valueMapping, SHORT_ID, type Mappings } from "./mappings.ts";
import { withOptions, type PanelOptions, type PanelBuilder } from "./panel-options.ts";
import { query, refId } from "./targets.ts";

/** A column of labels: its heading, how wide it is (pixels), and where its cells lead. */
export type LabelColumn = {
  readonly title: string;
  readonly width?: number;
  readonly link?: string;
  /** Only the beginning of an identifier is shown. */
  readonly short?: true;
};

/** A column of figures: its query, its heading, and how it is written. */
export type Column = {
  readonly title: string;
  readonly expr: string;
  readonly unit?: string;
  readonly decimals?: number;
  readonly width?: number;
  readonly mappings?: Mappings;
  readonly thresholds?: readonly Threshold[];
  /** Stands before the labels. */
  readonly first?: true;
};

/** Labels that some lines have beside those of the table, from one more query. */
export type More = { readonly expr: string; readonly labels: Readonly<Record<string, LabelColumn>> };

/** Labels of the lines, figures of the lines, and more labels at the end. */
export type Content = {
  readonly labels: Readonly<Record<string, LabelColumn>>;
  readonly columns: readonly Column[];
  readonly more?: More;
  /** Heading of the column by which lines are sorted, smallest first unless it begins with a minus. */
  readonly sortedBy?: string;
};

/**
 * Figures of now as a table: one line for each combination of the labels, one column for each query. Queries are reduced
 * to the labels of the table, so that lines of several queries meet whatever else Prometheus put on their series.
 */
export function table(options: PanelOptions, { labels, columns, more, sortedBy }: Content): PanelBuilder {
  const own = Object.keys(labels);
  const exprs = columns.map(({ expr }) => `max by (${own.join(", ")}) (${expr})`);
  const added = Object.keys(more?.labels ?? {});
  if (more !== undefined) exprs.push(`group by (${[...own, ...added].join(", ")}) (${more.expr})`);
  const targets = exprs.map((expr, index) => query(expr, "", index).instant().format(PromQueryFormat.Table));
  const values = exprs.map((_, index) => (exprs.length === 1 ? "Value" : `Value #${refId(index)}`));
  const figures = columns.map(({ title, first = false }, index) => [values[index] ?? "", title, first] as const);
  const titles: ReadonlyArray<readonly [string, string]> = [
    ...figures.flatMap(([name, title, first]) => (first ? [[name, title] as const] : [])),
    ...Object.entries(labels).map(([label, { title }]) => [label, title] as const),
    ...Object.entries(more?.labels ?? {}).map(([label, { title }]) => [label, title] as const),
    ...figures.flatMap(([name, title, first]) => (first ? [] : [[name, title] as const])),
  ];
  const panel = withOptions(new Table(), { noValue: "nothing", ...options }, 8, targets)
    .withTransformation({ id: "merge", options: {} })
    .withTransformation({
      id: "organize",
      options: {
        excludeByName: Object.fromEntries(["Time", ...values.slice(columns.length)].map((name) => [name, true])),
        indexByName: Object.fromEntries(titles.map(([name], index) => [name, index])),
        renameByName: Object.fromEntries(titles),
      },
    });
  if (sortedBy !== undefined) {
    const [, minus = "", displayName = ""] = /^(-?)(.*)$/.exec(sortedBy) ?? [];
    panel.sortBy([{ build: () => ({ displayName, desc: minus !== "" }) }]);
  }
  for (const label of Object.values({ ...labels, ...more?.labels }))
    panel.overrideByName(label.title, labelOverrides(label));
  for (const column of columns) panel.overrideByName(column.title, columnOverrides(column));
  return panel;
}

function labelOverrides({ width, link, short }: LabelColumn): DynamicConfigValue[] {
  return [
    // An ID of a chain is no number.
    { id: "unit", value: "string" },
    // What a panel says instead of nothing at all is not to be said in each empty cell.
    { id: "noValue", value: "" },
    ...(short === undefined ? [] : [{ id: "mappings", value: [SHORT_ID] }]),
    ...(width === undefined ? [] : [{ id: "custom.width", value: width }]),
    ...(link === undefined ? [] : [{ id: "links", value: [{ title: "Show ${__value.raw}", url: link }] }]),
  ];
}

function columnOverrides({ unit, decimals, width, mappings, thresholds }: Column): DynamicConfigValue[] {
  return [
    ...(unit === undefined ? [] : [{ id: "unit", value: unit }]),
    ...(decimals === undefined ? [] : [{ id: "decimals", value: decimals }]),
    ...(width === undefined ? [] : [{ id: "custom.width", value: width }]),
    { id: "mappings", value: [...(mappings === undefined ? [] : [valueMapping(mappings)]), DASH] },
    ...(thresholds === undefined
      ? []
      : [{ id: "thresholds", value: { mode: ThresholdsMode.Absolute, steps: [...thresholds] } }]),
    ...(mappings === undefined && thresholds === undefined
      ? []
      : [{ id: "custom.cellOptions", value: { type: "color-text" } }]),
  ];
}
