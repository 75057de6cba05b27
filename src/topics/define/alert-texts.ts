/** Parts of the texts of alerts. They are templates of Prometheus, which `src/diagnosis/template.ts` expands too. */

/** The name of the subnet of an alert; its ID where the configuration has none. */
export const SUBNET_NAME = "{{ or $labels.subnet_name $labels.subnet }}";

/**
 * The configured name of the subnet of an alert with the label `subnet`; its ID where the exporter knows no name. A series with
 * an empty name would give an empty text, so the selector leaves it out.
 */
export const SUBNET =
  '{{ with printf "avax_subnet_info{subnet=%q,name!=\\"\\"}" $labels.subnet | query }}{{ . | first | label "name" }}{{ else }}{{ $labels.subnet }}{{ end }}';
