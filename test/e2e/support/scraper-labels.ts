/** Labels that scrapers set on each target, besides `job` and `instance` (docs/collectors.md). */

/** The Prometheus operator for a ServiceMonitor, and Grafana Alloy's components of the same names. A PodMonitor lacks `service`. */
export const OPERATOR_LABELS = {
  namespace: "monitoring",
  service: "avax-exporter",
  pod: "avax-exporter-0",
  container: "avax-exporter",
  endpoint: "metrics",
} as const;

/** The Prometheus receiver of the OpenTelemetry collector with resource attributes as labels. */
const COLLECTOR_LABELS = [
  "service_name",
  "service_instance_id",
  "server_address",
  "server_port",
  "url_scheme",
] as const;

/** Labels that no metric of the exporter can have. */
export const RESERVED_LABELS: readonly string[] = [...Object.keys(OPERATOR_LABELS), ...COLLECTOR_LABELS];
