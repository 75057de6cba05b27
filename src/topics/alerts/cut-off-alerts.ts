import type { Alerts } from "../define/alert.ts";
import { DUPLICATED, NETWORK_HALTED, REPLACED, WRONG_KEY } from "../define/causes.ts";
import { CONNECTED_STAKE, CUT_OFF_RATIO, CUT_OFF_STAKE, REMEMBERED, validating } from "./shared-recordings.ts";

/** A validator that answers the exporter and has lost most of its peers. */
export function cutOffAlerts(): Alerts {
  return {
    AvaxNodeCutOff: {
      severity: "critical",
      expr: `100 * max without (chain) (${CUT_OFF_STAKE}) and on (job, instance, node) ${validating}`,
      records: [validating],
      whileSilent: `100 * max without (chain) (last_over_time(${CONNECTED_STAKE}[${REMEMBERED}]) < ${CUT_OFF_RATIO})`,
      labels: ["node", "network"],
      for: "5m",
      keepFiringFor: "7m",
      loses: "The validator is offline for the network: its downtime budget is used up.",
      explainedBy: [REPLACED, WRONG_KEY, DUPLICATED, NETWORK_HALTED],
      summary: '{{ $labels.node }} is cut off with {{ $value | printf "%.1f" }} % of the stake: uptime falls',
      description: "The node answers the exporter, but the network hardly sees it.",
      meaning:
        "The validator has lost most of its peers. It follows no blocks, it does not vote, and the others count it as offline.",
      confirm:
        "`avax_node_peers` and `avax_chain_connected_stake_ratio` of this node, compared with other nodes of the network. `avax_validator_connected` of its node ID on another node.",
      commands: {
        "call <node> info.peers": "`numPeers` is small, and `lastReceived` of the peers is old.",
        "call <node> info.getNodeIP": "The address at which others try to reach the node: it must be the public one.",
      },
      action:
        "Check the machine's network, the firewall of TCP port 9651 in both directions, and the public IP. Restart the node if no peers return.",
      falseWhen: "More than half of the network's stake is offline: all nodes of the network report the same.",
    },
  };
}
