import { PRIMARY } from "../../api/node/platform.ts";
import type { Alerts, Runbook } from "../define/alert.ts";
import { NODE_AWAY, REPLACED, SAME_NODE } from "../define/causes.ts";
import { recording } from "../define/recording.ts";
import { where } from "../define/selector.ts";
import { threshold } from "../define/threshold.ts";
import { polling } from "../exporter/polling.ts";
import { reach } from "../node/reach.ts";
import { rewardVerdict } from "../validators/reward-verdict.ts";
import { validator } from "../validators/validator.ts";
import { nodeIds } from "./shared-recordings.ts";

const { up } = polling.metrics;
const outages = threshold("crash-loop", "number", "when a node went down at least this often within an hour", {
  standard: 3,
  least: 2,
  most: 60,
});
const usedUp = threshold(
  "crash-loop-budget",
  "seconds",
  "when the downtime budget is used up within this time, and before the end of the period, at the pace of the last 30 minutes",
  { standard: 3 * 86_400, least: 3_600, most: 30 * 86_400 },
);

const LOOPS = `resets(${up}[1h]) >= ${outages}`;

const RUNBOOK = {
  meaning:
    "The process of the node ends again and again, and is started again by its supervisor. Each time it loses its peers and bootstraps: none of the outages is long, but together they use up the downtime budget.",
  confirm:
    "`avax_node_up` of the last hours. The log of the supervisor (`journalctl`, `kubectl describe pod`) has the exit code of each end.",
  commands: {
    "call <node> /ext/health": "Refused while the process is gone; bootstrapping checks just after a start.",
  },
  action:
    "Read the node's log before each end: out of memory, a full disk, a corrupt database, a wrong plugin. Stop restarting it by hand.",
  falseWhen:
    "The network path between exporter and node breaks again and again: the node's own log shows no start. Or the node is restarted on purpose that often.",
} as const satisfies Runbook;

/** With the node ID: of one node, where a scrape job has given several the same name. */
const pace = `(1 - avg_over_time(${up}[30m]) > 0) * on (job, instance, node) group_left (node_id) topk by (job, instance, node) (1, ${nodeIds})`;
const budget = where(rewardVerdict.metrics.budget, { subnet: PRIMARY });
const left = recording({
  name: "node:avax_validator_downtime_budget_remaining:seconds_at_pace30m",
  about: "Time until the downtime budget of a polled node's validator is used up at its pace of the last 30 minutes.",
  expr: `max by (network, node_id) (quantile without (node, instance, job) (0.5, ${budget}) >= 0) / on (network, node_id) group_right () (${pace})`,
  labels: ["node", "network", "node_id"],
});
const end = `max by (network, node_id) (${where(validator.metrics.end, { subnet: PRIMARY })})`;

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
    over: "{{ $labels.node }} has stayed up for half an hour",
    description: "The node stopped answering and came back {{ $value }} times within the last hour.",
    ...RUNBOOK,
  },
  AvaxNodeCrashLoopBudgetLow: {
    severity: "critical",
    expr: `max without (node_id) (${left} < ${usedUp} unless ${left} >= on (network, node_id) group_left () (${end} - time())) and ${LOOPS}`,
    loses: "The downtime budget, and with it the reward of the whole period, within days.",
    explainedBy: [REPLACED],
    summary: "{{ $labels.node }} keeps crashing: reward lost in {{ $value | humanizeDuration }}",
    description: `The node went down at least ${outages.words} times within the last hour. At the pace of the last 30 minutes its downtime budget is used up by then.`,
    ...RUNBOOK,
  },
};
