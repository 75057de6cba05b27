/** Labels of our alerts besides name and severity: those of their subject. */
const SUBJECT = [
  ...([
    "network",
    "node",
    "node_id",
    "subnet",
    "chain",
    "evm_chain_id",
    "validation_id",
    "check",
    "api_endpoint",
  ] as const),
  ...([
    "api",
    "wallet",
    "state",
    "source_chain",
    "place",
    "others",
    "by",
    "down",
    "addresses",
    "ip",
    "shard",
    "outage",
    "observer",
    "about",
    "a",
    "b",
  ] as const),
];
const LABELS = ["alertname", "severity", ...SUBJECT] as const;

/** Series that Prometheus writes for each alert whose condition holds. A test compares the labels with the alerts. */
export const ALERT_SERIES = {
  /** 1, in the state `pending` or `firing`. */
  alerts: { name: "ALERTS", labels: [...LABELS, "alertstate"] as const },
  /** When the condition began to hold, Unix seconds. */
  since: { name: "ALERTS_FOR_STATE", labels: LABELS },
} as const;

/** Matchers of our firing alerts that are sent: the same Prometheus can have others. */
export const FIRING = { alertname: "=~Avax.+", alertstate: "firing", severity: "!=none" } as const;
