import { CHAIN_METRIC_NAMES, type ChainMetric } from "../../../src/api/hosted/chain-metric.ts";
import { SUBJECTS } from "../../support/hosted-client.ts";
import { TODAY, type Case } from "./case.ts";

/** Family of each metric, and the unit of its value: coins and gas prices come in wei. */
const FAMILIES: Readonly<Record<ChainMetric, readonly [family: string, unit: number]>> = {
  activeAddresses: ["avax_hosted_chain_active_addresses", 1],
  activeSenders: ["avax_hosted_chain_active_senders", 1],
  cumulativeTxCount: ["avax_hosted_chain_cumulative_transactions", 1],
  cumulativeAddresses: ["avax_hosted_chain_cumulative_addresses", 1],
  cumulativeContracts: ["avax_hosted_chain_cumulative_contracts", 1],
  cumulativeDeployers: ["avax_hosted_chain_cumulative_deployers", 1],
  contracts: ["avax_hosted_chain_new_contracts", 1],
  deployers: ["avax_hosted_chain_deployers", 1],
  gasUsed: ["avax_hosted_chain_gas_used", 1],
  txCount: ["avax_hosted_chain_transactions", 1],
  avgGps: ["avax_hosted_chain_average_gas_rate", 1],
  maxGps: ["avax_hosted_chain_max_gas_rate", 1],
  avgTps: ["avax_hosted_chain_average_transaction_rate", 1],
  maxTps: ["avax_hosted_chain_max_transaction_rate", 1],
  avgGasPrice: ["avax_hosted_chain_average_gas_price_gwei", 1e9],
  maxGasPrice: ["avax_hosted_chain_max_gas_price_gwei", 1e9],
  feesPaid: ["avax_hosted_chain_fees_coins", 1e18],
};

const DAY = 86_400;

/** Every metric of every facts has figures of its own, so that a mix-up is found. */
function series(metric: ChainMetric, index: number, facts: string, nth: number): Case {
  const [family, unit] = FAMILIES[metric];
  const complete = 100 * (index + 1) + nth;
  const current = complete + 0.25;
  const labels = `evm_chain_id="${facts}",interval="day"`;
  const time = `avax_hosted_chain_metric_timestamp_seconds{metric="${metric}",${labels}`;
  const points = [
    { value: current * unit, timestamp: TODAY },
    { value: complete * unit, timestamp: TODAY - DAY },
    { value: 7 * unit, timestamp: TODAY - 2 * DAY },
  ];
  return {
    method: `GET /v2/chains/{chainId}/metrics/${metric}`,
    path: `/v2/chains/${facts}/metrics/${metric}`,
    // The specification defines no order, and a page may end early.
    spec: (token) =>
      token === undefined
        ? { nextPageToken: "3d22deea-ea64-4d30-8a1e-c2a353b67e90", results: points.slice(1).toReversed() }
        : { results: points.slice(0, 1) },
    // Only `results`, newest first.
    real: { results: points },
    both: {
      [`${family}{${labels},window="complete"}`]: complete,
      [`${family}{${labels},window="current"}`]: current,
      [`${time},window="complete"}`]: TODAY - DAY,
      [`${time},window="current"}`]: TODAY,
    },
  };
}

/** Numbers as text, null where nothing follows, and a value beyond 2^53 with a fraction lost. */
const odd = {
  nextPageToken: null,
  results: [
    { value: 1.2345678901234567e21, timestamp: TODAY - DAY },
    { value: "53934", timestamp: String(TODAY) },
  ],
};

export const SERIES_CASES: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(
    CHAIN_METRIC_NAMES.flatMap((metric, index) =>
      SUBJECTS.map((facts, nth) => [`${metric} of ${facts}`, series(metric, index, facts, nth)] as const),
    ),
  ),
  // Large and odd numbers in place of the figures above: a path has one body.
  "gasUsed of 43114": {
    method: "GET /v2/chains/{chainId}/metrics/gasUsed",
    path: "/v2/chains/43114/metrics/gasUsed",
    spec: odd,
    real: { results: [odd.results[0], { value: 53934, timestamp: TODAY }] },
    both: {
      'avax_hosted_chain_gas_used{evm_chain_id="43114",interval="day",window="complete"}': 1.2345678901234567e21,
      'avax_hosted_chain_gas_used{evm_chain_id="43114",interval="day",window="current"}': 53934,
    },
  },
  "the older series": {
    method: "GET /v1/avg_tps/{chainId}",
    path: "/v1/avg_tps/43114",
    spec: {
      results: [
        { timestamp: TODAY, value: 1.98 },
        { timestamp: TODAY - DAY, value: 2.17 },
      ],
      status: 200,
      lastRun: TODAY + 3600,
      nextPageToken: "3d22deea-ea64-4d30-8a1e-c2a353b67e90",
    },
    // The first page is empty although a token follows.
    real: (token) =>
      token === undefined
        ? { results: [], status: 200, lastRun: TODAY + 3600, nextPageToken: "3d22deea-ea64-4d30-8a1e-c2a353b67e91" }
        : {
            results: [
              { timestamp: TODAY, value: 1.98 },
              { timestamp: TODAY - DAY, value: 2.17 },
              { timestamp: TODAY - 2 * DAY, value: 2.3 },
            ],
            status: 200,
            lastRun: TODAY + 3600,
          },
    both: {
      'avax_hosted_chain_legacy_average_transaction_rate{evm_chain_id="43114",window="complete"}': 2.17,
      'avax_hosted_chain_legacy_average_transaction_rate{evm_chain_id="43114",window="current"}': 1.98,
      'avax_hosted_chain_legacy_timestamp_seconds{evm_chain_id="43114",window="complete"}': TODAY - DAY,
      'avax_hosted_chain_legacy_timestamp_seconds{evm_chain_id="43114",window="current"}': TODAY,
      'avax_hosted_chain_legacy_last_run_timestamp_seconds{evm_chain_id="43114"}': TODAY + 3600,
    },
  },
};
