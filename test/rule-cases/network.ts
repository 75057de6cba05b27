import type { AlertCases } from "./case.ts";

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
  AvaxNetworkWithoutReferenceNode: {
    fires: { 'avax_network_without_reference_node{network="n"}': "1x20" },
    silent: { 'avax_network_without_reference_node{network="n"}': "1x5 0x20" },
    why: "another node took over",
  },
  AvaxNodeUpgradeDue: {
    fires: {
      'avax_node_upgrade_ready{node="a"}': "0x40",
      'avax_node_upgrade_mismatch_timestamp_seconds{node="a"}': "260000x40",
    },
    silent: {
      'avax_node_upgrade_ready{node="a"}': "0x40",
      'avax_node_upgrade_mismatch_timestamp_seconds{node="a"}': "2600000x40",
    },
    why: "a month is left",
  },
  AvaxNodeUpgradeNotReady: {
    at: "19m",
    // It is killed in minute 11, and has not answered since.
    fires: {
      'avax_node_upgrade_ready{node="a"}': "0x9 stale",
      'avax_node_upgrade_mismatch_timestamp_seconds{node="a"}': "4000x9 stale",
      'avax_node_up{node="a"}': "1x9 0x40",
    },
    silent: {
      'avax_node_upgrade_ready{node="a"}': "0x5 1x40",
      'avax_node_upgrade_mismatch_timestamp_seconds{node="a"}': "4000x5 _x40",
    },
    why: "it was upgraded in time",
  },
  AvaxNodeLeftBehind: {
    at: "21m",
    // It is killed in minute 12, and has not answered since.
    fires: {
      'avax_node_upgrade_ready{node="a"}': "0x10 stale",
      'avax_node_upgrade_mismatch_timestamp_seconds{node="a"}': "60x10 stale",
      'avax_chain_lag_blocks{node="a",chain="C"}': "0 0 1+1x8 stale",
      'avax_chain_lag_blocks{node="a",chain="P"}': "0 0 0 2x7 stale",
      'avax_node_up{node="a"}': "1x10 0x40",
    },
    silent: { 'avax_node_upgrade_ready{node="a"}': "1x40", 'avax_chain_lag_blocks{node="a",chain="C"}': "3x40" },
    why: "it is behind, and not because of an upgrade",
  },
  AvaxNetworkStakeNotUpgraded: {
    fires: {
      'avax_network_upgrade_ready_stake_ratio{network="n"}': "0.7x80",
      'avax_network_upgrade_stake_ratio{network="n",upgrade_time="unknown"}': "0.1x80",
      'avax_network_upgrade_timestamp_seconds{network="n"}': "0x80",
    },
    silent: {
      'avax_network_upgrade_ready_stake_ratio{network="n"}': "0.97x80",
      'avax_network_upgrade_timestamp_seconds{network="n"}': "0x80",
    },
    why: "nearly all stake has installed it",
  },
};
