import type { RecordingCase } from "./case.ts";

export const RECORDING_CASES: Readonly<Record<string, RecordingCase>> = {
  "node:avax_queries_lost:percent": {
    series: {
      'avalanche_snowman_polls_failed{job="avalanchego",node="a",network="n",chain="C"}': "0+60x20",
      'avalanche_snowman_polls_successful{job="avalanchego",node="a",network="n",chain="C"}': "0+180x20",
      'avalanche_stake_num_validators{job="avalanchego",node="a",network="n",chain="C"}': "8x20",
      // The scrape job of somebody else, which names no node.
      'avalanche_snowman_polls_failed{job="other",chain="C"}': "0+100x20",
      'avalanche_snowman_polls_successful{job="other",chain="C"}': "0+100x20",
      'avalanche_stake_num_validators{job="other",chain="C"}': "8x20",
    },
    at: "15m",
    samples: { '{node="a",network="n",chain="C"}': 12.5 },
  },
  "node:avax_waits:percent": {
    series: {
      'avalanche_network_cpu_throttler_total_waits{job="avalanchego",node="a",network="n"}': "0+36x20",
      'avalanche_network_disk_throttler_total_waits{job="avalanchego",node="a",network="n"}': "0+24x20",
      'avalanche_network_cpu_throttler_total_no_waits{job="avalanchego",node="a",network="n"}': "0+100x20",
      'avalanche_network_disk_throttler_total_no_waits{job="avalanchego",node="a",network="n"}': "0+80x20",
    },
    at: "16m",
    samples: { '{node="a",network="n"}': 25 },
  },
};
