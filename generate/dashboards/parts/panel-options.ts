import {
  DashboardLinkBuilder,
  DashboardLinkType,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type Panel,
  type Threshold,
  type ValueMapping,
} from "@grafana/grafana-foundation-sdk/dashboard";
import type { DataqueryBuilder } from "@grafana/grafana-foundation-sdk/prometheus";
import type { Alert } from "../../../src/topics/define/alert.ts";
import { runbookUrl } from "../../../src/topics/all/alerts.ts";
import { valueMapping, type Color, type Mappings } from "./mappings.ts";
import { DATASOURCE } from "./targets.ts";
import { DEFAULT_THRESHOLDS } from "./thresholds.ts";

/** Units of axes that show long durations, in seconds. */
export const SPANS = { min: 60, h: 3600, d: 86_400 } as const;

export type PanelBuilder = { build: () => Panel };

/** A row of a dashboard with its panels. Ids of rows and panels must never change. */
export type Row = {
  readonly id: number;
  readonly title: string;
  /** The row is closed when the dashboard opens, and its panels are queried only when a user opens it. */
  readonly collapsed?: true;
  readonly panels: readonly PanelBuilder[];
};

/** Options of every kind of panel. `id` must never change, because links and annotations refer to it. */
export type PanelOptions = {
  readonly id: number;
  readonly title: string;
  /** Meaning of the figure, in one or two sentences. */
  readonly about: string;
  /** Columns, of 24. */
  readonly width: number;
  /** Rows of the grid; each kind of panel has its own default. */
  readonly height?: number;
  readonly unit: string;
  readonly decimals?: number;
  /** Soft maximum of the axis of lines, so that zeros do not fill the panel. Each unit has its own default. */
  readonly softMax?: number;
  /** The axis of lines does not begin at 0, because small differences matter. */
  readonly zoomed?: true;
  /** Lines of seconds are drawn in this unit, so that the axis has round ticks. Limits and `softMax` stay in seconds. */
  readonly in?: keyof typeof SPANS;
  /** Last word of the names of series that are limits: they are drawn as limits are. */
  readonly limits?: string;
  readonly thresholds?: readonly Threshold[];
  readonly mappings?: Mappings;
  /** Text of an empty panel, which is good news for some panels. */
  readonly noValue?: string;
  /** Colours of series by their name. */
  readonly colors?: Readonly<Record<string, Color>>;
  /** Alerts on the same figure, whose runbooks the panel links to. */
  readonly alerts?: ReadonlyArray<Alert["name"]>;
};

/** Methods that the builders of all kinds of panels have. */
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

/** Sets the options and targets of a panel. `height` is the default of its kind. */
export function withOptions<B extends Builder<B>>(
  builder: B,
  options: PanelOptions,
  height: number,
  queries: readonly DataqueryBuilder[],
): B {
  const panel = builder
    .id(options.id)
    .title(options.title)
    .description(options.about)
    .datasource(DATASOURCE)
    .span(options.width)
    .height(options.height ?? height)
    .unit(options.unit)
    .noValue(options.noValue ?? "no data")
    .thresholds(
      new ThresholdsConfigBuilder()
        .mode(ThresholdsMode.Absolute)
        .steps([...(options.thresholds ?? DEFAULT_THRESHOLDS)]),
    )
    .mappings(options.mappings === undefined ? [] : [valueMapping(options.mappings)])
    .links((options.alerts ?? []).map(runbookLink))
    .targets([...queries]);
  return options.decimals === undefined ? panel : panel.decimals(options.decimals);
}

function runbookLink(name: Alert["name"]): DashboardLinkBuilder {
  return new DashboardLinkBuilder(`Runbook of ${name}`)
    .type(DashboardLinkType.Link)
    .url(runbookUrl(name))
    .targetBlank(true);
}
