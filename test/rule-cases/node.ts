import type { AlertCases } from "./case.ts";

export const NODE_CASES: AlertCases = {
  AvaxNodeUnhealthy: {
    at: "13m",
    fires: { 'avax_node_health_check_passing{node="a",network="n",check="diskspace"}': "1 0x20" },
    silent: {
      'avax_node_health_check_passing{node="a",network="n",check="router"}': "1x20",
      'avax_node_health_check_passing{node="a",network="n",check="l1one",subnet="S"}': "0x20",
    },
    why: "the chain of a subnet fails, which another alert reports",
  },
  AvaxNodeHealthFlapping: {
    at: "40m",
    fires: {
      'avax_node_health_check_recoveries_total{node="a",network="n",check="C",subnet="primary"}': "0x7 1x7 2x7 3x40",
    },
    silent: {
      'avax_node_health_check_recoveries_total{node="a",network="n",check="C",subnet="primary"}': "5x7 6x7 7x60",
    },
    why: "two falls",
  },
  AvaxNodeBlsKeyWrong: {
    // The exporter restarts in minute 3.
    at: "8m",
    fires: { 'avax_node_bls_key_wrong{node="a",network="n",subnet="S"}': "0 1 1 _ _ 1x9" },
    silent: { 'avax_node_bls_key_wrong{node="a",network="n",subnet="S"}': "1x2 0x9" },
    why: "it was started again with the right key",
  },
  AvaxNodeIdDuplicated: {
    at: "3m",
    fires: { 'avax_node_id_shared{node="a",network="n",others="b"}': "1x9" },
    silent: { 'avax_node_id_shared{node="a",network="n",others="b"}': "1 1 0x9" },
    why: "the old machine of a migration has stopped",
  },
  AvaxValidatorAddressChanging: {
    at: "6m",
    fires: { 'avax_validator_addresses_info{network="n",node_id="NodeID-A",addresses="1.1.1.1:1, 2.2.2.2:1"}': "1x9" },
    silent: {
      'avax_validator_addresses_info{network="n",node_id="NodeID-A",addresses="1.1.1.1:1, 2.2.2.2:1"}': "1x3 stale",
    },
    why: "the first address is forgotten",
  },
  AvaxHealthFrozen: {
    at: "10m",
    fires: { 'avax_node_health_last_run_timestamp_seconds{node="a"}': "60x20" },
    silent: { 'avax_node_health_last_run_timestamp_seconds{node="a"}': "0+60x20" },
    why: "the checks run every minute",
  },
  AvaxSubnetCheckFailing: {
    fires: { 'avax_node_health_check_passing{node="a",network="n",check="l1one",subnet="S"}': "0x20" },
    silent: {
      'avax_node_health_check_passing{node="a",network="n",check="l1one",subnet="S"}': "1x20",
      'avax_node_health_check_passing{node="a",network="n",check="router",subnet=""}': "0x20",
    },
    why: "the chain passes, and the router is a check of the whole node",
  },
  AvaxNodeClockWrong: {
    fires: { 'avax_node_clock_error_seconds{node="a"}': "7.2x20" },
    silent: { 'avax_node_clock_error_seconds{node="a"}': "0.2x20" },
    why: "it differs as the other nodes do: the exporter's clock is wrong",
  },
  AvaxExporterClockWrong: {
    fires: { 'avax_exporter_clock_error_seconds{instance="x"}': "9x20" },
    labels: { instance: "x" },
    silent: { 'avax_exporter_clock_error_seconds{instance="x"}': "0x20" },
    why: "half of the nodes are right",
  },
  AvaxNodeTimesImpossible: {
    fires: { 'avax_node_impossible_times{node="a",api_endpoint="health"}': "2x20" },
    silent: { 'avax_node_impossible_times{node="a",api_endpoint="health"}': "2x5 0x20" },
    why: "the node was restarted",
  },
  AvaxNodeBenchesStake: {
    fires: { 'avax_node_benching_stake_ratio{node="a",chain="C"}': "0.4x20" },
    silent: { 'avax_node_benching_stake_ratio{node="a",chain="C"}': "0.05x20" },
    why: "a few validators are always slow",
  },
  AvaxNodeBenched: {
    fires: { 'avax_node_benched_stake_ratio{node="a",chain="C"}': "0.3x20" },
    silent: { 'avax_node_benched_stake_ratio{node="a",chain="C"}': "0.1x20" },
    why: "10 % is not more than that",
  },
  AvaxNodeOutdated: {
    fires: { 'avax_node_newer_version_stake_ratio{node="a"}': "0.62x50" },
    silent: { 'avax_node_newer_version_stake_ratio{node="a"}': "0.45x50" },
    why: "most of the stake has not upgraded either",
  },
};
