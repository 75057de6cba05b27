import { ThresholdsMode, type DynamicConfigValue, type Threshold } from "@grafana/grafana-foundation-sdk/dashboard";
import { PromQueryFormat } from "@grafana/grafana-foundation-sdk/prometheus";
import { PanelBuilder as Table } from "@grafana/grafana-foundation-sdk/table";
import { DASH, NOT_OFFERED, valueMapping, SHORT_ID, type Mappings } from "./mappings.ts";
import { withOptions, type PanelOptions, type PanelBuilder } from "./panel-options.ts";
import { query, refId } from "./targets.ts";

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

/** A column of figures: its query, its heading, and its format. */
export type Column = {
  readonly title: string;
  readonly expr: string;
  readonly unit?: string;
  readonly decimals?: number;
  readonly width?: number;
  readonly mappings?: Mappings;
  readonly thresholds?: readonly Threshold[];
  /** The column comes before the labels. */
  readonly first?: true;
};

/** Further labels that some lines have, from one more query each. */
export type More = { readonly expr: string; readonly labels: Readonly<Record<string, LabelColumn>> };

export type Content = {
  readonly labels: Readonly<Record<string, LabelColumn>>;
  readonly columns: readonly Column[];
  readonly more?: More | readonly More[];
  /** Heading of the column by which lines are sorted; a leading minus sorts in descending order. */
  readonly sortedBy?: string;
};

/**
 * Present figures as a table: one line for each combination of labels, one column for each query. Queries are aggregated to
 * the labels of the table, so that the lines of several queries match despite other labels.
 */
export function table(options: PanelOptions, { labels, columns, more, sortedBy }: Content): PanelBuilder {
  const own = Object.keys(labels);
  const exprs = columns.map(({ expr }) => `max by (${own.join(", ")}) (${expr})`);
  const added: readonly More[] = more === undefined ? [] : "expr" in more ? [more] : more;
  for (const { expr, labels: further } of added)
    exprs.push(`group by (${[...own, ...Object.keys(further)].join(", ")}) (${expr})`);
  const addedLabels = Object.assign({}, ...added.map((each) => each.labels)) as More["labels"];
  const targets = exprs.map((expr, index) => query(expr, "", index).instant().format(PromQueryFormat.Table));
  const values = exprs.map((_, index) => (exprs.length === 1 ? "Value" : `Value #${refId(index)}`));
  const figures = columns.map(({ title, first = false }, index) => [values[index] ?? "", title, first] as const);
  const titles: ReadonlyArray<readonly [string, string]> = [
    ...figures.flatMap(([name, title, first]) => (first ? [[name, title] as const] : [])),
    ...Object.entries(labels).map(([label, { title }]) => [label, title] as const),
    ...Object.entries(addedLabels).map(([label, { title }]) => [label, title] as const),
    ...figures.flatMap(([name, title, first]) => (first ? [] : [[name, title] as const])),
  ];
  const panel = withOptions(new Table(), { noValue: "none", ...options }, 8, targets)
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
  for (const column of columns) panel.overrideByName(column.title, columnOverrides(column));
  return inPages(panel);
}

/** Lines that do not fit are on further pages. Grafana up to 12 has the option in the footer, later ones beside it. */
function inPages(panel: Table): PanelBuilder {
  panel.footer({ build: () => ({ show: false, reducer: [], countRows: false, enablePagination: true }) });
  return {
    build: () => {
      const built = panel.build();
      return { ...built, options: { ...(built.options as object), enablePagination: true } };
    },
  };
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

function columnOverrides({ unit, decimals, width, mappings, thresholds, first }: Column): DynamicConfigValue[] {
  return [
    ...(unit === undefined ? [] : [{ id: "unit", value: unit }]),
    ...(decimals === undefined ? [] : [{ id: "decimals", value: decimals }]),
    ...(width === undefined ? [] : [{ id: "custom.width", value: width }]),
    ...(first === undefined ? [] : [{ id: "custom.align", value: "left" }]),
    { id: "mappings", value: [...(mappings === undefined ? [] : [valueMapping(mappings)]), NOT_OFFERED, DASH] },
    // What no mapping names has the colour of the text.
    { id: "thresholds", value: { mode: ThresholdsMode.Absolute, steps: [...(thresholds ?? PLAIN)] } },
    ...(mappings === undefined && thresholds === undefined
      ? []
      : [{ id: "custom.cellOptions", value: { type: "color-text" } }]),
  ];
}
