import type { AlertCases } from "./case.ts";

/** A node that is ready forks off never. */
const NEVER = "Inf ".repeat(30).trim();

export const NETWORK_CASES: AlertCases = {
  AvaxChainNotRun: {
    fires: {
      'avax_chain_state{node="a",network="n",chain="l1one",subnet="S",state="Created"}': "1x30",
      'avax_chain_state{node="a",network="n",chain="l1one",subnet="S",state="Syncing"}': "0x30",
    },
    silent: {
      'avax_chain_state{node="a",chain="l1one",state="Created"}': "0x30",
      'avax_chain_state{node="a",chain="l1one",state="Syncing"}': "1x30",
    },
    why: "it follows the chain without validating",
  },
  AvaxNetworkNodesDisagree: {
    fires: { 'avax_network_nodes_disagree{network="n",subnet="primary",about="keys",a="a",b="b"}': "1x20" },
    silent: { 'avax_network_nodes_disagree{network="n",subnet="primary",about="keys",a="a",b="b"}': "1x3 stale" },
    why: "they agree again",
  },
  AvaxNetworkWithoutReferenceNode: {
    fires: { 'avax_network_without_reference_node{network="n"}': "1x20" },
    silent: { 'avax_network_without_reference_node{network="n"}': "1x5 0x20" },
    why: "another node took over",
  },
  AvaxNodeUpgradeDue: {
    fires: { 'avax_node_fork_timestamp_seconds{node="a",network="n"}': "260000x40" },
    silent: {
      'avax_node_fork_timestamp_seconds{node="a",network="n"}': "2600000x40",
      'avax_node_fork_timestamp_seconds{node="b",network="n"}': `260000 ${NEVER}`,
    },
    why: "a month is left, and the other one was upgraded",
  },
  AvaxNodeUpgradeNotReady: {
    at: "19m",
    // The exporter restarts in minute 9.
    fires: { 'avax_node_fork_timestamp_seconds{node="a",network="n"}': "4000x9 stale _x3 4000x20" },
    silent: {
      'avax_node_fork_timestamp_seconds{node="a",network="n"}': `4000x14 ${NEVER}`,
      'avax_node_fork_timestamp_seconds{node="b",network="n"}': "260000x40",
    },
    why: "the first was upgraded in time, and the other one has three days",
  },
  AvaxNodeLeftBehind: {
    at: "16m",
    // It is killed in minute 5: the last figure stays.
    fires: { 'avax_node_left_behind_blocks{node="a",network="n"}': "0 0 1+1x3 4x20" },
    silent: {
      'avax_node_left_behind_blocks{node="a",network="n"}': "0x40",
      'avax_node_left_behind_blocks{node="b",network="n"}': "0 9x5 0x40",
    },
    why: "the first is not behind because of an upgrade, and the other one follows the network again",
  },
  AvaxNetworkStakeNotUpgraded: {
    fires: { 'avax_network_upgrade_missing_stake_ratio{network="n"}': "0.2x80" },
    silent: { 'avax_network_upgrade_missing_stake_ratio{network="n"}': "0.03x80" },
    why: "nearly all stake has installed it",
  },
};
