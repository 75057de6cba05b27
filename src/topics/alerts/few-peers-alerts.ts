import type { Alerts } from "../define/alert.ts";
import { DISCONNECTED, NETWORK_HALTED, NODE_BROKEN } from "../define/causes.ts";
import { where } from "../define/selector.ts";
import { FEW_PEERS, peerCount } from "../node/peers.ts";
import { validators } from "../validators/validators.ts";
import { threshold } from "../define/threshold.ts";

/** A node with fewer than half of the peers that its fellows have lacks peers; a fleet of one is measured by the validators. */
const FEW_PEERS_RATIO = 0.5;

const peers = threshold("peers", "number", "below this number of peers, unless the network is that small", {
  standard: FEW_PEERS,
  least: 1,
  most: 1000,
});

export function fewPeersAlerts(): Alerts {
  const { count } = peerCount.metrics;
  return {
    AvaxNodeFewPeers: {
      severity: "warning",
      expr: `${count} < on (network) group_left () ${FEW_PEERS_RATIO} * quantile by (network) (0.5, ${count}) or (${count} < ${peers}) < on (network) group_left () ${FEW_PEERS_RATIO} * max by (network) (${where(validators.metrics.count, { subnet: "primary" })})`,
      labels: ["node", "network"],
      for: "10m",
      thresholds: [peers],
      explainedBy: [...NODE_BROKEN, NETWORK_HALTED, DISCONNECTED],
      summary: "{{ $labels.node }} has only {{ $value }} peers",
      description: `For 10 minutes the node has had fewer than ${peers.words} peers in a network of twice as many validators, or less than half of what the median node has.`,
      meaning:
        "A node with few peers sees little of the network, and few validators see it: its observed uptime falls.",
      confirm:
        "Compare `avax_node_peers` with other nodes of the same network. `avax_node_ingress_connections` of 0 means no inbound connections.",
      commands: {
        "call <node> info.peers": "`numPeers` is the number; peers with an old `lastReceived` are about to be lost.",
        "call <node> info.getNodeIP": "The address at which others try to reach the node: it must be the public one.",
      },
      action:
        "Open TCP port 9651 from outside. Check `--public-ip` (`info.getNodeIP`) and the firewall's connection limits.",
      falseWhen: "The node is configured to have fewer peers than the others of its network.",
    },
  };
}
