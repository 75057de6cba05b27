import { isOfValidator, type Alert } from "../../src/topics/define/alert.ts";
import { runbookUrl, type AlertGroup } from "../../src/topics/all/alerts.ts";
import type { VariableName } from "../dashboards/parts/variables.ts";

/** The dashboard of an alert, and the label of the alert that chooses the value of each of its variables. */
export type AlertBoard = {
  readonly uid: `avax-${string}`;
  readonly chosen: ReadonlyArray<readonly [variable: VariableName, label: string]>;
};

/** Topics whose alerts are about something else than their labels suggest, with the dashboard that shows it. */
const BOARD_OF_TOPIC: Readonly<Record<string, AlertBoard["uid"]>> = {
  polling: "avax-exporter",
  uptime: "avax-validator",
  "l1-runway": "avax-l1",
  "chain-metrics": "avax-network",
};

/** Labels that choose the subject on each dashboard, if the alert has them. */
const CHOICES: Readonly<Record<string, AlertBoard["chosen"]>> = {
  "avax-node": [
    ["node", "node"],
    ["chain", "chain"],
  ],
  "avax-validator": [["validator", "node_id"]],
  "avax-l1": [["subnet", "subnet"]],
  "avax-network": [["chain", "chain"]],
  "avax-exporter": [["node", "node"]],
};

/** The dashboard that shows the subject of an alert: by its topic, else by its labels. */
export function boardOf(alert: Alert, topic: AlertGroup["id"]): AlertBoard {
  const { labels } = alert;
  const uid = BOARD_OF_TOPIC[topic] ?? boardByLabels(alert, labels);
  return { uid, chosen: (CHOICES[uid] ?? []).filter(([, label]) => labels.includes(label)) };
}

function boardByLabels(alert: Alert, labels: readonly string[]): AlertBoard["uid"] {
  if (isOfValidator(alert)) return "avax-validator";
  if (labels.includes("wallet")) return "avax-treasury";
  if (labels.includes("node")) return "avax-node";
  if (labels.includes("subnet")) return "avax-l1";
  return labels.includes("network") ? "avax-network" : "avax-exporter";
}

/** Grafana's value for all values of a variable. */
const ALL = "$__all";

/** Addresses that a user sets. */
export type AlertAddresses = {
  /** Of the folder of the runbooks: an alert's name follows. `null`: no link, because whoever gets an alert could not open it. */
  readonly runbooks?: string | null;
  /** Of Grafana. */
  readonly dashboards?: string;
};

/** The annotation `dashboard_url`: Prometheus fills in the labels of the alert. */
export function dashboardLink(alert: Alert, topic: AlertGroup["id"], grafana: string): string {
  const { uid, chosen } = boardOf(alert, topic);
  const variables = chosen.map(([variable, label]) => `&var-${variable}={{ $labels.${label} | urlquery }}`);
  // A node whose network is still unknown lacks this label.
  const network = `var-network={{ or $labels.network "${ALL}" | urlquery }}`;
  return `${grafana}/d/${uid}?${network}${variables.join("")}`;
}

/** The annotation `runbook_url`: of the user's folder, else of the repository. */
export function runbookLink({ name }: Alert, runbooks: AlertAddresses["runbooks"]): string | undefined {
  if (runbooks === null) return undefined;
  return runbooks === undefined ? runbookUrl(name) : `${runbooks}/${name}`;
}
