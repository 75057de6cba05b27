import { CHANGED_ALERTS } from "../alerts/changed-alerts.ts";
import { CONNECTION_ALERTS } from "../alerts/connection-alerts.ts";
import { CRASH_LOOP_ALERTS } from "../alerts/crash-loop-alerts.ts";
import { DISK_ALERTS } from "../alerts/disk-alerts.ts";
import { L1_OFFLINE_ALERTS } from "../alerts/l1-offline-alerts.ts";
import { LAG_ALERTS } from "../alerts/lag-alerts.ts";
import { NATIVE_ALERTS } from "../alerts/native-alerts.ts";
import { NODE_DOWN_ALERTS } from "../alerts/node-down-alerts.ts";
import { NODE_REPLACED_ALERTS } from "../alerts/node-replaced-alerts.ts";
import { QUORUM_ALERTS } from "../alerts/quorum-alerts.ts";
import { REFUSED_BLOCKS_ALERTS } from "../alerts/refused-blocks-alerts.ts";
import { SLOW_API_ALERTS } from "../alerts/slow-api-alerts.ts";
import { alertsOf, type Alert, type Alerts, type Cause, type Declared } from "../define/alert.ts";
import type { Threshold } from "../define/threshold.ts";
import { TOPICS } from "./topics.ts";
import { EXPORTER_ALERTS } from "../exporter/exporter-alerts.ts";
import { limitValues, type AlertLimit } from "../../config/base/alert-limit.ts";
import { durationLimit, settled, type AlertSettings } from "./alert-settings.ts";

/** Address of the runbooks. */
export const RUNBOOKS = "https://github.com/avax-exporter/avax-exporter/blob/main/docs/runbooks";

/** Address of an alert's runbook, for its annotation `runbook_url` and the links of the dashboards. */
export function runbookUrl(name: Alert["name"]): string {
  return `${RUNBOOKS}/${name}.md`;
}

/** Path of an alert's runbook on the exporter's own pages. */
export function runbookPath(name: string): string {
  return `/runbooks/${encodeURIComponent(name)}`;
}

export const RUNBOOK_INDEX = `${RUNBOOKS}/README.md`;

/** Alerts of one question: a rule group, and a section of the list of runbooks. */
export type AlertGroup<A = Alert> = { readonly id: string; readonly about: string; readonly alerts: readonly A[] };

const group = (id: string, about: string, ...declared: readonly Alerts[]): AlertGroup<Declared> => ({
  id,
  about,
  alerts: declared.flatMap(alertsOf),
});

const WITHOUT_SIGHT: ReadonlyArray<Declared["name"]> = [
  "AvaxExporterAbsent",
  "AvaxExporterCannotPoll",
  "AvaxExporterShardMissing",
];
const ABSENT: Cause = {
  alert: "AvaxExporterAbsent",
  equal: [],
  why: "No scrape succeeds: alerts that still fire rest on old samples.",
};

/** Adds the cause that explains every alert: an exporter that is absent. */
function explained(alert: Declared): Declared {
  if (alert.severity === "none" || WITHOUT_SIGHT.includes(alert.name)) return alert;
  return { ...alert, explainedBy: [...(alert.explainedBy ?? []), ABSENT] };
}

/** As they are defined: with the places of their thresholds. */
const DEFINED: ReadonlyArray<AlertGroup<Declared>> = [
  group("node-down", "Does each node answer?", NODE_DOWN_ALERTS, CRASH_LOOP_ALERTS, SLOW_API_ALERTS),
  group("node-replaced", "Does the configured node answer at each address?", NODE_REPLACED_ALERTS),
  group("cut-off", "Is each validator connected to the network?", CONNECTION_ALERTS),
  group("lag", "Does each node follow its chains?", LAG_ALERTS),
  group("quorum", "Is enough weight of each subnet connected?", QUORUM_ALERTS),
  group("l1-offline", "Is each validator of a configured L1 online?", L1_OFFLINE_ALERTS),
  group("changed", "Did an address or the weight of an L1 validator change?", CHANGED_ALERTS),
  group("disk", "Is there room on the disk of each node?", DISK_ALERTS),
  group("native", "What do the nodes' own metrics show?", NATIVE_ALERTS, REFUSED_BLOCKS_ALERTS),
  ...TOPICS.filter(({ alerts }) => alerts.length > 0),
  group("exporter", "Does the exporter itself work?", EXPORTER_ALERTS),
].map(({ id, about, alerts }) => ({ id, about, alerts: alerts.map(explained) }));

/** Every alert by topic; those that join several topics come first, those about the exporter itself last. */
export function alertGroups(settings: AlertSettings = new Map()): readonly AlertGroup[] {
  return DEFINED.map((each) => ({ ...each, alerts: each.alerts.map((alert) => settled(alert, settings)) }));
}

/** Every alert with the standard thresholds. */
export const ALERT_GROUPS: readonly AlertGroup[] = alertGroups();

/** Every threshold, in the order of the alerts. */
export const THRESHOLDS: readonly Threshold[] = [
  ...new Set(ALERT_GROUPS.flatMap(({ alerts }) => alerts.flatMap(({ thresholds }) => thresholds))),
];

/** Every value of the alerts that a user may change, as plain data. */
export const ALERT_LIMITS: readonly AlertLimit[] = [
  ...THRESHOLDS.map(({ limit }) => limit),
  ...DEFINED.flatMap(({ alerts }) => alerts.map(durationLimit)),
];

/** Every alert with the section `alerts` of a configuration. */
export function alertGroupsWith(section: Readonly<Record<string, string>>): readonly AlertGroup[] {
  return alertGroups(alertSettings(section));
}

/** The values that the section `alerts` of a configuration sets. */
export function alertSettings(section: Readonly<Record<string, string>>): AlertSettings {
  const assignments = Object.entries(section).map(([name, text]) => ({ name, text }));
  return limitValues(assignments, ALERT_LIMITS).values;
}

export const ALERTS: readonly Alert[] = ALERT_GROUPS.flatMap(({ alerts }) => alerts);
