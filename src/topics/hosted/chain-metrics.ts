import {
  CHAIN_METRIC_ENDPOINTS,
  CHAIN_METRIC_NAMES,
  chainMetric,
  LegacyAvgTps,
  MetricsLegacyAvgTps,
  type ChainMetric,
  type LegacySeries,
} from "../../api/hosted/chain-metric.ts";
import type { SeriesEnd } from "../../api/hosted/series-end.ts";
import { gauges, perRow, type Moment, type Rows } from "../define/metric.ts";
import { optional } from "../define/needs.ts";
import { hostedTopic } from "../define/topic.ts";
import { rowsOf } from "./hosted-rows.ts";

type Windows<P> = { readonly complete: P; readonly current: P };
type Given = { readonly [M in ChainMetric]?: ReadonlyMap<string, SeriesEnd> | undefined };

/** wei per coin and per gwei. */
const COIN = 1e18;
const GWEI = 1e9;

/** The families of the figures, each with its help and the unit of the service's values. */
const FIGURES: Readonly<Record<ChainMetric, readonly [name: string, help: string, unit?: number]>> = {
  activeAddresses: ["avax_hosted_chain_active_addresses", "Addresses that sent or received something"],
  activeSenders: ["avax_hosted_chain_active_senders", "Addresses that sent something"],
  cumulativeTxCount: [
    "avax_hosted_chain_cumulative_transactions",
    "Transactions since genesis until the end of the interval",
  ],
  cumulativeAddresses: ["avax_hosted_chain_cumulative_addresses", "Addresses ever seen until the end of the interval"],
  cumulativeContracts: [
    "avax_hosted_chain_cumulative_contracts",
    "Contracts created since genesis until the beginning of the interval",
  ],
  cumulativeDeployers: [
    "avax_hosted_chain_cumulative_deployers",
    "Accounts that ever deployed a contract until the end of the interval",
  ],
  contracts: ["avax_hosted_chain_new_contracts", "Contracts created"],
  deployers: ["avax_hosted_chain_deployers", "Accounts that deployed a contract"],
  gasUsed: ["avax_hosted_chain_gas_used", "Gas used"],
  txCount: ["avax_hosted_chain_transactions", "Transactions"],
  avgGps: ["avax_hosted_chain_average_gas_rate", "Gas used per second, on average"],
  maxGps: ["avax_hosted_chain_max_gas_rate", "Gas used per second, in the busiest block"],
  avgTps: ["avax_hosted_chain_average_transaction_rate", "Transactions per second, on average"],
  maxTps: ["avax_hosted_chain_max_transaction_rate", "Transactions per second, in the busiest block"],
  avgGasPrice: ["avax_hosted_chain_average_gas_price_gwei", "Average gas price, in gwei of the chain's coin", GWEI],
  maxGasPrice: ["avax_hosted_chain_max_gas_price_gwei", "Highest gas price, in gwei of the chain's coin", GWEI],
  feesPaid: ["avax_hosted_chain_fees_coins", "Fees paid, in coins of the chain", COIN],
};

function byMetric<V>(of: (metric: ChainMetric) => V): Readonly<Record<ChainMetric, V>> {
  return Object.fromEntries(CHAIN_METRIC_NAMES.map((metric) => [metric, of(metric)])) as Record<ChainMetric, V>;
}

/** The last complete interval and the current one of each row. */
const windows = <D, L extends string, P>({ labels, of }: Rows<D, L, Windows<P>>): Rows<D, L | "window", P> => ({
  labels: [...labels, "window"],
  of: (data, context) =>
    of(data, context).flatMap(([row, { complete, current }]) => [
      [{ ...row, window: "complete" }, complete],
      [{ ...row, window: "current" }, current],
    ]),
});

const seriesOf = (metric: ChainMetric) => windows(rowsOf(["evm_chain_id", "interval"], (data: Given) => data[metric]));

const family = (metric: ChainMetric) => {
  const [name, help, unit = 1] = FIGURES[metric];
  return perRow(seriesOf(metric)).gauge(
    name,
    `${help}, in the last complete interval and in the current one (${chainMetric(metric).name}, \`value\`).`,
    (point) => (point === undefined ? undefined : point.value / unit),
  );
};

/** By chain, when its newest complete day began. */
function newestDays(data: Given, context: Moment): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const metric of CHAIN_METRIC_NAMES)
    for (const [{ evm_chain_id: id, interval, window }, point] of seriesOf(metric).of(data, context))
      if (interval === "day" && window === "complete" && point !== undefined)
        newest.set(id, Math.max(newest.get(id) ?? point.time, point.time));
  return newest;
}

/** One day can be missing while the service computes it, but not two. Seconds. */
const BEHIND = 3.5 * 86_400;

export const chainMetrics = hostedTopic(
  {
    id: "chain-metrics",
    about: "What is the activity of each configured chain: users, transactions, gas and fees?",
    needs: byMetric((metric) => optional(CHAIN_METRIC_ENDPOINTS[metric])),
  },
  {
    ...byMetric(family),
    dataTime: gauges(
      "avax_hosted_chain_metric_timestamp_seconds",
      "Beginning of the interval of a Metrics API figure, by the service's name of the metric (Metrics API, `timestamp`).",
      ["metric", "evm_chain_id", "interval", "window"],
      (data: Given, context: Moment) =>
        CHAIN_METRIC_NAMES.flatMap((metric) =>
          seriesOf(metric)
            .of(data, context)
            .map(([labels, point]) => [{ metric, ...labels }, point?.time] as const),
        ),
    ),
    newestDay: gauges(
      "avax_hosted_chain_newest_day_timestamp_seconds",
      "Beginning of the newest complete day of any Metrics API figure of the chain (Metrics API, `timestamp`).",
      ["evm_chain_id"],
      (data: Given, context: Moment) =>
        [...newestDays(data, context)].map(([id, time]) => [{ evm_chain_id: id }, time]),
    ),
  },
  ({ newestDay }) => ({
    AvaxHostedSeriesBehind: {
      severity: "warning",
      when: { of: newestDay, longerThan: BEHIND },
      labels: ["evm_chain_id"],
      for: "1h",
      summary: "Chain {{ $labels.evm_chain_id }}: Metrics API data is {{ $value | humanizeDuration }} behind",
      over: "Metrics API data of chain {{ $labels.evm_chain_id }} is current",
      meaning:
        "The service answers, but with old data: its indexing of this chain is stalled or lags. The figures of the chain do not change.",
      confirm:
        "`avax_hosted_chain_metric_timestamp_seconds` of this chain shows the day of each figure. Compare the chain's head at its own RPC.",
      commands: {
        [`call metrics-api '/v2/chains/{chainId}/metrics/{metric}' '{"chainId": "<evm_chain_id>", "metric": "txCount", "timeInterval": "day", "pageSize": 1}'`]:
          "`timestamp` of the newest day, unix seconds.",
      },
      action: "Contact the service's operator; use your own nodes' figures meanwhile.",
      falsePositives: "The chain made no block for days, so no day can be counted.",
    },
  }),
);

type Legacy = { readonly series: ReadonlyMap<string, LegacySeries> };

const legacySeries = rowsOf(["evm_chain_id"], ({ series }: Legacy) => series);
const legacy = perRow(windows(legacySeries));

export const legacyAvgTps = hostedTopic(
  {
    id: "legacy-avg-tps",
    about: "How many transactions per second does the legacy series show, and when was it last updated?",
    needs: { series: MetricsLegacyAvgTps },
  },
  {
    tps: legacy.gauge(
      "avax_hosted_chain_legacy_average_transaction_rate",
      `Average transactions per second of a day, for the last complete day and the current one (${LegacyAvgTps.name}, \`value\`).`,
      (point) => point?.value,
    ),
    dataTime: legacy.gauge(
      "avax_hosted_chain_legacy_timestamp_seconds",
      `Beginning of the day of the legacy average transaction rate (${LegacyAvgTps.name}, \`timestamp\`).`,
      (point) => point?.time,
    ),
    lastRun: perRow(legacySeries).gauge(
      "avax_hosted_chain_legacy_last_run_timestamp_seconds",
      `When the service last updated the legacy series (${LegacyAvgTps.name}, \`lastRun\`).`,
      ({ lastRun }) => lastRun,
    ),
  },
);
