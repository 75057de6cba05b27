import type { Severity } from "../../../catalogue/alert.ts";

/** Labels that an alert of ours may have, beside its name and severity: those of whom or what it is about. */
const SUBJECT = [
  ...(["network", "node", "node_id", "subnet", "chain", "chain_id", "validation_id", "check", "endpoint"] as const),
  ...(["api", "name", "state", "source_chain", "topic"] as const),
];
const LABELS = ["alertname", "severity", ...SUBJECT] as const;

/** What Prometheus itself writes of each alert whose condition holds; a test compares the labels with the alerts. */
export const ALERT_SERIES = {
  /** 1, in the state `pending` or `firing`. */
  alerts: { name: "ALERTS", labels: [...LABELS, "alertstate"] as const },
  /** When the condition came to hold, unix seconds. */
  since: { name: "ALERTS_FOR_STATE", labels: LABELS },
} as const;

/** Matchers of our alerts that fire; others may be in the same Prometheus. */
export const FIRING = { alertname: "=~Avax.+", alertstate: "firing" } as const;

/** Worst first. */
export const SEVERITIES = ["critical", "warning", "info"] as const satisfies readonly Severity[];
