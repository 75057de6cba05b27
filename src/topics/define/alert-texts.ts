/** Parts of the texts of alerts. They are templates of Prometheus, which `src/diagnosis/template.ts` expands too. */

/** The name of the subnet of an alert; its ID where the configuration has none. */
export const SUBNET_NAME = "{{ or $labels.subnet_name $labels.subnet }}";

/**
 * The configured name of the subnet of an alert with the label `subnet`; its ID where the exporter knows no name. A series with
 * an empty name would give an empty text, so the selector leaves it out.
 */
export const SUBNET =
  '{{ with printf "avax_subnet_info{subnet=%q,name!=\\"\\"}" $labels.subnet | query }}{{ . | first | label "name" }}{{ else }}{{ $labels.subnet }}{{ end }}';

/**
 * The first failing checks of the node of an alert in alphabetical order, as ": bls, network, …"; nothing where none fails.
 * @param selector selector of the checks with the placeholders of `labels` as `%q`
 * @param labels labels of the alert
 */
export function failingChecks(selector: string, labels: readonly string[]): string {
  const given = labels.map((label) => `$labels.${label}`).join(" ");
  return `{{ range $at, $check := printf ${JSON.stringify(`${selector} == 0`)} ${given} | query | sortByLabel "check" }}{{ if lt $at 3 }}{{ if $at }}, {{ else }}: {{ end }}{{ .Labels.check }}{{ else }}{{ if lt $at 4 }}, …{{ end }}{{ end }}{{ end }}`;
}
