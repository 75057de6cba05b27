import { SUBNET_NAME } from "../define/alert-texts.ts";
import { counted } from "../define/counted.ts";
import type { Alerts } from "../define/alert.ts";
import {
  DUPLICATED,
  DISCONNECTED,
  NETWORK_HALTED,
  NODE_BROKEN,
  REPLACED,
  VALIDATOR_CUT_OFF,
  WRONG_KEY,
} from "../define/causes.ts";
import { threshold } from "../define/threshold.ts";
import { CUT_OFF_RATIO } from "../node/reachable-stake.ts";
import { reach } from "../node/reach.ts";
import { peerShare } from "../node/peer-share.ts";
import { disconnected } from "../validators/disconnected.ts";

const peers = threshold("peers", "share", "when the node has less than this share of the peers that it should have", {
  standard: 0.5,
  least: 0.01,
  most: 1,
});

/** Validators and nodes that have lost their peers: by their own report, and by that of others. */
export const CONNECTION_ALERTS: Alerts = {
  AvaxNodeCutOff: {
    severity: "critical",
    when: { of: reach.metrics.reachable, below: CUT_OFF_RATIO },
    labels: ["node", "network", "node_id", "shard"],
    for: "5m",
    impact: "The validator is offline for the network: its downtime budget is used up.",
    explainedBy: [REPLACED, WRONG_KEY, DUPLICATED, NETWORK_HALTED],
    over: "is connected to the network again",
    summary: '{{ $labels.node }} is cut off with {{ $value | printf "%.1f" }} % of the stake: uptime falls',
    meaning:
      "The validator has lost most of its peers. It follows no blocks, it does not vote, and the others count it as offline.",
    confirm:
      "`avax_node_reachable_stake_ratio`, `avax_node_peers` and `avax_chain_connected_stake_ratio` of this node, compared with other nodes of the network. `avax_validator_connected` of its node ID on another node.",
    commands: {
      "call <node> info.peers": "`numPeers` is small, and `lastReceived` of the peers is old.",
      "call <node> info.getNodeIP": "The address at which others try to reach the node: it must be the public one.",
    },
    action: "Check network, firewall (TCP port 9651, in and out) and public IP. Restart the node if no peers return.",
    falsePositives:
      "More than half of the network's stake is offline, and its nodes are not polled: all nodes report the same.",
  },
  AvaxValidatorDisconnected: {
    severity: "critical",
    // Exporters of other nodes can watch it too, and one that finds a node connected to it suffices.
    when: { of: disconnected.metrics.observers, above: 0, unanimous: true },
    labels: ["network", "subnet", "node_id"],
    for: "10m",
    explainedBy: [
      ...VALIDATOR_CUT_OFF,
      {
        ...NETWORK_HALTED,
        namesNode: true,
        targetMatchers: { node: "!=" },
        why: "The Primary Network has lost its quorum: that page names the nodes that are down.",
      },
    ],
    impact: "The other validators count it as offline: its downtime budget is used up.",
    summary: `{{ or $labels.name $labels.node_id }} is connected to none of ${counted("node")}: uptime falls`,
    over: "is connected again",
    description: `It is watched for ${SUBNET_NAME} of {{ $labels.network }}.`,
    meaning:
      "Every polled node that watches this validator reports it as not connected. The other validators most likely observe the same, and its uptime decays.",
    confirm:
      "`avax_validator_disconnected_observers` is the number of nodes that observe it, `avax_validator_connected` what each reports; the validator's own health and peers if it is polled too.",
    commands: {
      [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`]:
        "`connected` is false, and `uptime` falls between two calls. Query several nodes: each reports its own observation.",
    },
    action: "Bring it back online. Check its process, its machine, the firewall of TCP port 9651 and the public IP.",
    falsePositives: "All watching nodes share a network problem: `avax_chain_connected_stake_ratio` is low on them.",
  },
  AvaxValidatorUnseenByOne: {
    severity: "warning",
    when: { of: disconnected.metrics.alone, equals: 1 },
    labels: ["network", "subnet", "node_id", "observer"],
    for: "10m",
    noPage: "One node can be wrong; AvaxValidatorDisconnected pages where a second one reports the same.",
    explainedBy: [...VALIDATOR_CUT_OFF, NETWORK_HALTED],
    summary: "{{ or $labels.name $labels.node_id }}: only {{ $labels.observer }} reports on it, as disconnected",
    over: "is connected, or more nodes report on it",
    description: `It is watched for ${SUBNET_NAME} of {{ $labels.network }}.`,
    meaning: "The validator has lost its connections, or the only node that reports on it is wrong.",
    confirm: "`avax_validator_connected` of the validator by node, and its own peers.",
    commands: {
      [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`]:
        "`connected`, which each node observes itself; add `subnetID` for a subnet.",
    },
    action: "Check its process and firewall; add the subnet to `subnets` of a second node.",
    falsePositives: "The observer has lost its own connections.",
  },
  AvaxNodeFewPeers: {
    severity: "warning",
    when: { of: peerShare.metrics.ratio, below: peers },
    for: "10m",
    explainedBy: [...NODE_BROKEN, NETWORK_HALTED, DISCONNECTED],
    summary: '{{ $labels.node }} has only {{ $value | printf "%.0f" }} % of the peers that it should have',
    over: "has its peers again",
    meaning: (words) =>
      `The node has less than ${words(peers)} of the peers of the median node of its network, or of ten. It sees little of the network, and few validators see it: its observed uptime falls.`,
    confirm:
      "`avax_node_peers_expected_ratio` is the share. Compare `avax_node_peers` with other nodes of the same network. `avax_node_ingress_connections` of 0 means no inbound connections.",
    commands: {
      "call <node> info.peers": "`numPeers` is the number; peers with an old `lastReceived` are about to be lost.",
      "call <node> info.getNodeIP": "The address at which others try to reach the node: it must be the public one.",
    },
    action:
      "Open TCP port 9651 from outside. Check `--public-ip` (`info.getNodeIP`) and the firewall's connection limits.",
    falsePositives: "The node is configured to have fewer peers than the others of its network.",
  },
};
