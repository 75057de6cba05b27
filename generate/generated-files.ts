import { ALERTS } from "../src/topics/all/alerts.ts";
import { alertsPage } from "./rules/alerts-page.ts";
import { alertmanagerExample } from "./alertmanager.ts";
import { coverageReference } from "./coverage.ts";
import { essentialFamilies } from "./essential-families.ts";
import { DASHBOARD_FILES } from "./dashboards/boards.ts";
import { MACHINE_BOARD } from "./dashboards/machine/machine-board.ts";
import { dashboardFile } from "./dashboards/parts/board.ts";
import { endpointsReference, failureReasonsReference, metricsReference } from "./reference.ts";
import { rulesFile } from "./rules/rules.ts";
import { ruleTestsFile } from "./rules/rule-tests.ts";
import { knownFamilies, knownNames } from "./known-names.ts";
import { panelsPage } from "./panels-page.ts";
import { runbook, runbookIndex } from "./rules/runbooks.ts";
import { chartScrapeConfig, stackPrometheus } from "./stack-prometheus.ts";

/** A file that is rendered from the catalogue and committed. `path` is relative to the root of the project. */
type GeneratedFile = { readonly path: string; readonly text: () => string };

/** Every generated file. A test compares them with the committed files; `vitest -u` writes them. */
export const GENERATED_FILES: readonly GeneratedFile[] = [
  { path: "docs/reference/metrics.md", text: () => metricsReference() },
  { path: "docs/reference/endpoints.md", text: () => endpointsReference() },
  { path: "docs/reference/failure-reasons.md", text: () => failureReasonsReference() },
  { path: "docs/reference/coverage.md", text: () => coverageReference() },
  { path: "docs/reference/panels.md", text: () => panelsPage() },
  { path: "docs/alerts.md", text: () => alertsPage() },
  { path: "docs/runbooks/README.md", text: () => runbookIndex() },
  ...ALERTS.map((alert) => ({ path: `docs/runbooks/${alert.name}.md`, text: () => runbook(alert) })),
  { path: "grafana/alerts/rules.yaml", text: () => rulesFile() },
  { path: "grafana/alerts/tests.yaml", text: () => ruleTestsFile() },
  { path: "grafana/alerts/alertmanager.example.yaml", text: () => alertmanagerExample() },
  ...DASHBOARD_FILES,
  { path: "deploy/stack/machine.json", text: () => dashboardFile(MACHINE_BOARD) },
  { path: "deploy/stack/prometheus.yml", text: () => stackPrometheus() },
  { path: "deploy/helm/avax-exporter/templates/scrapeconfig.yaml", text: () => chartScrapeConfig() },
  { path: "src/topics/all/essential-families.ts", text: () => essentialFamilies() },
  { path: "src/api/unknown/known-names.ts", text: () => knownNames() },
  { path: "src/api/unknown/known-families.ts", text: () => knownFamilies() },
];
