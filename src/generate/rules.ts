import { stringify } from "yaml";
import { ALERT_GROUPS, runbookUrl, type AlertGroup } from "../definitions/alerts.ts";
import { recordingsOf } from "../definitions/recordings.ts";

/** Says in a generated YAML file where a change belongs. */
export const YAML_HEAD = "# Generated from src/metrics and src/observability; change those and run `vitest -u`.\n";

/**
 * The rules as a Prometheus rule file, one group a topic. Recording rules stand before the alerts that read them: the rules of
 * a group are evaluated one after the other, at the same time.
 */
export function rulesFile(groups: readonly AlertGroup[] = ALERT_GROUPS): string {
  return YAML_HEAD + stringify({ groups: ruleGroups(groups) }, { lineWidth: 0 });
}

/** The groups of the rule file, for whoever wraps them otherwise. */
export function ruleGroups(groups: readonly AlertGroup[] = ALERT_GROUPS) {
  return groups.map(ruleGroup);
}

function ruleGroup({ id, alerts }: AlertGroup) {
  return {
    name: `avax-${id}`,
    rules: [
      ...recordingsOf(alerts).map(({ name, expr }) => ({ record: name, expr })),
      ...alerts.map(({ name, expr, for: duration, severity, summary, description }) => ({
        alert: name,
        expr,
        for: duration,
        labels: { severity },
        annotations: { summary, description, runbook_url: runbookUrl(name) },
      })),
    ],
  };
}
