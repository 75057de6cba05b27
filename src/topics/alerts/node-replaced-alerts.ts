import type { Alerts } from "../define/alert.ts";
import { nodeChanges } from "../node/identity.ts";

/** Another node answers at the address of a configured one. */
export const NODE_REPLACED_ALERTS: Alerts = {
  AvaxNodeReplaced: {
    severity: "critical",
    when: { of: nodeChanges.metrics.replaced, is: 1 },
    loses: "The validator that belongs to this address is offline, or two nodes run with the same keys.",
    summary: "{{ $labels.node }} answers with another node ID",
    over: "{{ $labels.node }} answers with one node ID",
    description: "The node ID is not the configured one, or it changed within the last 60 minutes.",
    meaning:
      "Another node answers at the configured address: new staking keys, another machine, or a load balancer in between.",
    confirm: "`avax_node_info` of this node has the current ID; the exporter's log has both.",
    commands: {
      "call <node> info.getNodeID": "`nodeID` is not the one that you expect at this address.",
      "call <node> info.getNodeIP": "The address that this node advertises to the network.",
    },
    action:
      "Keys replaced by accident: restore staker.crt, staker.key and signer.key. `node_id` in the configuration rejects answers of other nodes.",
    falseWhen:
      "You moved the node on purpose, or the address is a load balancer: configure its members one by one instead.",
  },
};
