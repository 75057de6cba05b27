import { stringify } from "yaml";
import { DASHBOARD_FILES } from "./dashboards/boards.ts";
import { KUBERNETES_LABELS } from "./rule-formats.ts";
import { YAML_HEAD } from "./rules.ts";

/** The JSON of a dashboard on one line, because the size of an object is limited. */
export function compactDashboard(text: string): string {
  return JSON.stringify(JSON.parse(text));
}

/** A ConfigMap for each dashboard, with the label that Grafana's sidecar selects. */
export function dashboardConfigMaps(): string {
  const documents = DASHBOARD_FILES.filter(({ path }) => path.endsWith(".json")).map(({ path, text }) => {
    const file = path.slice(path.lastIndexOf("/") + 1);
    return stringify(
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          name: `avax-exporter-dashboard-${file.replace(".json", "")}`,
          labels: { ...KUBERNETES_LABELS, grafana_dashboard: "1" },
        },
        data: { [file]: compactDashboard(text()) },
      },
      { lineWidth: 0 },
    );
  });
  return YAML_HEAD + documents.join("---\n");
}
