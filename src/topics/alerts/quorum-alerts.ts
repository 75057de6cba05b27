import type { Alerts, Cause, Runbook } from "../define/alert.ts";
import { SUBNET_NAME } from "../define/alert-texts.ts";
import { quorumMargin } from "../l1/quorum.ts";
import { DEFAULT_QUORUM_RATIO, DEFAULT_STOP_RATIO, SIGNATURE_RATIO } from "../l1/quorum-view.ts";

const CHAINS = `{{ $labels.network }} ${SUBNET_NAME}`;

const QUORUM_LOST: Cause = {
  alert: "AvaxSubnetQuorumLost",
  equal: ["job", "network", "subnet"],
  why: "The quorum is lost already.",
};
const MEMBERS: Runbook["commands"] = {
  [`call <any-node> platform.getCurrentValidators '{"subnetID": "<subnet>"}'`]:
    "`weight` and `connected` of each validator; of an L1 also `balance`.",
};

const { connected, atRisk, lost } = quorumMargin.metrics;

/** The weight that the chains of a subnet need, for blocks and for signatures. */
export const QUORUM_ALERTS: Alerts = {
  AvaxSubnetQuorumLost: {
    severity: "critical",
    when: { of: lost, equals: 1 },
    labels: ["network", "subnet", "down"],
    // Its series waits for a minute, so that it names all that failed together.
    for: "3m",
    impact: "The chains of the subnet accept no blocks until enough weight is back.",
    summary: `${CHAINS} has lost its quorum; down: {{ $labels.down }}`,
    over: "has its quorum again ({{ $labels.network }})",
    description: "Its chains accept no blocks.",
    meaning: `Nodes send no queries while less than ${DEFAULT_STOP_RATIO * 100} % of the weight is connected: the chains stop. Their health checks fail earlier, below ${DEFAULT_QUORUM_RATIO * 100} %. Both are defaults; \`avax_subnet_quorum_requirement_ratio\` is the share of the health checks. Signatures of messages to other chains need ${SIGNATURE_RATIO * 100} %. Offline validators and those without balance do not vote, and their weight stays in the total.`,
    confirm:
      "`avax_subnet_connected_weight_ratio` is the share that is connected. If `avax_subnet_active_weight_ratio` is as low, balances ran out (`avax_l1_validator_active`). If not, validators are offline. `avax_chain_connected_stake_ratio` of the subnet's chains shows the view of its own nodes.",
    commands: {
      [`call <any-node> platform.getCurrentValidators '{"subnetID": "<subnet>"}'`]:
        "`weight` and `connected` of each validator. An L1 also has `balance`: 0 means inactive. Of the Primary Network leave the parameter out.",
      "call <any-node> /ext/health":
        "The check of each chain of the subnet shows the share of stake that this node is connected to, and the share that it requires.",
    },
    action:
      "Bring back the validators that are down, the heaviest first. Weight without balance: top it up or have it removed, once the P-Chain accepts blocks.",
    falsePositives: "The polled nodes share a network problem, and are connected to less than the other nodes.",
  },
  AvaxSubnetQuorumAtRisk: {
    severity: "warning",
    when: { of: atRisk, equals: 1 },
    labels: ["network", "subnet"],
    for: "30m",
    explainedBy: [QUORUM_LOST],
    summary: `${CHAINS}: its chains stop with the next validator that fails`,
    over: "can lose a validator again ({{ $labels.network }})",
    meaning: `A validator is offline or inactive, and the rest has no reserve. Below ${DEFAULT_QUORUM_RATIO * 100} % of the weight, by default, the nodes report themselves unhealthy; below ${DEFAULT_STOP_RATIO * 100} % the chains stop.`,
    confirm:
      "`avax_subnet_connected_weight_ratio` is below 1, and `avax_subnet_quorum_spare_validators` is 0: the number of validators, the heaviest first, that can fail without the loss of the quorum.",
    commands: MEMBERS,
    action: "Restart no other validator. Bring back the offline ones, or top up their balance.",
    falsePositives: "One validator has so much weight that the subnet never has a reserve.",
  },
  AvaxSubnetSignaturesAtRisk: {
    severity: "warning",
    when: { of: connected, below: SIGNATURE_RATIO },
    labels: ["network", "subnet"],
    for: "15m",
    explainedBy: [QUORUM_LOST],
    summary: `${CHAINS}: only {{ $value | printf "%.1f" }} % of the weight can sign messages`,
    over: "has enough signatures again ({{ $labels.network }})",
    meaning:
      "The subnet requires less for consensus than for signatures: its chains go on, but messages to other chains are not signed.",
    confirm: "`avax_subnet_connected_weight_ratio` and `avax_subnet_quorum_requirement_ratio` of the subnet.",
    commands: MEMBERS,
    action: "Bring back offline validators, the heaviest first, or top up balances.",
    falsePositives: "The subnet sends no messages to other chains.",
  },
};
