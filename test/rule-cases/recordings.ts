import type { RecordingCase } from "./case.ts";

export const RECORDING_CASES: Readonly<Record<string, RecordingCase>> = {
  "node:avax_node_up:paged": {
    series: {
      'ALERTS{alertname="AvaxNodeCutOff",alertstate="firing",severity="critical",node="a",network="n"}': "1x9",
      'ALERTS{alertname="AvaxNodeCutOff",alertstate="firing",severity="critical",node="b",network="n"}': "1x9",
      'avax_node_up{node="a",network="n"}': "0x9",
      'avax_node_up{node="b",network="n"}': "1x9",
    },
    samples: { '{alertname="AvaxNodeCutOff",node="a",network="n"}': 1 },
  },
  "chain:avax_chain_head_timestamp_seconds:max": {
    series: {
      'avax_chain_head_timestamp_seconds{node="a",network="fuji",chain="C"}': "0x9",
      'avax_chain_head_timestamp_seconds{node="b",network="fuji",chain="C"}': "60x9",
    },
    samples: { '{network="fuji",chain="C"}': 60 },
  },
  "node:avax_native_failed_queries:ratio_increase10m": {
    series: {
      'avalanche_snowman_polls_failed{job="avalanchego",node="a",network="n",chain="C"}': "0+1x20",
      'avalanche_snowman_polls_successful{job="avalanchego",node="a",network="n",chain="C"}': "0+3x20",
      // The scrape job of somebody else, which names no node.
      'avalanche_snowman_polls_failed{job="other",chain="C"}': "0+100x20",
    },
    at: "15m",
    samples: { '{node="a",network="n",chain="C"}': 0.25 },
  },
  "node:avax_native_waits:increase15m": {
    series: {
      'avalanche_network_cpu_throttler_total_waits{job="avalanchego",node="a",network="n"}': "0+3x20",
      'avalanche_network_disk_throttler_total_waits{job="avalanchego",node="a",network="n"}': "0+2x20",
      'avalanche_network_throttler_outbound_acquire_failures{job="avalanchego",node="a",network="n"}': "0+1x20",
    },
    at: "16m",
    samples: { '{node="a",network="n"}': 90 },
  },
  "node:avax_native_passes:increase15m": {
    series: {
      'avalanche_network_cpu_throttler_total_no_waits{job="avalanchego",node="a",network="n"}': "0+3x20",
      'avalanche_network_disk_throttler_total_no_waits{job="avalanchego",node="a",network="n"}': "0+2x20",
      'avalanche_network_throttler_outbound_acquire_successes{job="avalanchego",node="a",network="n"}': "0+1x20",
    },
    at: "16m",
    samples: { '{node="a",network="n"}': 90 },
  },
  "chain:avax_chain_usual_pause_seconds:max": {
    series: {
      'avax_chain_usual_pause_seconds{network="fuji",chain="C",subnet="primary"}': "9x5",
      'avax_chain_usual_pause_seconds{network="fuji",chain="l1",subnet="S",instance="0"}': "70x5",
      'avax_chain_usual_pause_seconds{network="fuji",chain="l1",subnet="S",instance="1"}': "80x5",
    },
    samples: { '{network="fuji",chain="l1",subnet="S"}': 80 },
  },
  "node:avax_node_upgrade_mismatch_seconds:unready": {
    series: {
      'avax_node_upgrade_ready{node="a",network="n"}': "0x5",
      'avax_node_upgrade_mismatch_timestamp_seconds{node="a",network="n"}': "4000x5",
      'avax_node_upgrade_ready{node="b",network="n"}': "1x5",
      'avax_node_upgrade_mismatch_timestamp_seconds{node="b",network="n"}': "4000x5",
    },
    samples: { '{node="a",network="n"}': 3820 },
  },
};
