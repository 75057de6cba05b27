import type { Alerts } from "../define/alert.ts";

/** The name has a route of its own, to a service that reports when it hears nothing. */
export const WATCHDOG = "AvaxWatchdog";

/** Always fires: its silence outside shows that Prometheus, Alertmanager or the way out of them is dead. */
export const WATCHDOG_ALERT: Alerts = {
  [WATCHDOG]: {
    severity: "none",
    ofPrometheus: true,
    expr: "vector(1)",
    labels: [],
    for: "0m",
    summary: "Alerting works (value {{ $value }})",
    description: "It fires all the time (value {{ $value }}): a dead man's switch reports its silence.",
    meaning:
      "The switch has heard nothing: Prometheus does not run or has not loaded the rules, Alertmanager does not run, or neither reaches the switch. No other alert arrives meanwhile, and none can report it.",
    confirm:
      "Prometheus shows the alert as firing on its page Alerts, and Alertmanager lists it. Where it is missing, the chain is broken before.",
    commands: {
      "doctor --config.file=<file>": "The problems of the nodes without Prometheus, until the alerts arrive again.",
    },
    action:
      "Start what does not run. Then check the route and the receiver of the switch in Alertmanager's configuration, and its log.",
    falseWhen: "Prometheus and Alertmanager were stopped for maintenance: pause the switch.",
  },
};
