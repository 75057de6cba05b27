import type { AlertCases } from "./case.ts";

const CONNECTED = 'avax_subnet_connected_weight_ratio{network="n",subnet="S"}';
const DISK_SHARE = 'avax_node_disk_available_ratio{node="a",network="n"}';
const DISK_BYTES = 'avax_node_disk_available_bytes{node="a",network="n"}';
const TOLERANCE = (of: string) => `avax_node_${of}_tolerance_seconds{node="a",network="n",node_id="NodeID-a"}`;

const OUTAGE = (kind: string) => `avax_node_outage{node="a",network="n",node_id="NodeID-a",outage="${kind}"}`;

export const ALERTS_CASES: AlertCases = {
  // From minute 6 to 8 the exporter is away.
  AvaxNodeDown: {
    at: "15m",
    fires: { [OUTAGE("unseen")]: "0x2 1 1 1 stale _x2 1x20" },
    silent: {
      [OUTAGE("unseen")]: "0x2 1x8 0x20",
      // Taken out of the configuration three minutes after it was stopped.
      'avax_node_outage{node="e",network="n",node_id="NodeID-e",outage="unseen"}': "0x2 1x2 stale",
      [OUTAGE("seen")]: "0x2 1x30",
      [OUTAGE("not_validating")]: "0x2 1x30",
    },
    why: "one answered again within ten minutes, one was taken out of the configuration, and others are seen or do not validate",
  },

  AvaxNodeDownBudgetLow: {
    at: "8m",
    fires: { [TOLERANCE("outage")]: "+Inf +Inf +Inf 20000x20" },
    silent: { [TOLERANCE("outage")]: "+Inf +Inf +Inf 20000 20000 +Inf +Inf +Inf +Inf" },
    why: "it answers again",
  },
  AvaxValidatorApiDown: {
    fires: { [OUTAGE("seen")]: "0x2 1x20" },
    at: "15m",
    silent: { [OUTAGE("unseen")]: "0x2 1x20", [OUTAGE("seen")]: "0x30" },
    why: "no node is connected to it: AvaxNodeDown fires",
  },

  AvaxNodeCrashLoop: {
    fires: { 'avax_node_crash_loop_outages{node="a",network="n",node_id="NodeID-a"}': "0 1 2 3x20" },
    at: "5m",
    silent: { 'avax_node_crash_loop_outages{node="a",network="n",node_id="NodeID-a"}': "0 1 2x9 0x9" },
    why: "it went down twice",
  },

  AvaxNodeCrashLoopBudgetLow: {
    at: "15m",
    fires: { [TOLERANCE("crash_loop")]: "+Inf +Inf 200000x20" },
    silent: { [TOLERANCE("crash_loop")]: "300000x20" },
    why: "at its pace the downtime budget lasts for more than three days",
  },
  AvaxApiNodeDown: {
    fires: { [OUTAGE("not_validating")]: "0x2 1x20" },
    at: "15m",
    silent: { [OUTAGE("unseen")]: "0x2 1x20", [OUTAGE("not_validating")]: "0x30" },
    why: "it is a validator: AvaxNodeDown fires",
  },

  AvaxNodeRestarting: {
    at: "5m",
    fires: { 'avax_node_restarting{node="a",network="n",node_id="NodeID-a"}': "0 1x20" },
    silent: { 'avax_node_restarting{node="a",network="n",node_id="NodeID-a"}': "1x1 0x20" },
    why: "the restart was more than ten minutes ago",
  },

  AvaxNodeApiSlow: {
    at: "13m",
    fires: {
      'avax_poll_duration_seconds_sum{node="a",network="n"}': "0+32x40",
      'avax_poll_duration_seconds_count{node="a",network="n"}': "0+4x40",
    },
    silent: {
      'avax_poll_duration_seconds_sum{node="a",network="n"}': "0+10x40",
      'avax_poll_duration_seconds_count{node="a",network="n"}': "0+5x40",
    },
    why: "the mean of all endpoints is two seconds",
  },
  AvaxNodeTakenOver: {
    fires: { 'avax_node_taken_over_info{node="a",network="n",by="b"}': "1x20" },
    silent: { 'avax_node_taken_over_info{node="a",network="n",by="b"}': "1x1 stale" },
    why: "the node answers again",
  },
  AvaxNodeAddressIpv6: {
    fires: { 'avax_node_ip_info{node="a",network="n",ip="[2a01:4f8::7]:9651"}': "1x20" },
    silent: {
      'avax_node_ip_info{node="a",network="n",ip="8.8.8.8:9651"}': "1x20",
      'avax_node_ip_info{node="b",network="n",ip="[::ffff:8.8.8.8]:9651"}': "1x20",
      'avax_node_ip_info{node="c",network="n",ip="[fd12::1]:9651"}': "1x20",
    },
    why: "an IPv4 address is advertised, or one of the machine's own network",
  },
  AvaxNodeAddressPrivate: {
    fires: { 'avax_node_private_ip_info{node="a",network="fuji",ip="172.20.0.1:9651"}': "1x20" },
    silent: { 'avax_node_private_ip_info{node="a",network="fuji",ip="172.20.0.1:9651"}': "1x5 stale" },
    why: "it advertises a public address since",
  },
  AvaxNodeAddressChanged: {
    at: "15m",
    fires: { 'avax_node_ip_changes_total{node="a",network="n"}': "0x9 1x9" },
    silent: { 'avax_node_ip_changes_total{node="a",network="n"}': "3x20" },
    why: "it changed before",
  },
  AvaxL1WeightChanged: {
    at: "15m",
    fires: { 'avax_l1_own_weight{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}': "100x9 60x9" },
    silent: { 'avax_l1_own_weight{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}': "60x20" },
    why: "it did not change",
  },
  AvaxExporterCannotPoll: {
    fires: { 'avax_nodes_all_down{shard="1"}': "1x10" },
    silent: {
      "avax_nodes_all_down{}": "1x10",
      'avax_nodes_all_down{instance="other:9750"}': "0x10",
      'avax_nodes_all_down{shard="2"}': "1x3 0x10",
    },
    why: "another exporter reaches the nodes, and a shard reached its nodes again after three minutes",
  },
  AvaxExporterBlind: {
    fires: { "avax_nodes_all_down{}": "1x20" },
    silent: { "avax_nodes_all_down{}": "1x9 0x20" },
    why: "it reached them again within ten minutes",
  },

  AvaxNodeReplaced: {
    at: "10m",
    fires: { 'avax_node_replaced{node="a",network="n"}': "0 1x20" },
    silent: { 'avax_node_replaced{node="a",network="n"}': "1 0x20" },
    why: "the configured node answers again",
  },

  AvaxNodeCutOff: {
    at: "14m",
    // It dies in minute 9: the last figure stays.
    fires: { 'avax_node_reachable_stake_ratio{node="a",network="n",node_id="NodeID-a"}': "1x2 0.2x20" },
    silent: {
      'avax_node_reachable_stake_ratio{node="a",network="n",node_id="NodeID-a"}': "1x2 0.6x20",
      'avax_node_reachable_stake_ratio{node="b",network="n",node_id="NodeID-b"}': "1x2 0.2x4 0.9x20",
    },
    why: "one reaches more than half of the stake, the other does again before five minutes",
  },

  // The exporter restarts in minute 6.
  AvaxValidatorDisconnected: {
    fires: {
      'avax_validator_disconnected_observers{network="n",subnet="primary",node_id="NodeID-X"}': "2x5 stale 2x20",
    },
    silent: { 'avax_validator_disconnected_observers{network="n",subnet="primary",node_id="NodeID-X"}': "2x9 0x20" },
    why: "one is connected to it again",
  },
  AvaxValidatorUnseenByOne: {
    fires: {
      'avax_validator_disconnected_by_one{network="n",subnet="primary",node_id="NodeID-X",observer="a"}': "1x20",
    },
    silent: {
      'avax_validator_disconnected_by_one{network="n",subnet="primary",node_id="NodeID-X",observer="a"}': "1x9 stale",
    },
    why: "another node reports on it",
  },
  AvaxNodeFewPeers: {
    fires: { 'avax_node_peers_expected_ratio{node="a",network="n"}': "0.49x20" },
    silent: { 'avax_node_peers_expected_ratio{node="a",network="n"}': "0.5x20" },
    why: "it has half of what the others have",
  },
  AvaxNodeLagging: {
    at: "24m",
    // The exporter restarts in minute 17.
    fires: { 'avax_node_behind_seconds{node="a",network="n"}': "0+60x16 _x4 1260+60x10" },
    silent: {
      'avax_node_behind_seconds{node="a",network="n"}': "0+60x19 0x12",
      'avax_node_behind_seconds{node="b",network="n"}': "600x40",
    },
    why: "one has just caught up, and one is behind for ten minutes and no longer",
  },
  AvaxNodeHeightUnconfirmed: {
    fires: { 'avax_chain_unconfirmed_blocks{node="a",network="n",chain="P"}': "1000000x10" },
    silent: { 'avax_chain_unconfirmed_blocks{node="a",network="n",chain="P"}': "1000000x2 stale" },
    why: "another node confirmed it",
  },
  // The exporter restarts in minute 3. When it is over the series keeps its labels for ten minutes.
  AvaxSubnetQuorumLost: {
    at: "11m",
    fires: {
      'avax_subnet_quorum_lost{network="n",subnet="S",down=""}': "0x2 stale",
      'avax_subnet_quorum_lost{network="n",subnet="S",down="a, b"}': "_ 1 stale 1x20",
    },
    labels: { network: "n", subnet: "S", down: "a, b" },
    silent: { 'avax_subnet_quorum_lost{network="n",subnet="S",down="a, b"}': "1x4 0x20" },
    why: "it is over",
  },
  AvaxSubnetQuorumAtRisk: {
    fires: { 'avax_subnet_quorum_at_risk{network="n",subnet="S"}': "1x40" },
    silent: { 'avax_subnet_quorum_at_risk{network="n",subnet="S"}': "0x40" },
    why: "all validators are connected, or there is a reserve",
  },
  AvaxSubnetSignaturesAtRisk: {
    fires: { [CONNECTED]: "0.66x30" },
    silent: { [CONNECTED]: "0.67x30" },
    why: "67 % is connected",
  },
  AvaxNodeDiskFull: {
    at: "7m",
    // The exporter is restarted for five minutes.
    fires: { [DISK_SHARE]: "0.04x2 _x5" },
    silent: { [DISK_SHARE]: "0.04x2 0.05x20" },
    why: "5 % is free again",
  },
  AvaxNodeDiskLow: {
    fires: { [DISK_SHARE]: "0.14x50" },
    silent: { [DISK_SHARE]: "0.28x50", [DISK_BYTES]: "280000000000x50" },
    why: "28 % is free",
  },
  AvaxNodeDiskFilling: {
    at: "362m",
    fires: { [DISK_BYTES]: "300000000000-100000000x500" },
    silent: { [DISK_SHARE]: "0.5x500", [DISK_BYTES]: "300000000000-100000000x500" },
    why: "half of the disk is free, while the first server reports no share",
  },
};
