import { RUNBOOKS } from "../../../src/topics/all/alerts.ts";
import { ThresholdsMode, type DynamicConfigValue, type Threshold } from "@grafana/grafana-foundation-sdk/dashboard";
import { PromQueryFormat } from "@grafana/grafana-foundation-sdk/prometheus";
import { PanelBuilder as Table } from "@grafana/grafana-foundation-sdk/table";
import { DASH, NOT_OFFERED, valueMapping, SHORT_ID, type Mappings, SPAN, mappingsOf } from "./format.ts";
import { DatetimeISO, PercentUnit } from "@grafana/grafana-foundation-sdk/units";
import { withOptions, type Panel, type PanelOptions } from "./panels.ts";
import { withSubnetNames } from "./selectors.ts";
import { query, refId } from "./targets.ts";

/** Links of table cells: to the dashboard of the cell's value, with the same data source, exporters, network and time range. */
const SOURCE = "${datasource:queryparam}&${job:queryparam}&${instance:queryparam}&${__url_time_range}";
const KEPT = `${SOURCE}&\${network:queryparam}`;

export const TO_NODE = `/d/avax-node?var-node=\${__value.raw}&${KEPT}`;
export const TO_VALIDATOR = `/d/avax-validator?var-validator=\${__value.raw}&${KEPT}`;
export const TO_L1 = `/d/avax-l1?var-subnet=\${__value.raw}&${KEPT}`;
export const TO_NETWORK = `/d/avax-network?var-network=\${__value.raw}&${SOURCE}`;
export const TO_RUNBOOK = `${RUNBOOKS}/\${__value.raw}.md`;

/** A column of labels: its heading, its width in pixels, and the link of its cells. */
export type LabelColumn = {
  readonly title: string;
  readonly width?: number;
  readonly link?: string;
  /** Identifiers are shortened. */
  readonly short?: true;
  /** Texts and colours of values; the cells are sorted by the values. */
  readonly mappings?: Mappings;
};

/** A column of figures: its heading, its query, and its format. */
export type TableColumn = { readonly title: string; readonly expr: string } & ColumnFormat;

export type ColumnFormat = {
  readonly unit?: string;
  readonly decimals?: number;
  readonly width?: number;
  readonly mappings?: Mappings;
  /** Text of a value below 0. */
  readonly negative?: string;
  readonly thresholds?: readonly Threshold[];
  /** The column comes before the labels. */
  readonly first?: true;
};

/** Further labels that some lines have, from one more query each. */
export type MoreLabels = { readonly expr: string; readonly labels: Readonly<Record<string, LabelColumn>> };

/** Columns of labels as they are in most tables. Any other is a column of its own (`LabelColumn`). */
const LABELS = {
  network: { title: "Network", width: 90, link: TO_NETWORK },
  node: { title: "Node", link: TO_NODE },
  node_id: { title: "Validator", link: TO_VALIDATOR, short: true, width: 140 },
  subnet: { title: "Subnet", width: 90, link: TO_L1, short: true },
  chain: { title: "Chain", width: 90 },
  name: { title: "Name" },
  api_endpoint: { title: "Endpoint" },
} as const satisfies Readonly<Record<string, LabelColumn>>;

/** The usual columns of these labels. */
export function usual(...labels: ReadonlyArray<keyof typeof LABELS>): Readonly<Record<string, LabelColumn>> {
  return Object.fromEntries(labels.map((label) => [label, LABELS[label]]));
}

/** The configured name of the subnet of each line, else its ID. @param expr by network and subnet */
export function subnetName(expr: string): MoreLabels {
  const named = `label_replace(${withSubnetNames(expr)}, "subnet_name", "$1", "name", "(.*)")`;
  return { expr: named, labels: { subnet_name: { title: "Subnet name", short: true, width: 110 } } };
}

export const column = (title: string, expr: string, format: ColumnFormat = {}): TableColumn => ({
  title,
  expr,
  ...format,
});

/** A column of percentages; `expr` has shares of 1. */
export function shares(title: string, expr: string, format: ColumnFormat = {}): TableColumn {
  return { title, expr, unit: PercentUnit, ...format };
}

/** A column of durations; `expr` has seconds. */
export function spans(title: string, expr: string, format: ColumnFormat = {}): TableColumn {
  return { title, expr, unit: SPAN, ...format };
}

/** A column of dates; `expr` has Unix seconds. */
export function dates(title: string, expr: string, format: ColumnFormat = {}): TableColumn {
  return { title, expr: `1000 * ${expr}`, unit: DatetimeISO, width: 165, ...format };
}

type TableOptions = PanelOptions & {
  readonly labels: Readonly<Record<string, LabelColumn>>;
  readonly columns: readonly TableColumn[];
  readonly more?: MoreLabels | readonly MoreLabels[];
  /** Heading of the column by which lines are sorted; a leading minus sorts in descending order. */
  readonly sortedBy?: string;
};

/**
 * Present figures as a table: one line for each combination of labels, one column for each query. Queries are aggregated to
 * the labels of the table, so that the lines of several queries match despite other labels.
 */
export function table(title: string, about: string, options: TableOptions): Panel {
  const { width = 12, height = 8, labels, columns, more = [], sortedBy } = options;
  const own = Object.keys(labels);
  const added: readonly MoreLabels[] = "expr" in more ? [more] : more;
  const addedLabels = Object.fromEntries(added.flatMap((each) => Object.entries(each.labels)));
  const exprs = [
    ...columns.map(({ expr }) => `max by (${own.join(", ")}) (${expr})`),
    ...added.map(({ expr, labels: further }) => `group by (${[...own, ...Object.keys(further)].join(", ")}) (${expr})`),
  ];
  const targets = exprs.map((expr, index) => query(expr, "", index).instant().format(PromQueryFormat.Table));
  const values = exprs.map((_, index) => (exprs.length === 1 ? "Value" : `Value #${refId(index)}`));
  const figures = columns.map(({ title: heading, first = false }, index) => ({
    first,
    titled: [values[index] ?? "", heading] as const,
  }));
  const titles: ReadonlyArray<readonly [string, string]> = [
    ...figures.filter(({ first }) => first).map(({ titled }) => titled),
    ...Object.entries({ ...labels, ...addedLabels }).map(([label, each]) => [label, each.title] as const),
    ...figures.filter(({ first }) => !first).map(({ titled }) => titled),
  ];
  const panel = withOptions(new Table(), [title, about], { noValue: "none", ...options }, targets)
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
  for (const label of Object.values({ ...labels, ...addedLabels }))
    panel.overrideByName(label.title, labelOverrides(label));
  for (const each of columns) panel.overrideByName(each.title, columnOverrides(each));
  return { title, kind: "table", width, height, build: () => inPages(panel) };
}

/** Lines that do not fit are on further pages. Grafana up to 12 has the option in the footer, later ones beside it. */
function inPages(panel: Table) {
  panel.footer({ build: () => ({ show: false, reducer: [], countRows: false, enablePagination: true }) });
  const built = panel.build();
  return { ...built, options: { ...(built.options as object), enablePagination: true } };
}

function labelOverrides({ width, link, short, mappings }: LabelColumn): DynamicConfigValue[] {
  return [
    // Chain IDs must not be formatted as numbers.
    { id: "unit", value: "string" },
    // The text of an empty panel must not appear in empty cells.
    { id: "noValue", value: "" },
    ...(short === undefined ? [] : [{ id: "mappings", value: [SHORT_ID] }]),
    ...(mappings === undefined
      ? []
      : [
          { id: "mappings", value: [valueMapping(mappings)] },
          { id: "custom.cellOptions", value: { type: "color-text" } },
        ]),
    ...(width === undefined ? [] : [{ id: "custom.width", value: width }]),
    ...(link === undefined ? [] : [{ id: "links", value: [{ title: "Show ${__value.raw}", url: link }] }]),
  ];
}

const PLAIN: readonly Threshold[] = [{ value: null, color: "text" }];

function columnOverrides({
  unit,
  decimals,
  width,
  mappings,
  negative,
  thresholds,
  first,
}: TableColumn): DynamicConfigValue[] {
  return [
    ...(unit === undefined ? [] : [{ id: "unit", value: unit }]),
    ...(decimals === undefined ? [] : [{ id: "decimals", value: decimals }]),
    ...(width === undefined ? [] : [{ id: "custom.width", value: width }]),
    ...(first === undefined ? [] : [{ id: "custom.align", value: "left" }]),
    { id: "mappings", value: [...mappingsOf({ mappings, negative }), NOT_OFFERED, DASH] },
    // What no mapping names has the colour of the text.
    { id: "thresholds", value: { mode: ThresholdsMode.Absolute, steps: [...(thresholds ?? PLAIN)] } },
    ...(mappings === undefined && thresholds === undefined
      ? []
      : [{ id: "custom.cellOptions", value: { type: "color-text" } }]),
  ];
}
