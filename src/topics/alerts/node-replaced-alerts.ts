import type { Alerts } from "../define/alert.ts";
import { nodeChanges } from "../node/identity.ts";
import { reach } from "../node/reach.ts";

/** Another node answers at the address of a configured one. */
export const NODE_REPLACED_ALERTS: Alerts = {
  AvaxNodeTakenOver: {
    severity: "warning",
    when: { of: reach.metrics.takenOver, equals: 1 },
    labels: ["node", "network", "by", "shard"],
    for: "2m",
    summary: "{{ $labels.by }} has taken over the node ID of {{ $labels.node }}",
    over: "runs itself again, or no other has its ID",
    meaning:
      "A standby runs with the staking keys of the other node: the validator works, without a spare. The page about a node that is down is left out.",
    confirm: "`avax_node_info` of both has the same `node_id`, and `avax_node_up` is 0 for one of them.",
    commands: {
      "call <node> info.getNodeID": "No answer while its machine is off; the same call to the other node has its ID.",
    },
    action:
      "Keep the old machine from starting with these keys. Two of them cut the validator off; repair it as the next standby.",
    falsePositives: "You switched on purpose: silence it until the machines have changed places in the configuration.",
  },
  AvaxNodeReplaced: {
    severity: "critical",
    when: { of: nodeChanges.metrics.replaced, equals: 1 },
    impact: "The validator that belongs to this address is offline, or two nodes run with the same keys.",
    summary: "{{ $labels.node }} answers with another node ID",
    over: "answers with one node ID",
    description: "It is not the configured one, or it changed within the last 60 minutes.",
    meaning:
      "Another node answers at the configured address: new staking keys, another machine, or a load balancer in between.",
    confirm: "`avax_node_info` of this node has the current ID; the exporter's log has both.",
    commands: {
      "call <node> info.getNodeID": "`nodeID` is not the one that you expect at this address.",
      "call <node> info.getNodeIP": "The address that this node advertises to the network.",
    },
    action:
      "Keys replaced by accident: restore staker.crt, staker.key and signer.key. `node_id` in the configuration rejects answers of other nodes.",
    falsePositives:
      "You moved the node on purpose, or the address is a load balancer: configure its members one by one instead.",
  },
};
