import type { Alerts, Runbook } from "../define/alert.ts";
import { DISK_FULL, NETWORK_HALTED, REPLACED, SAME_NODE } from "../define/causes.ts";
import { recording, type Recording } from "../define/recording.ts";
import { polling } from "../exporter/polling.ts";
import { nodeLabels } from "../node/identity.ts";
import { referenceNode } from "../network/subnet-chains.ts";
import { LITTLE_BUDGET_RATIO, littleBudget, rewardVerdict, verdictRecordings } from "../validators/reward-verdict.ts";
import { nodeIds, REMEMBERED, RESTART, seen, validating } from "./shared-recordings.ts";

const DOWN: Runbook = {
  meaning:
    "The exporter cannot reach the node's API. The node is down, its API is down, or the network path to it is broken.",
  confirm:
    "The exporter's status page shows the last error. Request the node's `/ext/health` with curl from the exporter's machine. Check `avax_validator_connected` on another node.",
  commands: {
    "call <node> /ext/health/liveness":
      "The same failure with its reason: `refused` means that the process is not running, `timeout` a machine or firewall problem, `dns` a wrong name.",
    "call <any-node> info.peers":
      "If the node is missing in another node's list, or its `lastReceived` is old, it is down for the whole network.",
  },
  action: "Start the node, or fix the network path: --http-host, firewall, proxy, credentials.",
  falseWhen: "The exporter's own network is broken: AvaxExporterCannotPoll then fires for all nodes together.",
};

const { up } = polling.metrics;
/** Nodes that are down, or were within the time of a restart. */
const RESTARTING = `min_over_time(${up}[${RESTART}]) == 0`;

const OF_NODE = "on (job, instance, node)";
const { budget, wholeBudget } = verdictRecordings(rewardVerdict.metrics);

/** For whoever restarts the exporter during an outage: the network of a node is learned from it, and must not make another alert. In one group with what reads it, so that both see the same samples. */
const down = recording({
  name: "node:avax_node_up:down",
  about:
    "Nodes that do not answer, with their network, or with the last one of the day before where it is unknown now.",
  expr: `(max without (node_id) (${nodeIds}) or ${OF_NODE} ${up}) and ${OF_NODE} ${up} == 0`,
  labels: ["node", "network"],
});

/** Nodes that are known not to validate: their ID is known, and it is in no watched set of a network that has been read. */
const notValidating = recording({
  name: "node:avax_node_configured:not_validating",
  about:
    "Configured nodes whose node ID is in no set of their network. A node of unknown ID or network is not among them.",
  expr: `${nodeIds} and on (network) ${referenceNode.metrics.node} unless ${OF_NODE} ${validating}`,
  labels: ["node", "network", "node_id"],
});

const left = recording({
  name: "node:avax_validator_downtime_budget_remaining_seconds:half_used",
  about:
    "Downtime left of each configured node's validator when it was last known, where half of the budget is used and the reward is not lost.",
  expr: `${nodeIds} * on (network, node_id) group_left () min by (network, node_id) (${latest(budget)} >= 0 < ${LITTLE_BUDGET_RATIO} * ${latest(wholeBudget)})`,
  labels: ["node", "network", "node_id"],
});

const unseen = recording({
  name: "node:avax_node_up:unseen",
  about: "Nodes that do not answer, can be validators, and are connected to no other polled node.",
  expr: `${down} unless ${OF_NODE} (${notValidating} or ${seen})`,
  labels: ["node", "network"],
});

const configured = nodeLabels.metrics.configured;
const before = `last_over_time(${unseen}[5m])`;

/** For whoever restarts the exporter during an outage, or removes the node from it: the page goes on, or ends. */
const lost = recording({
  name: "node:avax_node_up:lost",
  about:
    "Nodes that do not answer and that no polled node is connected to, or did not when the exporter was last there, within five minutes.",
  expr: `${unseen} or ${OF_NODE} (${before} and ${OF_NODE} ${configured} or ${before} unless on (job, instance) ${configured}) and ${OF_NODE} last_over_time(${up}[5m]) == 0 unless ${OF_NODE} ${up}`,
  labels: ["node", "network"],
});

/**
 * Names what is down: this node, where others of its network answer the same exporter; its network, where only nodes of others do; or
 * the exporter. A node without others is not distinguished from it.
 */
function whose(node: string, network: string, exporter: string): string {
  const answering = (labels: string, values: string): string =>
    `{{ if printf "avax_node_up{${labels}job=%q,instance=%q} == 1" ${values}$labels.job $labels.instance | query }}`;
  return `${answering("network=%q,", "$labels.network ")}${node}{{ else }}${answering("", "")}${network}{{ else }}${exporter}{{ end }}{{ end }}`;
}

function latest(recorded: Recording): string {
  return `last_over_time(${recorded}[${REMEMBERED}])`;
}

/** Alerts about a node that does not answer, by what it loses meanwhile. */
export const NODE_DOWN_ALERTS: Alerts = {
  AvaxNodeDown: {
    severity: "critical",
    // Where the budget is low, AvaxNodeDownBudgetLow pages instead.
    expr: `${lost} unless ${OF_NODE} ${left} < ${littleBudget}`,
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
    summary: `{{ $labels.node }} is down: ${whose("others are up, its uptime falls", "so are all nodes of {{ $labels.network }}", "no node answers the exporter")}`,
    description:
      "For 10 minutes {{ $labels.node }} has not answered, and no polled node has been connected to its validator. The status page shows the last error.",
    ...DOWN,
  },
  AvaxNodeDownBudgetLow: {
    severity: "critical",
    // Not `lost`: five minutes without the exporter must not become the two of an outage. Once it fires, it goes on that long.
    expr: `max without (node_id) (${left} < ${littleBudget}) and ${OF_NODE} ${unseen}`,
    for: "2m",
    loses: "The rest of the downtime budget: after it the reward of the whole period is lost.",
    explainedBy: [REPLACED],
    summary: "{{ $labels.node }} is down: reward lost after {{ $value | humanizeDuration }} more",
    description: `It has less than ${littleBudget.words}, and less than half, of its downtime budget.`,
    ...DOWN,
    meaning: `${DOWN.meaning} Most of the validator's downtime budget is used up already.`,
    confirm: `${DOWN.confirm} \`avax_validator_downtime_budget_remaining_seconds\` is the downtime that is left.`,
    action: `${DOWN.action} Or move the validator to another machine; two nodes must never run with the same keys.`,
  },
  AvaxValidatorApiDown: {
    severity: "warning",
    expr: `${down} and ${OF_NODE} ${seen}`,
    for: RESTART,
    keepFiringFor: "5m",
    noPage: "The network sees the validator: its uptime is counted, and nothing is lost until the morning.",
    explainedBy: [REPLACED, DISK_FULL],
    summary: "API of {{ $labels.node }} is down; the validator is connected",
    description: "Another polled node is connected to its validator: the uptime is counted.",
    ...DOWN,
    meaning:
      "The network sees the validator, the exporter does not: its API, or the network path to it, is broken. No uptime is lost, but problems that only the node itself reports stay unseen, such as a full disk or lost votes.",
    falseWhen: "Another machine runs with the same keys: see AvaxNodeIdDuplicated.",
  },
  AvaxApiNodeDown: {
    severity: "warning",
    expr: `${down} and ${OF_NODE} ${notValidating}`,
    for: RESTART,
    keepFiringFor: "5m",
    explainedBy: [REPLACED, DISK_FULL],
    summary: "{{ $labels.node }} does not answer; it is not a validator",
    description: "It is in no validator set that the exporter reads: no reward is at stake.",
    ...DOWN,
    meaning: `${DOWN.meaning} Applications that use its API are cut off.`,
    falseWhen: "It validates a subnet that is not in the exporter's configuration: add the subnet.",
  },
  AvaxNodeRestarting: {
    severity: "none",
    explainedBy: (["AvaxNodeDown", "AvaxNodeDownBudgetLow", "AvaxValidatorApiDown", "AvaxApiNodeDown"] as const).map(
      (alert) => ({ alert, equal: SAME_NODE, why: "The node does not answer." }),
    ),
    expr: RESTARTING,
    summary: "{{ $labels.node }} is down, or was down within the last 10 minutes",
    description: "It is never sent: it holds back what follows from a restart.",
    meaning:
      "A node that has just started reconnects to its peers and catches up. What fails meanwhile is expected. The state ends ten minutes after the node answers again; a node that stays down is reported by AvaxNodeDown.",
    confirm: "`avax_node_up` of the last ten minutes.",
    commands: { "call <node> /ext/health/readiness": "Answers once the node has finished its start." },
    action: "None. See AvaxNodeDown if the node stays down.",
    falseWhen: "The exporter lost the node for a moment: for ten minutes its tickets wait.",
  },
  AvaxExporterCannotPoll: {
    severity: "critical",
    expr: `count without (node, network) (${up}) > 1 unless sum without (node, network) (${up}) > 0`,
    // Shorter than that of AvaxNodeDown, which it explains: the exporter does not find all nodes down at the same moment.
    labels: [],
    for: "5m",
    keepFiringFor: "12m",
    loses: "Sight of all nodes: no other alert of this exporter can be trusted.",
    summary: "The exporter reaches none of its {{ $value }} nodes: they are unwatched",
    description: "Most likely {{ $labels.instance }} or its network is broken, not the nodes.",
    meaning:
      "All nodes stopped answering at once. The nodes are rarely the cause. Until it is fixed, other metrics and alerts of this exporter are unreliable.",
    confirm:
      "Check the reasons on the exporter's status page: `dns`, `unreachable` or `timeout` for all nodes point to the exporter's side.",
    commands: {
      "call <any-node> info.getNodeID":
        "It fails on the exporter's machine. If it succeeds on another machine, the nodes are fine and the exporter's side is not.",
    },
    action: "Fix the exporter's network, DNS or credentials. Until then, monitor the nodes by other means.",
    falseWhen: "All nodes are in one place, and that place is down.",
  },
};
