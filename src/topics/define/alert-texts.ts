/** Parts of the texts of alerts. They are templates of Prometheus, which `src/diagnosis/template.ts` expands too. */

/**
 * The configured name of the subnet of an alert with the labels `network` and `subnet`; its ID where the exporter knows no
 * name. A series with an empty name would give an empty text, so the selector leaves it out.
 */
export const SUBNET =
  '{{ with printf "avax_subnet_info{network=%q,subnet=%q,name!=\\"\\"}" $labels.network $labels.subnet | query }}{{ . | first | label "name" }}{{ else }}{{ $labels.subnet }}{{ end }}';

/**
 * The first failing checks of the node of an alert in alphabetical order, as ": bls, network and 2 more"; nothing where none fails.
 * @param selector selector of the checks with the placeholders of `labels` as `%q`
 * @param labels labels of the alert
 */
export function failingChecks(selector: string, labels: readonly string[], most = 3): string {
  const given = labels.map((label) => `$labels.${label}`).join(" ");
  const query = (expr: string): string => `printf ${JSON.stringify(expr)} ${given} | query`;
  const names = `{{ range $at, $check := ${query(`${selector} == 0`)} | sortByLabel "check" }}{{ if lt $at ${most} }}{{ if $at }}, {{ else }}: {{ end }}{{ .Labels.check }}{{ end }}{{ end }}`;
  return `${names}{{ with ${query(`count(${selector} == 0) - ${most} > 0`)} }} and {{ . | first | value }} more{{ end }}`;
}
