import { dashboardFile } from "../../../generate/dashboards/parts/board.ts";
import { BOARDS } from "../../../generate/dashboards/boards.ts";

/** The parts of a dashboard that the tests read. */
type Target = {
  readonly expr: string;
  readonly legendFormat: string;
  readonly refId: string;
  readonly instant?: boolean;
};
type Property = { readonly id: string; readonly value: unknown };
type MappingJson = { readonly options: Readonly<Record<string, { readonly text?: string; readonly color?: string }>> };
export type PanelJson = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: unknown;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: {
    readonly defaults: {
      readonly unit?: string;
      readonly thresholds?: {
        readonly steps: ReadonlyArray<{ readonly value: number | null; readonly color: string }>;
      };
      readonly custom?: { readonly axisSoftMax?: number };
      readonly mappings?: readonly MappingJson[];
    };
    readonly overrides: ReadonlyArray<{
      readonly matcher: { readonly id: string; readonly options?: unknown };
      readonly properties: readonly Property[];
    }>;
  };
  readonly links?: ReadonlyArray<{ readonly url: string }>;
  readonly targets?: readonly Target[];
  /** Of a row: whether it is closed when the dashboard opens, and its panels then. */
  readonly collapsed?: boolean;
  readonly panels?: readonly PanelJson[];
};
export type VariableJson = {
  readonly name: string;
  readonly type: string;
  readonly query: string;
  readonly multi: boolean;
  readonly includeAll: boolean;
  readonly regex?: string;
};
export type AnnotationJson = {
  readonly name: string;
  readonly enable: boolean;
  readonly expr: string;
  readonly textFormat: string;
  readonly useValueForTime: boolean;
};
export type DashboardJson = {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly links: ReadonlyArray<{ readonly type: string; readonly tags: readonly string[]; readonly url?: string }>;
  readonly tags: readonly string[];
  /** Rows and panels, those of closed rows after their row. */
  readonly panels: readonly PanelJson[];
  /** Rows and panels that the dashboard shows when it opens. */
  readonly opened: readonly PanelJson[];
  readonly annotations: { readonly list: readonly AnnotationJson[] };
  readonly templating: { readonly list: readonly VariableJson[] };
};

/** The dashboards as they are generated, all panels in one list: those of closed rows, too. */
export const DASHBOARDS: readonly DashboardJson[] = BOARDS.map((board) => {
  const { annotations, panels, ...others } = JSON.parse(dashboardFile(board)) as Written;
  return {
    ...others,
    annotations: { list: annotations?.list ?? [] },
    opened: panels,
    panels: panels.flatMap((panel) => [panel, ...(panel.panels ?? [])]),
  };
});

type Written = Omit<DashboardJson, "annotations" | "opened"> & {
  readonly annotations?: Partial<DashboardJson["annotations"]>;
};

export type Expression = { readonly panel: string; readonly expr: string; readonly legend: string };

/** Every expression of a dashboard as Prometheus gets it: the range variables of Grafana filled in. */
export function expressions({ panels }: DashboardJson): readonly Expression[] {
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ panel: title, expr: filled(expr), legend: legendFormat })),
  );
}

/** The expression of a variable's query. Throws for another kind of query. */
export function variableExpression({ name, query }: VariableJson): string {
  const [, result, metric] = /^query_result\((.*)\)$|^label_values\((.*), \w+\)$/.exec(query) ?? [];
  const expr = result ?? metric;
  if (expr === undefined) throw new Error(`what does ${name} ask: ${query}`);
  return expr;
}

/**
 * A query for all series instead of the worst few of the range: of equal ones these are any few, and the worst can be gone at the
 * instant of a test.
 */
export const allOf = (expr: string): string => expr.replaceAll(/\b(topk|bottomk)\(\d+,/g, "$1(100000,");

/** Fills in the variables that Grafana itself has, for a dashboard of six hours. */
export function filled(expr: string, range = "6h"): string {
  return expr.replaceAll("$__rate_interval", "1m").replaceAll("$__range", range).replaceAll("$__interval", "15s");
}
