import { NODE1, RENEWED, S1, S2, UNKNOWN } from "./matchers.ts";

/** Series that must be absent, by recording: unknown is absent, never 0. */
export const ABSENCES: Readonly<Record<string, Readonly<{ node?: readonly string[]; network?: readonly string[] }>>> = {
  "custom-bootstrapping": {
    node: [
      // Its C and X chains do not run yet, so they have no checks; its P check has an empty `consensus`.
      'avax_chain_height{chain=~"C|X|P"}',
      'avax_chain_connected_stake_ratio{chain=~"C|X"}',
      'avax_chain_processing_blocks{chain="P"}',
      "avax_chain_lag_blocks",
      'avax_chain_height{chain="P"}',
      // No message was sent or received; 1970 is not an upgrade time, and 0 % without peers is not a share.
      "avax_node_last_message_received_timestamp_seconds",
      "avax_node_last_message_sent_timestamp_seconds",
      "avax_node_upgrade_mode_timestamp_seconds",
      "avax_node_upgrade_mode_stake_ratio",
      "avax_node_uptime_rewarding_stake_ratio",
      "avax_validator_uptime_ratio",
      "avax_peer_last_received_timestamp_seconds",
      'avax_node_health_check_first_failure_timestamp_seconds{check="bls"}',
    ],
  },
  "custom-not-a-validator": {
    node: [
      "avax_node_uptime_rewarding_stake_ratio",
      "avax_node_uptime_weighted_average_ratio",
      "avax_node_ingress_connections",
      "avax_chain_lag_blocks",
    ],
  },
  "custom-upgrade-unknown": { node: ["avax_node_upgrade_local_timestamp_seconds"] },
  "custom-left-behind": {
    // The age of a check is unknown until it runs again.
    node: [
      "avax_node_upgrade_local_timestamp_seconds",
      `avax_validator_uptime_ratio{${RENEWED}}`,
      'avax_chain_lag_blocks{chain="X"}',
    ],
  },
  "custom-helicon-active": {
    node: [`avax_subnet_healthy{${UNKNOWN}}`, 'avax_chain_lag_blocks{chain="X"}'],
    network: [`avax_validator_next_period_seconds{${NODE1}}`],
  },
  "local-healthy-validator": {
    node: [
      `avax_subnet_healthy{${UNKNOWN}}`,
      `avax_validator_uptime_ratio{${S1}}`,
      `avax_validator_uptime_ratio{${S2}}`,
      "avax_node_upgrade_local_timestamp_seconds",
      "avax_node_peers_benched",
    ],
    // Members of an L1 have no end; Helicon is not scheduled; records of subnets have no uptime.
    network: [
      `avax_validator_stake_end_timestamp_seconds{${S2}}`,
      'avax_upgrade_activation_timestamp_seconds{upgrade="helicon"}',
      'avax_validators_by_uptime{subnet!="primary"}',
      `avax_validator_stake_avax{${S1}}`,
    ],
  },
  "local-plugin-failed": {
    node: ['avax_chain_height{chain=~"perm1|l1one"}', 'avax_chain_lag_blocks{chain="C"}'],
  },
  "local-fresh-network": {
    network: ['avax_upgrade_activation_timestamp_seconds{upgrade="helicon"}', "avax_l1_validator_active"],
  },
  "local-1.14.2-validator": {
    network: ["avax_acp_stake_avax", 'avax_upgrade_activation_timestamp_seconds{upgrade="helicon"}'],
  },
};
