import { BOARDS } from "../../src/observability/dashboards/boards.ts";
import { dashboardFile } from "../../src/observability/dashboards/board.ts";

/** What the tests read of a dashboard. */
type Target = { readonly expr: string; readonly legendFormat: string; readonly refId: string };
export type PanelJson = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: unknown;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly links?: ReadonlyArray<{ readonly url: string }>;
  readonly targets?: readonly Target[];
};
export type DashboardJson = {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly PanelJson[];
  readonly templating: {
    readonly list: ReadonlyArray<{ name: string; type: string; query: string; multi: boolean; includeAll: boolean }>;
  };
};

/** The committed dashboards as they are generated. */
export const DASHBOARDS: readonly DashboardJson[] = BOARDS.map((board) => JSON.parse(dashboardFile(board)) as DashboardJson);

/** Every expression of a dashboard as Prometheus gets it: the range variables of Grafana filled in. */
export function expressions({ panels }: DashboardJson): ReadonlyArray<{ panel: string; expr: string; legend: string }> {
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ panel: title, expr: filled(expr), legend: legendFormat })),
  );
}

function filled(expr: string): string {
  return expr.replaceAll("$__rate_interval", "1m").replaceAll("$__range", "6h");
}
