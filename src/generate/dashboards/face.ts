import {
  DashboardLinkBuilder,
  DashboardLinkType,
  MappingType,
  SpecialValueMatch,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type Panel,
  type Threshold,
  type ValueMapping,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { DataqueryBuilder } from "@grafana/grafana-foundation-sdk/prometheus";
import type { Alert } from "../../catalogue/alert.ts";
import { runbookUrl } from "../../definitions/alerts.ts";

export const DATASOURCE = { type: "prometheus", uid: "${datasource}" };

/** A query and the name of its series, in Grafana's spelling: `{{node}}`. */
export type Query = readonly [expr: string, legend: string];

export type PanelBuilder = { build: () => Panel };

/** A row of a dashboard with its panels; ids of rows and panels are for ever. */
export type Row = { readonly id: number; readonly title: string; readonly panels: readonly PanelBuilder[] };

/** What every panel says of itself. `id` is for ever: links and annotations point at it. */
export type Face = {
  readonly id: number;
  readonly title: string;
  /** What the figure means, in one or two sentences. */
  readonly about: string;
  /** Columns of the 24. */
  readonly width: number;
  /** Cells of the grid; each kind of panel has its own default. */
  readonly height?: number;
  readonly unit: string;
  readonly decimals?: number;
  /** Where the axis of lines ends at least: a line of zeros shall not fill the panel. Each unit has its own default. */
  readonly atLeast?: number;
  /** The axis of lines does not begin at 0: what matters is by how little they differ. */
  readonly zoomed?: true;
  readonly thresholds?: readonly Threshold[];
  readonly words?: Words;
  /** What is shown where there is nothing, which is good news for some panels. */
  readonly nothing?: string;
  /** Colours of series by their name. */
  readonly colors?: Readonly<Record<string, Color>>;
  /** Alerts on the same figure; the panel links to their runbooks. */
  readonly alerts?: ReadonlyArray<Alert["name"]>;
};

type Color = "red" | "orange" | "yellow" | "green" | "blue" | "text";

/** Words and colours for values. */
export type Words = Readonly<Record<string, readonly [text: string, color: Color]>>;

export const YES_NO: Words = { 0: ["no", "red"], 1: ["yes", "green"] };

/** Red below the limit of an alert. */
export function redBelow(limit: number): readonly Threshold[] {
  return [
    { value: null, color: "red" },
    { value: limit, color: "green" },
  ];
}

/** Red above the limit of an alert. */
export function redAbove(limit: number): readonly Threshold[] {
  return [
    { value: null, color: "green" },
    { value: limit, color: "red" },
  ];
}

/** Red below the limit of a critical alert, orange below that of a warning. */
export function redOrangeBelow(critical: number, warning: number): readonly Threshold[] {
  return [
    { value: null, color: "red" },
    { value: critical, color: "orange" },
    { value: warning, color: "green" },
  ];
}

const PLAIN: readonly Threshold[] = [{ value: null, color: "blue" }];

/** What the builders of all kinds of panels have in common. */
type Builder<B> = {
  id: (id: number) => B;
  title: (title: string) => B;
  description: (text: string) => B;
  datasource: (ref: typeof DATASOURCE) => B;
  span: (width: number) => B;
  height: (height: number) => B;
  unit: (unit: string) => B;
  decimals: (decimals: number) => B;
  noValue: (text: string) => B;
  thresholds: (thresholds: ThresholdsConfigBuilder) => B;
  mappings: (mappings: ValueMapping[]) => B;
  links: (links: DashboardLinkBuilder[]) => B;
  targets: (targets: DataqueryBuilder[]) => B;
};

/** Gives a panel its face and its queries. `height` is the default of its kind. */
export function faced<B extends Builder<B>>(
  builder: B,
  face: Face,
  height: number,
  queries: readonly DataqueryBuilder[],
): B {
  const panel = builder
    .id(face.id)
    .title(face.title)
    .description(face.about)
    .datasource(DATASOURCE)
    .span(face.width)
    .height(face.height ?? height)
    .unit(face.unit)
    .noValue(face.nothing ?? "not known")
    .thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([...(face.thresholds ?? PLAIN)]))
    .mappings(face.words === undefined ? [] : [mapping(face.words)])
    .links((face.alerts ?? []).map(runbookLink))
    .targets([...queries]);
  return face.decimals === undefined ? panel : panel.decimals(face.decimals);
}

export function mapping(words: Words): ValueMapping {
  const options = Object.entries(words).map(
    ([value, [text, color]], index) => [value, { text, color, index }] as const,
  );
  return { type: MappingType.ValueToText, options: Object.fromEntries(options) };
}

/** An identifier in a narrow cell: its beginning; a link has all of it. Those of nodes keep their prefix. */
export const SHORT_ID: ValueMapping = {
  type: MappingType.RegexToText,
  options: { pattern: "^((?:NodeID-)?\\w{6})\\w{16,}$", result: { text: "$1…", index: 98 } },
};

/** A cell without a value is no good and no bad news. */
export const DASH: ValueMapping = {
  type: MappingType.SpecialValue,
  options: { match: SpecialValueMatch.Null, result: { text: "–", color: "text", index: 99 } },
};

function runbookLink(name: Alert["name"]): DashboardLinkBuilder {
  return new DashboardLinkBuilder(`Runbook of ${name}`)
    .type(DashboardLinkType.Link)
    .url(runbookUrl(name))
    .targetBlank(true);
}

export function query(expr: string, legend: string, index: number): DataqueryBuilder {
  return new DataqueryBuilder().expr(expr).legendFormat(legend).refId(refId(index)).datasource(DATASOURCE);
}

/** Grafana's name of the query at this place: A to Z. */
export function refId(index: number): string {
  return String.fromCharCode(65 + index);
}

/** Node, subnet and validation IDs are long; their beginning tells them apart. Names of kinds have underscores and stay. */
export const SHORT_IDS = {
  id: "renameByRegex",
  options: { regex: "/(\\b[A-Za-z0-9]{6})[A-Za-z0-9]{16,}/g", renamePattern: "$1…" },
} as const;
