/** Parts of the texts of alerts. They are templates of Prometheus, which `src/diagnosis/template.ts` expands too. */

/** The name of the subnet of an alert; its ID where the configuration has none. */
export const SUBNET_NAME = "{{ or $labels.subnet_name $labels.subnet }}";
