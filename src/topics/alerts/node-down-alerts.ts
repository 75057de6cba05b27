import type { Alert } from "../define/alert.ts";
import { DISK_FULL, NETWORK_HALTED, REPLACED, SAME_NODE } from "../define/causes.ts";
import { recording, type Recording } from "../define/recording.ts";
import { polling } from "../exporter/polling.ts";
import { referenceNode } from "../network/reference-node.ts";
import { LITTLE_BUDGET_RATIO, littleBudget, verdictRecordings } from "../validators/reward-verdict-alerts.ts";
import { rewardVerdict } from "../validators/reward-verdict.ts";
import { nodeIds, REMEMBERED, RESTART, validating } from "./shared-recordings.ts";

/** Commands that show whether a node is down, and for whom. */
const COMMANDS: Alert["runbook"]["commands"] = [
  {
    run: "call <node> /ext/health/liveness",
    see: "The same failure with its reason: `refused` means that the process is not running, `timeout` a machine or firewall problem, `dns` a wrong name.",
  },
  {
    run: "call <any-node> info.peers",
    see: "If the node is missing in another node's list, or its `lastReceived` is old, it is down for the whole network.",
  },
];
const MEANING =
  "The exporter cannot reach the node's API. The node is down, its API is down, or the network path to it is broken.";
const CONFIRM =
  "The exporter's status page shows the last error. Request the node's `/ext/health` with curl from the exporter's machine. Check `avax_validator_connected` on another node.";
const ACTION =
  "Start the node, or fix the network path: --http-host, firewall of the API port, proxy, credentials. If other nodes still see the validator connected, only the API is down and no uptime is lost.";
const FALSE = "The exporter's own network is broken: AvaxExporterCannotPoll then fires for all nodes together.";

/** Nodes that are down, or were within the time of a restart. */
const RESTARTING = `min_over_time(${polling.metrics.up}[${RESTART}]) == 0`;

const OF_NODE = "on (job, instance, node)";
const { budget, wholeBudget } = verdictRecordings(rewardVerdict.metrics);

/** Nodes that are known not to validate: their ID is known, and it is in no watched set of a network that has been read. */
const notValidating = recording({
  name: "node:avax_node_configured:not_validating",
  about:
    "Configured nodes whose node ID is in no set of their network. A node of unknown ID or network is not among them.",
  expr: `${nodeIds} and on (network) ${referenceNode.metrics.node} unless ${OF_NODE} ${validating}`,
  labels: ["node", "network", "node_id"],
  reads: [nodeIds, validating],
});

const left = recording({
  name: "node:avax_validator_downtime_budget_remaining_seconds:half_used",
  about: "Downtime left of each configured node's validator when it was last known, where half of the budget is used.",
  expr: `${nodeIds} * on (network, node_id) group_left () min by (network, node_id) (${latest(budget)} < ${LITTLE_BUDGET_RATIO} * ${latest(wholeBudget)})`,
  labels: ["node", "network", "node_id"],
  reads: [nodeIds, budget, wholeBudget],
});

function latest(recorded: Recording): string {
  return `last_over_time(${recorded}[${REMEMBERED}])`;
}

/** Alerts about a node that does not answer, by what it loses meanwhile. */
export function nodeDownAlerts(): readonly Alert[] {
  const { up } = polling.metrics;
  const down = `${up} == 0`;
  return [
    {
      name: "AvaxNodeDown",
      severity: "critical",
      // Where the budget is low, AvaxNodeDownBudgetLow pages instead.
      expr: `${down} unless ${OF_NODE} ${notValidating} unless ${OF_NODE} ${left} < ${littleBudget}`,
      records: [notValidating, left],
      thresholds: [littleBudget],
      labels: ["node", "network"],
      for: RESTART,
      loses: "A validator that is offline uses up its downtime budget, and its share of the stake is missing.",
      explainedBy: [
        REPLACED,
        DISK_FULL,
        {
          ...NETWORK_HALTED,
          names: true,
          why: "So many nodes are down that the Primary Network has lost its quorum: that page names them.",
        },
      ],
      summary: "{{ $labels.node }} does not answer",
      description:
        "{{ $labels.node }} has not answered the exporter for 10 minutes. It is a validator, or it is not known whether it is one. The exporter's status page shows the last error.",
      runbook: { meaning: MEANING, confirm: CONFIRM, commands: COMMANDS, action: ACTION, falseWhen: FALSE },
    },
    {
      name: "AvaxNodeDownBudgetLow",
      severity: "critical",
      expr: `${down} and ${OF_NODE} ${left} < ${littleBudget}`,
      records: [left],
      labels: ["node", "network"],
      for: "2m",
      thresholds: [littleBudget],
      loses: "The rest of the downtime budget: after it the reward of the whole period is lost.",
      explainedBy: [REPLACED],
      summary: "{{ $labels.node }} does not answer and has little downtime left before its reward is lost",
      description: `{{ $labels.node }} has not answered the exporter for 2 minutes. Less than ${littleBudget.words} of downtime, or half of what a short period allows, are left until the end of its period; with more downtime its reward is lost.`,
      runbook: {
        meaning: `${MEANING} Most of the validator's downtime budget is used up already.`,
        confirm: `${CONFIRM} \`avax_validator_downtime_budget_remaining_seconds\` is the downtime that is left.`,
        commands: COMMANDS,
        action: `${ACTION} Otherwise move the validator to another machine with its staking keys; two nodes with the same keys must never run at the same time.`,
        falseWhen: FALSE,
      },
    },
    {
      name: "AvaxApiNodeDown",
      severity: "warning",
      expr: `${down} and ${OF_NODE} ${notValidating}`,
      records: [notValidating],
      labels: ["node", "network"],
      for: RESTART,
      keepFiringFor: "5m",
      explainedBy: [REPLACED, DISK_FULL],
      summary: "{{ $labels.node }} does not answer; it is not a validator",
      description:
        "{{ $labels.node }} has not answered the exporter for 10 minutes. Its node ID is in no validator set that the exporter reads, so no reward is at stake.",
      runbook: {
        meaning: `${MEANING} Applications that use its API are cut off.`,
        confirm: CONFIRM,
        commands: COMMANDS,
        action: ACTION,
        falseWhen: "It validates a subnet that is not in the exporter's configuration: add the subnet.",
      },
    },
    {
      name: "AvaxNodeRestarting",
      severity: "none",
      explainedBy: [
        ...(["AvaxNodeDown", "AvaxNodeDownBudgetLow", "AvaxApiNodeDown"] as const).map((alert) => ({
          alert,
          equal: SAME_NODE,
          why: "The node does not answer.",
        })),
      ],
      expr: RESTARTING,
      labels: ["node", "network"],
      for: "0m",
      summary: "{{ $labels.node }} is down, or was down within the last 10 minutes",
      description:
        "{{ $labels.node }} is down, or answers again since less than 10 minutes. It is never sent: it holds back the consequences of a restart.",
      runbook: {
        meaning:
          "A node that has just started reconnects to its peers and catches up. What fails meanwhile is expected. The state ends ten minutes after the node answers again; a node that stays down is reported by AvaxNodeDown.",
        confirm: "`avax_node_up` of the last ten minutes.",
        commands: [{ run: "call <node> /ext/health/readiness", see: "Answers once the node has finished its start." }],
        action: "None. See AvaxNodeDown if the node stays down.",
        falseWhen: "The exporter lost the node for a moment: for ten minutes its tickets wait.",
      },
    },
    {
      name: "AvaxExporterCannotPoll",
      severity: "critical",
      expr: `count without (node, network) (${up}) > 1 unless sum without (node, network) (${up}) > 0`,
      // Shorter than that of AvaxNodeDown, which it explains: the exporter does not find all nodes down at the same moment.
      labels: [],
      for: "5m",
      keepFiringFor: "12m",
      loses: "Sight of all nodes: no other alert of this exporter can be trusted.",
      summary: "The exporter reaches none of its {{ $value }} nodes",
      description:
        "For 5 minutes the exporter at {{ $labels.instance }} has had no answer from any of its {{ $value }} nodes. Most likely the exporter or its network is broken, not the nodes.",
      runbook: {
        meaning:
          "All nodes stopped answering at once. The nodes are rarely the cause. Until it is fixed, other metrics and alerts of this exporter are unreliable.",
        confirm:
          "Check the reasons on the exporter's status page: `dns`, `unreachable` or `timeout` for all nodes point to the exporter's side.",
        commands: [
          {
            run: "call <any-node> info.getNodeID",
            see: "It fails on the exporter's machine. If it succeeds on another machine, the nodes are fine and the exporter's side is not.",
          },
        ],
        action: "Fix the exporter's network, DNS or credentials. Until then, monitor the nodes by other means.",
        falseWhen: "All nodes are in one place, and that place is down.",
      },
    },
  ];
}
