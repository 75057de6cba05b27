import type { RecordingCase } from "./case.ts";

const NODE = 'job="avalanchego",node="a",network="n"';
/** The scrape job of somebody else, which names no node. */
const OTHER = 'job="other"';
const CHAIN = `{${NODE},chain="C"}`;

const QUERIES = {
  [`avalanche_snowman_polls_failed${CHAIN}`]: "0+60x20",
  [`avalanche_snowman_polls_successful${CHAIN}`]: "0+180x20",
  [`avalanche_stake_num_validators${CHAIN}`]: "8x20",
  [`avalanche_snowman_polls_failed{${OTHER},chain="C"}`]: "0+100x20",
  [`avalanche_snowman_polls_successful{${OTHER},chain="C"}`]: "0+100x20",
  [`avalanche_stake_num_validators{${OTHER},chain="C"}`]: "8x20",
};
const messages = (kind: string, cpu: string, disk: string) => ({
  [`avalanche_network_cpu_throttler_total_${kind}{${NODE}}`]: cpu,
  [`avalanche_network_disk_throttler_total_${kind}{${NODE}}`]: disk,
  [`avalanche_network_cpu_throttler_total_${kind}{${OTHER}}`]: "0+60x20",
  [`avalanche_network_disk_throttler_total_${kind}{${OTHER}}`]: "0+60x20",
});

export const RECORDING_CASES: Readonly<Record<string, RecordingCase>> = {
  "node:avax_queries:rate10m": { series: QUERIES, at: "15m", samples: { [CHAIN]: 4 } },
  "node:avax_queries_failed:ratio": { series: QUERIES, at: "15m", samples: { [CHAIN]: 0.25 } },
  "node:avax_queries_lost:percent": {
    series: QUERIES,
    at: "15m",
    samples: { '{node="a",network="n",chain="C"}': 12.5 },
  },
  "node:avax_throttled:rate15m": {
    series: messages("waits", "0+36x20", "0+24x20"),
    at: "16m",
    samples: { [`{${NODE}}`]: 1 },
  },
  "node:avax_unthrottled:rate15m": {
    series: messages("no_waits", "0+100x20", "0+80x20"),
    at: "16m",
    samples: { [`{${NODE}}`]: 3 },
  },
};
