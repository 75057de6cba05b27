import { readFileSync } from "node:fs";

/** Files of `grafana/` and `deploy/stack/` that are exported as they are, or with changes. The build carries them compressed in the bundle. */

/** The dashboards by the name of their file without its ending. */
export const SHIPPED_DASHBOARDS = ["fleet", "node", "validator", "l1", "network", "treasury", "exporter"] as const;

/** The JSON of a dashboard. */
export function shippedDashboard(name: (typeof SHIPPED_DASHBOARDS)[number]): string {
  return readFileSync(new URL(`../../../grafana/dashboards/${name}.json`, import.meta.url), "utf8");
}

/** What `init --stack` writes: `compose.yaml` and Prometheus's configuration. */
export function shippedStack(): { readonly compose: string; readonly prometheus: string } {
  return {
    compose: readFileSync(new URL("../../../deploy/stack/compose.yaml", import.meta.url), "utf8"),
    prometheus: readFileSync(new URL("../../../deploy/stack/prometheus.yml", import.meta.url), "utf8"),
  };
}

/** What Grafana provisions itself with. */
export function shippedProvisioning(): { readonly datasource: string; readonly provider: string } {
  const folder = "grafana/provisioning";
  return {
    datasource: readFileSync(new URL(`../../../${folder}/datasources/prometheus.yaml`, import.meta.url), "utf8"),
    provider: readFileSync(new URL(`../../../${folder}/dashboards/avalanche.yaml`, import.meta.url), "utf8"),
  };
}

/** The texts of Alertmanager's notifications. */
export function shippedTemplates(): string {
  return readFileSync(new URL("../../../grafana/alerts/avax.tmpl", import.meta.url), "utf8");
}
