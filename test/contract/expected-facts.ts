import { LEFT_BEHIND, NOBODY, NODE1, NODE6, RENEWED, RENEWED_HEAD, S1, S2, UNKNOWN } from "./matchers.ts";

/** Facts of one recording, by selector: those of the node, and those of its network while it is the reference node. */
export type Facts = {
  readonly node?: Readonly<Record<string, number>>;
  readonly network?: Readonly<Record<string, number>>;
};

/** 2026-11-21T11:00:27Z. */
const HELICON = 1795258827;

/** Figures read from the recordings by eye: each metric once or twice, where it has a value of its own. */
export const FACTS: Readonly<Record<string, Facts>> = {
  "custom-helicon-active": {
    node: {
      avax_node_up: 1,
      avax_node_healthy: 1,
      avax_node_ready: 1,
      avax_node_live: 1,
      'avax_chain_height{chain="P"}': 2,
      'avax_chain_height{chain="C"}': 7,
      'avax_chain_lag_blocks{chain="P"}': 0,
      'avax_chain_lag_blocks{chain="C"}': 1,
      avax_node_peers: 6,
      avax_node_uptime_rewarding_stake_ratio: 1,
      avax_node_upgrade_local_timestamp_seconds: HELICON,
      [`avax_subnet_health_known{${UNKNOWN}}`]: 0,
      [`avax_validator_uptime_ratio{subnet="primary",${LEFT_BEHIND}}`]: 0.997553,
    },
    network: {
      'avax_validators{subnet="primary"}': 7,
      'avax_validators_stake_avax{staker="validator"}': 10_004_600,
      'avax_upgrade_activation_timestamp_seconds{upgrade="helicon"}': HELICON,
      'avax_chain_highest_height{chain="P"}': 2,
      avax_supply_avax: 361_196_335.197504539,
      'avax_chain_highest_height{chain="C"}': 8,
      [`avax_validator_next_period_seconds{${RENEWED}}`]: 90_000,
      [`avax_validator_auto_compound_ratio{${RENEWED}}`]: 0.25,
      [`avax_validator_stake_end_timestamp_seconds{${RENEWED}}`]: 1795348852,
      [`avax_validator_stake_avax{${RENEWED}}`]: 2_100,
      [`avax_validator_in_set{${NODE1}}`]: 1,
      [`avax_validator_in_set{${NOBODY}}`]: 0,
    },
  },
  "custom-left-behind": {
    node: {
      'avax_chain_connected_stake_ratio{chain="P"}': 1,
      avax_node_uptime_weighted_average_ratio: 0.992,
      avax_node_upgrade_mode_timestamp_seconds: HELICON,
    },
  },
  "custom-auto-renewed-validator": {
    node: {
      'avax_chain_processing_blocks{chain="C"}': 1,
      'avax_chain_longest_processing_block_seconds{chain="C"}': 0.153311496,
      avax_node_uptime_rewarding_stake_ratio: 0.799842,
      avax_node_uptime_weighted_average_ratio: 0.799845,
      avax_node_peers_without_observation: 1,
      'avax_node_peers_by_observed_uptime{range="0-0.5"}': 2,
      'avax_node_peers_by_observed_uptime{range="0.99-1"}': 4,
      avax_node_outstanding_requests: 1,
      avax_node_longest_running_request_seconds: 0.00766557,
    },
  },
  "custom-not-a-validator": {
    node: {
      avax_node_is_validator: 0,
      'avax_node_bls_state{state="not_a_validator"}': 1,
      avax_node_peers: 7,
      avax_node_peers_without_observation: 7,
      [`avax_validator_uptime_ratio{${RENEWED}}`]: 1,
    },
    network: {
      'avax_validators_connected{subnet="primary"}': 7,
      'avax_validators_stake_by_version_avax{version="avalanchego/1.15.0"}': 10_004_600,
    },
  },
  "custom-stake-lost": {
    node: {
      avax_node_up: 1,
      avax_node_healthy: 0,
      avax_node_ready: 1,
      'avax_node_health_check_passing{check="P"}': 0,
      'avax_node_health_check_passing{check="database"}': 1,
      'avax_node_health_check_contiguous_failures{check="C"}': 20,
      'avax_chain_connected_stake_ratio{chain="P"}': 0.6001839153989165,
      'avax_chain_disconnected_validators{chain="P"}': 2,
      [`avax_validator_connected{subnet="primary",${NODE1}}`]: 1,
    },
    network: {
      'avax_validators_connected{subnet="primary"}': 5,
      'avax_validators_stake_by_version_avax{version="not connected"}': 4_000_000,
    },
  },
  "custom-bootstrapping": {
    node: {
      avax_node_ready: 0,
      avax_node_live: 1,
      'avax_endpoint_up{api_endpoint="platform.getHeight"}': 0,
      'avax_endpoint_up{api_endpoint="health"}': 1,
      'avax_chain_bootstrapped{chain="P"}': 0,
      'avax_chain_disconnected_validators{chain="P"}': 5,
      'avax_node_health_check_contiguous_failures{check="network"}': 21,
      'avax_node_health_check_first_failure_timestamp_seconds{check="P"}': 1795259234.837604,
      avax_node_bootstrapping_subnets: 1,
      avax_node_disk_available_bytes: 77_402_726_400,
    },
  },
  "custom-upgrade-ahead": { network: { [`avax_validator_stake_end_timestamp_seconds{${NODE1}}`]: 1826790507 } },
  "local-fresh-network": {
    network: {
      'avax_validators{subnet="primary"}': 5,
      'avax_validators_stake_avax{staker="validator"}': 10_000_000,
      [`avax_validator_stake_start_timestamp_seconds{${NODE1}}`]: 1791000000,
    },
  },
  "local-plugin-failed": {
    node: {
      'avax_chain_bootstrapped{chain="C"}': 1,
      [`avax_subnet_healthy{${S1}}`]: 0,
      [`avax_subnet_bootstrapping{${S2}}`]: 1,
      [`avax_chain_state{chain="perm1",${S1},state="Created"}`]: 1,
      avax_node_bootstrapping_subnets: 2,
    },
    network: { [`avax_l1_validator_balance_avax{${S2},${NODE6}}`]: 0.00000156, [`avax_subnet_weight{${S2}}`]: 360 },
  },
  "local-healthy-validator": {
    node: {
      'avax_chain_average_acceptance_duration_seconds{chain="C"}': 0.621538831,
      avax_node_health_last_run_timestamp_seconds: 1795259205.809208,
      avax_node_last_message_received_timestamp_seconds: 1795259205.000002,
      avax_node_disk_available_ratio: 0.28,
      [`avax_node_peers_tracking_subnet{${S1}}`]: 6,
    },
    network: {
      'avax_validators_by_uptime{subnet="primary",range="0.5-0.8"}': 1,
      [`avax_validator_stake_avax{${NODE6}}`]: 2_000,
      [`avax_validator_delegated_stake_avax{${NODE6}}`]: 625,
      [`avax_validator_delegators{${NODE6}}`]: 3,
      [`avax_validator_delegation_fee_ratio{${NODE6}}`]: 0.02,
      [`avax_validator_potential_reward_avax{${NODE6}}`]: 1.089817626,
      [`avax_validator_subnet_weight{${S1},${NODE1}}`]: 20,
      [`avax_l1_validator_balance_avax{${S2},${NODE6}}`]: 0.000001043,
      [`avax_l1_validator_active{${S2},node_id="NodeID-3gw7tFdd2bTitBYanhRAc72CT4pgjvHn6"}`]: 0,
      [`avax_l1_validator_balance_avax{${S2},node_id="NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu"}`]: 4.999999483,
      [`avax_l1_validator_weight{${S2},${LEFT_BEHIND}}`]: 200,
      'avax_acp_stake_avax{acp="194",stance="support"}': 8_006_125,
      'avax_acp_stake_avax{acp="194",stance="abstain"}': 2_000_077,
    },
  },
  "local-l1-drained": {
    network: {
      [`avax_l1_validator_active{${NODE6}}`]: 0,
      [`avax_l1_validator_active{${LEFT_BEHIND}}`]: 1,
      [`avax_subnet_weight{${S2}}`]: 360,
    },
  },
  "local-no-inbound": { node: { avax_node_ingress_connections: 0 } },
  "local-1.14.2-validator": {
    node: { 'avax_node_peers_by_version{version="avalanchego/1.14.2"}': 4 },
    network: { 'avax_validators_stake_by_version_avax{version="avalanchego/1.14.2"}': 10_000_000 },
  },
  "head-just-transitioned": {
    node: {
      avax_node_healthy: 1,
      'avax_chain_height{chain="P"}': 9,
      'avax_chain_height{chain="C"}': 332,
      'avax_chain_height{chain="l1one-head"}': 69,
    },
    network: {
      'avax_upgrade_activation_timestamp_seconds{upgrade="helicon"}': 1795725679,
      'avax_validators_stake_avax{staker="delegator"}': 800,
    },
  },
  "head-helicon-restarted-validator": {
    node: { 'avax_chain_height{chain="C"}': 471, avax_node_upgrade_local_timestamp_seconds: 1607144400 },
  },
  "head-l1-validator": {
    node: { 'avax_chain_height{chain="C"}': 472, 'avax_chain_lag_blocks{chain="C"}': 0 },
    network: { 'avax_chain_highest_height{chain="C"}': 472, 'avax_chain_highest_height{chain="P"}': 16 },
  },
  "head-left-behind": {
    node: {
      avax_node_healthy: 1,
      'avax_chain_height{chain="C"}': 318,
      'avax_chain_lag_blocks{chain="C"}': 154,
      'avax_chain_lag_blocks{chain="P"}': 7,
      // It announces Granite, as every node of this line does.
      avax_node_upgrade_local_timestamp_seconds: 1607144400,
      avax_node_upgrade_mode_timestamp_seconds: 1607144400,
    },
  },
  "head-auto-renewed-second-cycle": {
    node: { avax_node_peers_without_observation: 1, avax_node_uptime_rewarding_stake_ratio: 0.999714 },
    network: {
      [`avax_validator_stake_avax{${RENEWED_HEAD}}`]: 500_000.165383233,
      [`avax_validator_stake_start_timestamp_seconds{${RENEWED_HEAD}}`]: 1795726289,
      [`avax_validator_next_period_seconds{${RENEWED_HEAD}}`]: 420,
      [`avax_validator_potential_reward_avax{${RENEWED_HEAD}}`]: 0.661489845,
    },
  },
  "head115-upgrade-ahead": {
    node: { avax_node_upgrade_local_timestamp_seconds: 1795728268, avax_node_upgrade_mode_stake_ratio: 0.6 },
  },
  "head115-upgrade-unknown": {
    node: {
      avax_node_healthy: 0,
      'avax_node_health_check_passing{check="futureupgrade"}': 0,
      avax_node_upgrade_local_timestamp_seconds: 1607144400,
      avax_node_upgrade_mode_stake_ratio: 0.8,
    },
  },
  "head115-at-transition": { node: { 'avax_chain_height{chain="C"}': 281, avax_node_peers: 4 } },
  "head115-left-behind": {
    node: { avax_node_healthy: 0, avax_node_peers: 0, 'avax_chain_connected_stake_ratio{chain="C"}': 0.2 },
    network: { 'avax_validators_stake_by_version_avax{version="not connected"}': 8_000_000 },
  },
  "local-1.14.2-just-restarted": { node: { avax_node_disk_available_ratio: 0.27 } },
};
