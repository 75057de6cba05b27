import type { DataTransformerConfig, FieldConfigSource } from "@grafana/data";

/** What is read of a dashboard in Grafana's classic format. */
export type Dashboard = {
  readonly title: string;
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly links?: ReadonlyArray<{ readonly title: string; readonly type: string }>;
  readonly annotations?: { readonly list?: readonly Annotation[] };
  readonly templating: { readonly list: readonly Variable[] };
};

export type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: FieldConfigSource;
  // Options are what each component makes of them.
  readonly options?: Readonly<Record<string, unknown>>;
  readonly targets?: readonly Target[];
  /** Least step, in minutes. */
  readonly interval?: `${number}m`;
  readonly transformations?: DataTransformerConfig[];
  /** Of a row: whether it is closed, and its panels then. */
  readonly collapsed?: boolean;
  readonly panels?: readonly Panel[];
};

export type Annotation = {
  readonly enable: boolean;
  readonly expr?: string;
  readonly step?: string;
  readonly iconColor: string;
  readonly useValueForTime?: boolean;
};

export type Target = {
  readonly expr: string;
  readonly legendFormat: string;
  readonly refId: string;
  readonly instant?: boolean;
  readonly format?: string;
};

export type Variable = {
  readonly name: string;
  readonly label?: string;
  readonly type: string;
  readonly query: string;
  readonly regex?: string;
  readonly allValue?: string;
  readonly includeAll?: boolean;
  readonly hide?: number;
};

export type Theme = "light" | "dark";

/** The moment of the picture and how much of the past it shows, unix seconds. */
export type Span = { readonly from: number; readonly to: number; readonly scrape: number };

/** Chosen values by variable; a variable that is not named stands at "All", or at its first value where it has no "All". */
export type Choice = Readonly<Record<string, readonly string[]>>;
