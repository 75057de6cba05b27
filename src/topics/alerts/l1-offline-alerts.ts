import { counted } from "../define/counted.ts";
import type { Alerts } from "../define/alert.ts";
import { SUBNET_NAME } from "../define/alert-texts.ts";
import { DISCONNECTED, NETWORK_HALTED, VALIDATOR_CUT_OFF } from "../define/causes.ts";
import { l1Offline } from "../l1/l1-offline.ts";

const OF_VALIDATOR = { equal: ["network", "node_id"] } as const;
const QUORUM_LOST = {
  alert: "AvaxSubnetQuorumLost",
  equal: ["network", "subnet"],
  why: "The L1 has lost its quorum: that page names it.",
} as const;
const CONFIRM =
  "`avax_l1_validator_offline` and `avax_l1_offline_validators`; `avax_l1_validator_connected` by node, where the chain reports it.";

const { offline, others } = l1Offline.metrics;

/** Validators of L1s that no polled node is connected to. */
export const L1_OFFLINE_ALERTS: Alerts = {
  AvaxL1ValidatorOffline: {
    severity: "critical",
    when: { of: offline, equals: 1, unanimous: true },
    labels: ["network", "subnet", "node_id"],
    for: "10m",
    impact: "The validator neither votes nor signs for the L1, pays its fee all the same, and its uptime falls.",
    explainedBy: [
      ...VALIDATOR_CUT_OFF,
      { ...DISCONNECTED, sourceMatchers: { subnet: "primary" }, ...OF_VALIDATOR },
      NETWORK_HALTED,
      QUORUM_LOST,
    ],
    summary: `{{ or $labels.name $labels.node_id }} is offline for ${SUBNET_NAME}: it does not vote`,
    over: `is online for ${SUBNET_NAME} again`,
    meaning:
      "The validator does not run, its network path is broken, or it was started without the L1 in its track-subnets. The other validators of the L1 observe the same.",
    confirm: CONFIRM,
    commands: {
      [`call <any-node> info.peers '{"nodeIDs": ["<node_id>"]}'`]:
        "An empty list: it is not connected. A peer without the subnet's ID in `trackedSubnets`: it does not track the L1.",
    },
    action: "Start it; check track-subnets, VM plugin, firewall (TCP port 9651), public IP.",
    falsePositives: "All polled nodes that serve the L1 share a network problem.",
  },
  AvaxL1ValidatorsOffline: {
    severity: "warning",
    when: { of: others, above: 0 },
    labels: ["network", "subnet"],
    for: "30m",
    noPage: "The validators belong to others; AvaxSubnetQuorumLost pages when too many are offline.",
    explainedBy: [NETWORK_HALTED, QUORUM_LOST],
    summary: `${counted("offline validator")} of ${SUBNET_NAME}`,
    over: "has its other validators online again",
    description: "They are active and not yours.",
    meaning:
      "Members of the L1 are offline. Their weight counts against the quorum of the L1, and they pay their fee meanwhile.",
    confirm: `${CONFIRM} \`avax_subnet_connected_weight_ratio\` is what is left of the weight.`,
    commands: {
      "call <any-node> info.peers":
        "The validators of the L1 that are missing, or lack the subnet in `trackedSubnets`.",
    },
    action: "Inform their operators, or let the L1's validator manager remove them.",
    falsePositives: "The polled nodes have just started and are not connected to all peers yet.",
  },
};
