import { stringify } from "yaml";
import { ALERT_GROUPS, type AlertGroup } from "../src/topics/all/alerts.ts";
import { ruleGroups, YAML_HEAD, type RuleOptions } from "./rules.ts";

export const KUBERNETES_LABELS = { "app.kubernetes.io/name": "avax-exporter" } as const;

/** The formats of the rules: a rule file of Prometheus and vmalert, that of Mimir's tool, and an object of the Prometheus operator. */
const RULE_FORMATS = ["prometheus", "mimir", "kubernetes"] as const;
export type RuleFormat = (typeof RULE_FORMATS)[number];

/** The rules in a format. @param head a comment, with its line break */
export function rulesIn(
  format: RuleFormat,
  groups: readonly AlertGroup[] = ALERT_GROUPS,
  options: RuleOptions = {},
  head = YAML_HEAD,
): string {
  return head + stringify(documentIn(format, ruleGroups(groups, options)), { lineWidth: 0 });
}

function documentIn(format: RuleFormat, groups: ReturnType<typeof ruleGroups>): object {
  switch (format) {
    case "prometheus":
      return { groups };
    case "mimir":
      return { namespace: "avax-exporter", groups };
    case "kubernetes":
      return {
        apiVersion: "monitoring.coreos.com/v1",
        kind: "PrometheusRule",
        metadata: { name: "avax-exporter", labels: KUBERNETES_LABELS },
        spec: { groups },
      };
  }
}
