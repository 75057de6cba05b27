import type { Alerts } from "../define/alert.ts";
import {
  CUT_OFF,
  DISK_FULL,
  DUPLICATED_VALIDATOR,
  LEFT_BEHIND,
  NETWORK_HALTED,
  SAME_VALIDATOR_NODE,
  REPLACED,
  WRONG_KEY,
} from "../define/causes.ts";
import { connectedToAny, observers, restarting } from "./shared-recordings.ts";

/** A watched validator that no other polled node is connected to. */
export function disconnectedAlerts(): Alerts {
  return {
    AvaxValidatorDisconnected: {
      severity: "critical",
      // Others notice late that a node is back. AvaxNodeDown pages for one that stays down.
      expr: `${observers} unless ${connectedToAny} == 1 unless on (network, node_id) ${restarting}`,
      records: [observers, connectedToAny, restarting],
      labels: ["network", "subnet", "node_id"],
      for: "10m",
      keepFiringFor: "6m",
      explainedBy: [
        { ...REPLACED, equal: SAME_VALIDATOR_NODE },
        { ...WRONG_KEY, equal: SAME_VALIDATOR_NODE },
        DUPLICATED_VALIDATOR,
        { ...CUT_OFF, equal: SAME_VALIDATOR_NODE },
        { ...LEFT_BEHIND, equal: SAME_VALIDATOR_NODE },
        { ...DISK_FULL, equal: SAME_VALIDATOR_NODE },
        {
          ...NETWORK_HALTED,
          names: true,
          only: { node: "!=" },
          why: "The Primary Network has lost its quorum: that page names the nodes that are down.",
        },
      ],
      loses: "The other validators count it as offline: its downtime budget is used up.",
      summary: "{{ or $labels.name $labels.node_id }} is connected to none of {{ $value }} nodes: uptime falls",
      description: "No polled node that watches it ({{ $labels.subnet }}, {{ $labels.network }}) is connected to it.",
      meaning:
        "Every polled node that watches this validator reports it as not connected. The other validators most likely observe the same, and its uptime decays.",
      confirm: "`avax_validator_connected` per node; the validator's own health and peers if it is polled too.",
      commands: {
        [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`]:
          "`connected` is false, and `uptime` falls between two calls. Query several nodes: each reports its own observation.",
      },
      action: "Bring the validator back online: check its process, machine, firewall of TCP port 9651 and public IP.",
      falseWhen: "All watching nodes share a network problem: `avax_chain_connected_stake_ratio` is low on them.",
    },
  };
}
