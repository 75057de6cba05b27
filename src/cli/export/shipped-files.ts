import { readFileSync } from "node:fs";

/** Files of `grafana/` that are exported as they are, or with changes. The build carries them compressed in the bundle. */

/** The dashboards by the name of their file without its ending. */
export const SHIPPED_DASHBOARDS = ["fleet", "node", "validator", "l1", "network", "treasury", "exporter"] as const;

/** The JSON of a dashboard. */
export function shippedDashboard(name: (typeof SHIPPED_DASHBOARDS)[number]): string {
  return readFileSync(new URL(`../../../grafana/dashboards/${name}.json`, import.meta.url), "utf8");
}

/** The texts of Alertmanager's notifications. */
export function shippedTemplates(): string {
  return readFileSync(new URL("../../../grafana/alerts/avax.tmpl", import.meta.url), "utf8");
}
