/** Parts of the texts of alerts. They are templates of Prometheus, which `src/diagnosis/template.ts` expands too. */

/**
 * The configured name of the subnet of an alert with the labels `network` and `subnet`; its ID where the exporter knows no
 * name. A series with an empty name would give an empty text, so the selector leaves it out.
 */
export const SUBNET =
  '{{ with printf "avax_subnet_info{network=%q,subnet=%q,name!=\\"\\"}" $labels.network $labels.subnet | query }}{{ . | first | label "name" }}{{ else }}{{ $labels.subnet }}{{ end }}';
