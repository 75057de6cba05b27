import type { Alerts, Cause, Runbook } from "../define/alert.ts";
import { SUBNET } from "../define/alert-texts.ts";
import { referenceNode } from "../network/subnet-chains.ts";
import { DEFAULT_QUORUM_RATIO, DEFAULT_STOP_RATIO, quorum, quorumMargin, SIGNATURE_RATIO, STOP } from "../l1/quorum.ts";
import { CUT_OFF_STAKE } from "./shared-recordings.ts";

/** What brings weight back: balances do not while the P-Chain, which books them, stands still. */
const REMEDY = `{{ if printf "avax_subnet_active_weight_ratio{network=%q,subnet=%q} < 1 and on (network) avax_subnet_connected_weight_ratio{network=%q,subnet=\\"primary\\"} >= ${DEFAULT_STOP_RATIO}" $labels.network $labels.subnet $labels.network | query }}Part of the weight has no balance: top it up.{{ else }}Bring back validators that are offline.{{ end }}`;

const QUORUM_LOST: Cause = {
  alert: "AvaxSubnetQuorumLost",
  equal: ["job", "instance", "network", "subnet"],
  why: "The quorum is lost already.",
};
const MEMBERS: Runbook["commands"] = {
  [`call <any-node> platform.getCurrentValidators '{"subnetID": "<subnet>"}'`]:
    "`weight` and `connected` of each validator; of an L1 also `balance`.",
};

const { connected } = quorum.metrics;
const { requirement, spare } = quorumMargin.metrics;
const stopped = `${connected} < on (job, instance, network, subnet) (${STOP.factor} * ${requirement} - ${STOP.offset})`;
// A reference node that is cut off has no peers, whatever the state of the subnet.
const referenceCutOff = `(${CUT_OFF_STAKE} and on (job, instance, node) ${referenceNode.metrics.node})`;

/** The weight that the chains of a subnet need, for blocks and for signatures. */
export const QUORUM_ALERTS: Alerts = {
  AvaxSubnetQuorumLost: {
    severity: "critical",
    expr: `100 * (${stopped}) unless on (job, instance, network) ${referenceCutOff}`,
    labels: ["network", "subnet"],
    for: "5m",
    keepFiringFor: "10m",
    loses: "The chains of the subnet accept no blocks until enough weight is back.",
    summary: `${SUBNET} accepts no blocks: only {{ $value | printf "%.1f" }} % of the weight is connected`,
    description: `Chains of {{ $labels.network }} stop below ${DEFAULT_STOP_RATIO * 100} % by default. ${REMEDY} Polled nodes that are down:{{ range printf "avax_node_up{network=%q} == 0" $labels.network | query | sortByLabel "node" }} {{ .Labels.node }}{{ end }}.`,
    meaning: `Nodes send no queries while less than ${DEFAULT_STOP_RATIO * 100} % of the weight is connected: the chains stop. Their health checks fail earlier, below ${DEFAULT_QUORUM_RATIO * 100} %. Both are defaults; \`avax_subnet_quorum_requirement_ratio\` is the share of the health checks. Signatures of messages to other chains need ${SIGNATURE_RATIO * 100} %. Offline validators and those without balance do not vote, and their weight stays in the total.`,
    confirm:
      "If `avax_subnet_active_weight_ratio` is as low, balances ran out (`avax_l1_validator_active`). If not, validators are offline. `avax_chain_connected_stake_ratio` of the subnet's chains shows the view of its own nodes.",
    commands: {
      [`call <any-node> platform.getCurrentValidators '{"subnetID": "<subnet>"}'`]:
        "`weight` and `connected` of each validator. An L1 also has `balance`: 0 means inactive. Of the Primary Network leave the parameter out.",
      "call <any-node> /ext/health":
        "The check of each chain of the subnet shows the share of stake that this node is connected to, and the share that it requires.",
    },
    action:
      "Bring back the validators that are offline, the heaviest first (`avax_l1_validator_weight`). Weight without balance: top it up or have it removed, once the P-Chain accepts blocks.",
    falseWhen:
      "The network's reference node (`avax_network_reference_node`) is connected to less than the other nodes.",
  },
  AvaxSubnetQuorumAtRisk: {
    severity: "warning",
    expr: `100 * (${connected} < 1 and on (job, instance, network, subnet) ${spare} == 0)`,
    labels: ["network", "subnet"],
    for: "30m",
    explainedBy: [QUORUM_LOST],
    summary: `${SUBNET}: its chains stop with the next validator that fails`,
    description:
      '{{ $value | printf "%.1f" }} % of the weight is active and connected ({{ $labels.network }}), and the heaviest connected validator is needed.',
    meaning: `A validator is offline or inactive, and the rest has no reserve. Below ${DEFAULT_QUORUM_RATIO * 100} % of the weight, by default, the nodes report themselves unhealthy; below ${DEFAULT_STOP_RATIO * 100} % the chains stop.`,
    confirm:
      "`avax_subnet_quorum_spare_validators` is 0: the number of validators, the heaviest first, that can fail without the loss of the quorum.",
    commands: MEMBERS,
    action:
      "Bring back the validators that are offline, or top up those without balance. Restart no other validator until then.",
    falseWhen: "One validator has so much weight that the subnet never has a reserve.",
  },
  AvaxSubnetSignaturesAtRisk: {
    severity: "warning",
    expr: `100 * (${connected} < ${SIGNATURE_RATIO}) unless on (job, instance, network, subnet) ${stopped}`,
    labels: ["network", "subnet"],
    for: "15m",
    explainedBy: [QUORUM_LOST],
    summary: `${SUBNET}: only {{ $value | printf "%.1f" }} % of the weight can sign messages`,
    description: `Messages to other chains need the signatures of ${SIGNATURE_RATIO * 100} % ({{ $labels.network }}).`,
    meaning:
      "The subnet requires less for consensus than for signatures: its chains go on, but messages to other chains are not signed.",
    confirm: "`avax_subnet_connected_weight_ratio` and `avax_subnet_quorum_requirement_ratio` of the subnet.",
    commands: MEMBERS,
    action: "Bring back the validators that are offline, the heaviest first, or top up those without balance.",
    falseWhen: "The subnet sends no messages to other chains.",
  },
};
