import type { Alerts, Runbook } from "../define/alert.ts";
import { EXECUTOR_STOPS } from "../define/alert-texts.ts";
import { atNode, DISK_FULL, NETWORK_HALTED, NONE_REACHED, REPLACED, SAME_NODE } from "../define/causes.ts";
import { selector } from "../define/selector.ts";
import { reach, type OUTAGES } from "../node/reach.ts";
import { outageCost } from "../validators/outage-cost.ts";
import { littleBudget } from "../validators/reward-state.ts";

const DOWN: Runbook = {
  meaning:
    "The exporter cannot reach the node's API. The node is down, its API is down, or the network path to it is broken.",
  confirm: `The exporter's status page shows the last error. Request the node's \`/ext/health\` with curl from the exporter's machine. Check \`avax_validator_connected\` on another node. ${EXECUTOR_STOPS}`,
  commands: {
    "call <node> /ext/health/liveness":
      "The same failure with its reason: `refused` means that the process is not running, `timeout` a machine or firewall problem, `dns` a wrong name.",
    "call <any-node> info.peers":
      "If the node is missing in another node's list, or its `lastReceived` is old, it is down for the whole network.",
  },
  fix: { "sudo systemctl start avalanchego": "On the machine of the node: starts it. Its log shows why it ended." },
  action:
    "Start the node, or fix the network path to its API. Check its option --http-host, the firewall, the proxy and the credentials.",
  falsePositives: "The exporter's own network is broken: AvaxExporterCannotPoll then fires for all nodes together.",
};

/** What explains that the API of a node does not answer, where no downtime is at stake. */
const API_LOST = [
  ...[REPLACED, DISK_FULL, NONE_REACHED],
  atNode("AvaxNodeTakenOver", "A standby runs with its node ID."),
];

/** The shard of the exporter is absent where there is one process. */
const OF_OUTAGE = ["node", "network", "node_id", "shard"] as const;

const { outage, restarting, allDown } = reach.metrics;
const is = (kind: (typeof OUTAGES)[number]) =>
  ({ of: selector(outage, { outage: kind }), equals: 1, unanimous: true }) as const;

/** Alerts about a node that does not answer, by what it loses meanwhile. */
export const NODE_DOWN_ALERTS: Alerts = {
  AvaxNodeDown: {
    severity: "critical",
    when: is("unseen"),
    labels: [...OF_OUTAGE, "outage"],
    for: "10m",
    impact: "A validator that is offline uses up its downtime budget, and its share of the stake is missing.",
    explainedBy: [
      REPLACED,
      DISK_FULL,
      NONE_REACHED,
      atNode("AvaxNodeDownBudgetLow", "That page says how much downtime is left."),
      {
        ...NETWORK_HALTED,
        namesNode: true,
        why: "So many nodes are down that the Primary Network has lost its quorum: that page names them.",
      },
    ],
    summary: "{{ $labels.node }} is down: its uptime falls",
    over: "answers again",
    description: "No polled node is connected to it. The status page has the last error.",
    ...DOWN,
  },
  AvaxNodeDownBudgetLow: {
    severity: "critical",
    when: { of: outageCost.metrics.outageTolerance, below: littleBudget, unanimous: true },
    labels: [...OF_OUTAGE],
    impact: "The rest of the downtime budget: after it the reward of the whole period is lost.",
    explainedBy: [REPLACED, NONE_REACHED],
    summary: "{{ $labels.node }} is down: reward lost after {{ $value | humanizeDuration }} more",
    over: "answers again, or its validator is connected",
    description: (words) => `It has less than ${words(littleBudget)}, and less than half, of its downtime budget.`,
    ...DOWN,
    meaning: `${DOWN.meaning} Most of the validator's downtime budget is used up already.`,
    confirm: `${DOWN.confirm} \`avax_node_outage_tolerance_seconds\` is the downtime that is left.`,
    action: `${DOWN.action} Or move the validator to another machine; two nodes must never run with the same keys.`,
  },
  AvaxValidatorApiDown: {
    severity: "warning",
    when: is("seen"),
    labels: [...OF_OUTAGE, "outage"],
    for: "10m",
    noPage: "The network sees the validator: its uptime is counted, and nothing is lost until the morning.",
    explainedBy: [...API_LOST],
    over: "answers again",
    summary: "API of {{ $labels.node }} is down; the validator is connected",
    ...DOWN,
    meaning:
      "The network sees the validator, the exporter does not: its API, or the network path to it, is broken. No uptime is lost, but problems that only the node itself reports stay unseen, such as a full disk or lost votes.",
    falsePositives: "Another machine runs with the same keys: see AvaxNodeIdDuplicated.",
  },
  AvaxApiNodeDown: {
    severity: "warning",
    when: is("not_validating"),
    labels: [...OF_OUTAGE, "outage"],
    for: "10m",
    explainedBy: [...API_LOST],
    over: "answers again",
    summary: "{{ $labels.node }} does not answer; it is not a validator",
    ...DOWN,
    meaning: `${DOWN.meaning} Applications that use its API are cut off; no reward is at stake.`,
    falsePositives: "It validates a subnet that is not in the exporter's configuration: add the subnet.",
  },
  AvaxNodeRestarting: {
    severity: "none",
    explainedBy: (["AvaxNodeDown", "AvaxNodeDownBudgetLow", "AvaxValidatorApiDown", "AvaxApiNodeDown"] as const).map(
      (alert) => ({ alert, equal: SAME_NODE, why: "The node does not answer." }),
    ),
    when: { of: restarting, equals: 1, perExporter: true },
    labels: [...OF_OUTAGE],
    summary: "{{ $labels.node }} is down, or was down within the last 10 minutes",
    description: "It is never sent: it holds back what follows from a restart.",
    meaning:
      "A node that has just started reconnects to its peers and catches up. What fails meanwhile is expected. The state ends ten minutes after the node answers again; a node that stays down is reported by AvaxNodeDown.",
    confirm: "`avax_node_restarting` of the node; `avax_node_up` of the last ten minutes.",
    commands: { "call <node> /ext/health/readiness": "Answers once the node has finished its start." },
    action: "None. See AvaxNodeDown if the node stays down.",
    falsePositives: "The exporter lost the node for a moment: for ten minutes its tickets wait.",
  },
  AvaxExporterCannotPoll: {
    severity: "critical",
    when: { of: allDown, equals: 1, unanimous: true },
    // Shorter than that of AvaxNodeDown, which it explains: the exporter does not find all nodes down at the same moment.
    labels: ["shard"],
    for: "5m",
    impact: "Sight of all nodes: no other alert of this exporter can be trusted.",
    summary: "The exporter reaches none of its nodes: they are unwatched",
    over: "The exporter reaches its nodes again",
    description: "Most likely it or its network is broken ({{ $labels.job }}).",
    meaning:
      "All nodes stopped answering at once. The nodes are rarely the cause. Until it is fixed, other metrics and alerts of this exporter are unreliable.",
    confirm:
      "Check the reasons on the exporter's status page: `dns`, `unreachable` or `timeout` for all nodes point to the exporter's side.",
    commands: {
      "call <any-node> info.getNodeID":
        "It fails on the exporter's machine. If it succeeds on another machine, the nodes are fine and the exporter's side is not.",
    },
    action: "Fix the exporter's network, DNS or credentials. Until then, monitor the nodes by other means.",
    falsePositives: "All nodes are in one place, and that place is down.",
  },
  AvaxExporterBlind: {
    severity: "warning",
    when: { of: allDown, equals: 1, perExporter: true },
    labels: ["shard"],
    for: "10m",
    noPage: "Another exporter of the same nodes reaches them: AvaxExporterCannotPoll pages where none does.",
    explainedBy: [NONE_REACHED],
    summary: "{{ $labels.instance }} reaches none of its nodes, another exporter does",
    over: "reaches its nodes again",
    meaning: "One of several exporters of the same nodes has lost the way to them: of two only one is left.",
    confirm: "The status page of this exporter lists the reasons; that of the other one shows the nodes as up.",
    commands: {
      "call <any-node> info.getNodeID":
        "It fails on the machine of this exporter, and succeeds on that of the other one.",
    },
    action: "Fix the network, DNS or credentials of this exporter.",
    falsePositives: "It polls other nodes than the exporters of the same job and they are all down.",
  },
};
