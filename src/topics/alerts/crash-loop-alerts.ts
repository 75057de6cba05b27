import type { Alerts, Runbook } from "../define/alert.ts";
import { EXECUTOR_STOPS } from "../define/alert-texts.ts";
import { NODE_AWAY, REPLACED, SAME_NODE } from "../define/causes.ts";
import { threshold } from "../define/threshold.ts";
import { reach } from "../node/reach.ts";
import { LOOP_OUTAGES } from "../validators/outage-tolerance.ts";
import { outageCost } from "../validators/outage-cost.ts";

const outages = threshold("crash-loop", "number", "when a node went down at least this often within an hour", {
  standard: LOOP_OUTAGES,
  least: 2,
  most: 60,
});
const usedUp = threshold(
  "crash-loop-budget",
  "seconds",
  "when the downtime budget is used up within this time, and before the end of the period, at the pace of the last 30 minutes",
  { standard: 3 * 86_400, least: 3_600, most: 30 * 86_400 },
);

const RUNBOOK = {
  meaning:
    "The process of the node ends again and again, and is started again by its supervisor. Each time it loses its peers and bootstraps: none of the outages is long, but together they use up the downtime budget.",
  confirm: `\`avax_node_up\` of the last hours. The log of the supervisor (\`journalctl\`, \`kubectl describe pod\`) has the exit code of each end. ${EXECUTOR_STOPS}`,
  commands: {
    "call <node> /ext/health": "Refused while the process is gone; bootstrapping checks just after a start.",
  },
  action:
    "Read the node's log before each end. Stop restarting it by hand. Usual: out of memory, a full disk, a corrupt database, a wrong plugin.",
  falsePositives:
    "The network path between exporter and node breaks again and again: the node's own log shows no start. Or the node is restarted on purpose that often.",
} as const satisfies Runbook;

/** For the operator whose supervisor hides a crash loop: no single outage lasts as long as AvaxNodeDown waits. */
export const CRASH_LOOP_ALERTS: Alerts = {
  AvaxNodeCrashLoop: {
    severity: "warning",
    when: { of: reach.metrics.loop, atLeast: outages },
    labels: ["node", "network", "node_id", "shard"],
    noPage: "The downtime budget lasts for days at this pace; AvaxNodeCrashLoopBudgetLow pages where it does not.",
    explainedBy: [
      ...NODE_AWAY.filter(({ alert }) => alert !== "AvaxNodeRestarting"),
      { alert: "AvaxNodeCrashLoopBudgetLow", equal: SAME_NODE, why: "The crash loop uses up the downtime budget." },
    ],
    summary: "{{ $labels.node }} went down {{ $value }} times in an hour",
    over: "has stayed up for half an hour",
    ...RUNBOOK,
  },
  AvaxNodeCrashLoopBudgetLow: {
    severity: "critical",
    when: { of: outageCost.metrics.loopTolerance, below: usedUp, unanimous: true },
    labels: ["node", "network", "node_id", "shard"],
    impact: "The downtime budget, and with it the reward of the whole period, within days.",
    explainedBy: [REPLACED],
    summary: "{{ $labels.node }} keeps crashing: reward lost in {{ $value | humanizeDuration }}",
    over: "has stopped crashing, or has time enough",
    description: "That is the pace of the last 30 minutes.",
    ...RUNBOOK,
  },
};
