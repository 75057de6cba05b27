import { NATIVE_FAMILIES } from "../src/topics/node/native-families.ts";

/** Methods of the database that take nearly all of its time, in recordings of nodes: all methods are half of the kept series. */
const METHODS = ["batch_write", "get", "iterator_next"];

/**
 * The series of a node's own metrics that rules and dashboards read, as a regular expression over the family and its label `method`:
 * less than a hundred of some thousand. For whoever pays by series.
 */
export function keptNativeSeries(): string {
  const names = Object.values(NATIVE_FAMILIES).map(({ name }) => name.replace(/^avalanche_/, ""));
  const [timed, others] = [names.filter(isOfDatabase), names.filter((name) => !isOfDatabase(name))];
  // Bad blocks are counted under the name of each VM.
  const all = [...others, "[A-Za-z0-9]+_vm_eth_chain_block_bad_count"].sort();
  return `avalanche_(?:(?:${all.join("|")});|(?:${timed.join("|")});(?:${METHODS.join("|")}))`;
}

const isOfDatabase = (name: string): boolean => name.startsWith("meterdb_");

/** `deploy/stack/prometheus.yml`. */
export function stackPrometheus(): string {
  return `# Scrapes the exporter and the nodes, evaluates the alerts and sends them. \`avax-exporter init --stack\` writes it beside the rules.
global:
  scrape_interval: 15s
  scrape_timeout: 10s
  evaluation_interval: 15s

rule_files:
  - rules.yaml # grafana/alerts/rules.yaml

alerting:
  alertmanagers:
    - static_configs:
        - targets: ["127.0.0.1:9093"]

scrape_configs:
  - job_name: avax-exporter
    static_configs:
      - targets: ["127.0.0.1:9750"]

  # The nodes' own metrics, with the labels of the exporter's series: without them the alerts about failed queries, bad blocks,
  # throttled messages and database stalls are silent. The exporter lists its nodes; a node with credentials needs a job that has
  # them (docs/scaling.md).
  - job_name: avalanchego
    http_sd_configs:
      - url: http://127.0.0.1:9750/sd
    relabel_configs:
      - { source_labels: [__meta_avax_credentials], regex: none, action: keep }
    # A node has 2,000 to 5,000 series; these are read by rules and dashboards. Delete the lines below to keep all.
    metric_relabel_configs:
      - source_labels: [__name__, method]
        action: keep
        regex: ${keptNativeSeries()}

  # The machine itself, where \`init --stack --node-exporter\` started what measures it.
  - job_name: node-exporter
    static_configs:
      - targets: ["127.0.0.1:9100"]
`;
}

/** `templates/scrapeconfig.yaml` of the Helm chart: the same job for the Prometheus operator. */
export function chartScrapeConfig(): string {
  return `{{- with .Values.nodeMetrics }}
{{- if .enabled }}
# The nodes' own metrics, which the exporter lists at /sd, with the labels of its series.
apiVersion: monitoring.coreos.com/v1alpha1
kind: ScrapeConfig
metadata:
  {{- include "avax-exporter.metadata" $ | nindent 2 }}
    {{- with .labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  httpSDConfigs:
    -
      {{- $url := printf "http://%s.%s.svc:%d/sd" (include "avax-exporter.fullname" $) $.Release.Namespace (int $.Values.service.port) }}
      {{- toYaml (mergeOverwrite (dict "url" $url) .discovery) | nindent 6 }}
  scrapeInterval: {{ .interval }}
  scrapeTimeout: {{ .scrapeTimeout }}
  relabelings:
    - { action: replace, targetLabel: job, replacement: avalanchego }
    - { action: keep, sourceLabels: [__meta_avax_credentials], regex: none }
  {{- if not .keepAll }}
  metricRelabelings:
    - sourceLabels: [__name__, method]
      action: keep
      regex: ${keptNativeSeries()}
  {{- end }}
{{- end }}
{{- end }}
`;
}
