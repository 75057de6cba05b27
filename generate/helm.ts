import { DASHBOARD_FILES } from "./dashboards/boards.ts";
import { helmValuesSchema } from "./helm-values.ts";
import { compactDashboard } from "./kubernetes.ts";
import { rulesFile } from "./rules.ts";

/** Of the root of the project. */
const CHART = "deploy/helm/avax-exporter";

/** What the Helm chart has from the definitions: the rules as they are shipped elsewhere, the dashboards, the schema of its values. */
export const HELM_FILES = [
  { path: `${CHART}/files/rules.yaml`, text: () => rulesFile() },
  ...DASHBOARD_FILES.filter(({ path }) => path.endsWith(".json")).map(({ path, text }) => ({
    path: `${CHART}/files/dashboards/${path.slice(path.lastIndexOf("/") + 1)}`,
    text: () => `${compactDashboard(text())}\n`,
  })),
  { path: `${CHART}/values.schema.json`, text: () => `${JSON.stringify(helmValuesSchema(), undefined, 2)}\n` },
];
