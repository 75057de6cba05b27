import { stringify } from "yaml";
import type { Alert } from "../catalogue/alert.ts";
import { ALERT_GROUPS, type AlertGroup } from "../definitions/alerts.ts";
import { recordingsOf } from "../definitions/recordings.ts";
import { dashboardLink, runbookLink } from "./alert-links.ts";
import { POLICY } from "./alert-policy.ts";

/** The first line of every generated YAML file, with the place of its source. */
export const YAML_HEAD = "# Generated from src/topics and src/generate; change those and run `npm run update`.\n";

/**
 * The rules as a Prometheus rule file, one group per topic. Recording rules come before the alerts that read them, because the
 * rules of a group are evaluated in order, for the same timestamp.
 */
export function rulesFile(groups: readonly AlertGroup[] = ALERT_GROUPS): string {
  return YAML_HEAD + stringify({ groups: ruleGroups(groups) }, { lineWidth: 0 });
}

export function ruleGroups(groups: readonly AlertGroup[] = ALERT_GROUPS) {
  return groups.map(ruleGroup);
}

function ruleGroup({ id, alerts }: AlertGroup) {
  return {
    name: `avax-${id}`,
    rules: [
      ...recordingsOf(alerts).map(({ name, expr }) => ({ record: name, expr })),
      ...alerts.map((alert) => ruleOf(alert, id)),
    ],
  };
}

function ruleOf(alert: Alert, topic: AlertGroup["id"]) {
  const { name, expr, for: duration, keepFiringFor, severity, summary, description, runbook } = alert;
  return {
    alert: name,
    expr,
    for: duration,
    ...keptFor(keepFiringFor ?? POLICY[severity].keepFiringFor),
    labels: { severity },
    annotations: {
      summary,
      description,
      action: runbook.action,
      runbook_url: runbookLink(alert),
      dashboard_url: dashboardLink(alert, topic),
    },
  };
}

function keptFor(time: string | undefined) {
  return time === undefined ? {} : { keep_firing_for: time };
}
