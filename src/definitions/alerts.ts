import type { Alert } from "../catalogue/alert.ts";
import { TOPICS } from "./topics.ts";
import { EXPORTER_ALERTS } from "../self/exporter-alerts.ts";
import { explained, joined } from "./joined-alert.ts";

/** Address of the runbooks. */
export const RUNBOOKS = "https://github.com/avax-exporter/avax-exporter/blob/main/docs/runbooks";

/** Address of an alert's runbook, for its annotation `runbook_url` and the links of the dashboards. */
export function runbookUrl(name: Alert["name"]): string {
  return `${RUNBOOKS}/${name}.md`;
}

export const RUNBOOK_INDEX = `${RUNBOOKS}/README.md`;

/** Alerts of one question: a rule group, and a section of the list of runbooks. */
export type AlertGroup = { readonly id: string; readonly about: string; readonly alerts: readonly Alert[] };

/** Every alert by topic; those about the exporter itself come last. */
export const ALERT_GROUPS: readonly AlertGroup[] = [
  ...TOPICS.filter(({ alerts }) => alerts.length > 0),
  { id: "exporter", about: "Does the exporter itself work?", alerts: EXPORTER_ALERTS },
].map(({ id, about, alerts }) => ({ id, about, alerts: alerts.map(joined).map(explained) }));

export const ALERTS: readonly Alert[] = ALERT_GROUPS.flatMap(({ alerts }) => alerts);
