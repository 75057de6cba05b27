import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { stringify } from "yaml";
import { helmValuesSchema } from "../generate/helm-values.ts";
import { KUBERNETES_LABELS, rulesIn, YAML_HEAD } from "../generate/rules/rules.ts";
import { ROOT } from "./made.ts";

/**
 * Writes the Helm chart, the manifests and the kustomization complete: with the rules and the dashboards, which the repository has
 * in `grafana/` alone, and the schema of the chart's values. The script writes them to `dist/deploy`, or to the folder of
 * `--folder`, which it replaces.
 */
export function writeDeploy(folder: string): void {
  for (const name of ["helm", "kubernetes", "kustomize"])
    cpSync(join(ROOT, "deploy", name), join(folder, name), { recursive: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const chart = "helm/avax-exporter";
  // On one line, because the size of an object and of a release is limited.
  const dashboards = globSync("grafana/dashboards/*.json", { cwd: ROOT })
    .toSorted()
    .map((path) => [basename(path), JSON.stringify(JSON.parse(readFileSync(join(ROOT, path), "utf8")))] as const);
  for (const [name, text] of dashboards) write(`${chart}/files/dashboards/${name}`, `${text}\n`);
  write(`${chart}/files/rules.yaml`, readFileSync(join(ROOT, "grafana/alerts/rules.yaml"), "utf8"));
  write(`${chart}/values.schema.json`, `${JSON.stringify(helmValuesSchema(), undefined, 2)}\n`);
  write("kubernetes/prometheusrule.yaml", rulesIn("kubernetes"));
  write("kubernetes/dashboards.yaml", YAML_HEAD + dashboards.map(configMap).join("---\n"));
}

/** A dashboard with the label that Grafana's sidecar selects. */
function configMap([name, text]: readonly [name: string, text: string]): string {
  const metadata = {
    name: `avax-exporter-dashboard-${name.replace(".json", "")}`,
    labels: { ...KUBERNETES_LABELS, grafana_dashboard: "1" },
  };
  return stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { [name]: text } }, { lineWidth: 0 });
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { folder: { type: "string", default: join(ROOT, "dist/deploy") } } });
  rmSync(values.folder, { recursive: true, force: true });
  writeDeploy(values.folder);
  console.log(values.folder);
}
