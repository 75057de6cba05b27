import type { RecordingCase } from "./case.ts";

export const RECORDING_CASES: Readonly<Record<string, RecordingCase>> = {
  "node:avax_queries:rate10m": {
    series: {
      'avalanche_snowman_polls_failed{job="avalanchego",node="a",network="n",chain="C"}': "0+60x20",
      'avalanche_snowman_polls_successful{job="avalanchego",node="a",network="n",chain="C"}': "0+120x20",
      // The scrape job of somebody else, which names no node.
      'avalanche_snowman_polls_failed{job="other",chain="C"}': "0+100x20",
    },
    at: "15m",
    samples: { '{node="a",network="n",chain="C"}': 3 },
  },
  "node:avax_queries_failed:rate10m": {
    series: {
      'avalanche_snowman_polls_failed{job="avalanchego",node="a",network="n",chain="C"}': "0+60x20",
      // The scrape job of somebody else, which names no node.
      'avalanche_snowman_polls_failed{job="other",chain="C"}': "0+100x20",
    },
    at: "15m",
    samples: { '{node="a",network="n",chain="C"}': 1 },
  },
  "node:avax_validator:ratio": {
    series: { 'avalanche_stake_num_validators{job="avalanchego",node="a",network="n",chain="C"}': "8x20" },
    at: "15m",
    samples: { '{node="a",network="n",chain="C"}': 0.125 },
  },
  "node:avax_waits:rate15m": {
    series: {
      'avalanche_network_cpu_throttler_total_waits{job="avalanchego",node="a",network="n"}': "0+36x20",
      'avalanche_network_disk_throttler_total_waits{job="avalanchego",node="a",network="n"}': "0+24x20",
    },
    at: "16m",
    samples: { '{node="a",network="n"}': 1 },
  },
  "node:avax_passes:rate15m": {
    series: {
      'avalanche_network_cpu_throttler_total_no_waits{job="avalanchego",node="a",network="n"}': "0+36x20",
      'avalanche_network_disk_throttler_total_no_waits{job="avalanchego",node="a",network="n"}': "0+24x20",
    },
    at: "16m",
    samples: { '{node="a",network="n"}': 1 },
  },
};
