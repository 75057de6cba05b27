import {
  CHAIN_METRIC_ENDPOINTS,
  CHAIN_METRIC_NAMES,
  chainMetric,
  LegacyAvgTps,
  MetricsLegacyAvgTps,
  type ChainMetric,
  type LegacySeries,
} from "../../api/hosted/chain-metrics.ts";
import { partsOf } from "../../api/hosted/hosted.ts";
import type { SeriesEnd } from "../../api/hosted/series-end.ts";
import { gauges, type Moment } from "../define/metric.ts";
import { maybe } from "../define/needs.ts";
import { where } from "../define/selector.ts";
import { hostedTopic } from "../define/topic.ts";
import type { Sample } from "../../exposition/sample.ts";

const LABELS = ["evm_chain_id", "interval", "window"] as const;
type L = (typeof LABELS)[number];
type Given = { readonly [M in ChainMetric]?: ReadonlyMap<string, SeriesEnd> | undefined };

/** wei per coin and per gwei. */
const COIN = 1e18;
const GWEI = 1e9;

const needs = Object.fromEntries(CHAIN_METRIC_NAMES.map((name) => [name, maybe(CHAIN_METRIC_ENDPOINTS[name])])) as {
  readonly [M in ChainMetric]: ReturnType<typeof maybe<(typeof CHAIN_METRIC_ENDPOINTS)[M]>>;
};

/** Samples of the last complete interval and of the current one, for each chain. */
function windows<X extends string>(
  answers: ReadonlyMap<string, SeriesEnd> | undefined,
  read: (labels: Readonly<Record<L, string>>, point: SeriesEnd["current"]) => Sample<X>,
): ReadonlyArray<Sample<X>> {
  return [...(answers ?? [])].flatMap(([key, { complete, current }]) => {
    const [evm_chain_id, interval] = partsOf(key);
    return [
      read({ evm_chain_id, interval, window: "complete" }, complete),
      read({ evm_chain_id, interval, window: "current" }, current),
    ];
  });
}

const family = (name: string, metric: ChainMetric, help: string, unit = 1) =>
  gauges<Given, L, Moment>(
    name,
    `${help}, in the last complete interval and in the current one (${chainMetric(metric).name}, \`value\`).`,
    LABELS,
    (data) => windows(data[metric], (labels, point) => [labels, point === undefined ? undefined : point.value / unit]),
  );

/** One day can be missing while the service computes it, but not two. Seconds. */
const BEHIND = 3.5 * 86_400;

export const chainMetrics = hostedTopic(
  {
    id: "chain-metrics",
    about: "What is the activity of each configured chain: users, transactions, gas and fees?",
    needs,
  },
  {
    activeAddresses: family(
      "avax_hosted_chain_active_addresses",
      "activeAddresses",
      "Addresses that sent or received something",
    ),
    activeSenders: family("avax_hosted_chain_active_senders", "activeSenders", "Addresses that sent something"),
    cumulativeTxCount: family(
      "avax_hosted_chain_cumulative_transactions",
      "cumulativeTxCount",
      "Transactions since genesis until the end of the interval",
    ),
    cumulativeAddresses: family(
      "avax_hosted_chain_cumulative_addresses",
      "cumulativeAddresses",
      "Addresses ever seen until the end of the interval",
    ),
    cumulativeContracts: family(
      "avax_hosted_chain_cumulative_contracts",
      "cumulativeContracts",
      "Contracts created since genesis until the beginning of the interval",
    ),
    cumulativeDeployers: family(
      "avax_hosted_chain_cumulative_deployers",
      "cumulativeDeployers",
      "Accounts that ever deployed a contract until the end of the interval",
    ),
    contracts: family("avax_hosted_chain_new_contracts", "contracts", "Contracts created"),
    deployers: family("avax_hosted_chain_deployers", "deployers", "Accounts that deployed a contract"),
    gasUsed: family("avax_hosted_chain_gas_used", "gasUsed", "Gas used"),
    txCount: family("avax_hosted_chain_transactions", "txCount", "Transactions"),
    avgGps: family("avax_hosted_chain_average_gas_rate", "avgGps", "Gas used per second, on average"),
    maxGps: family("avax_hosted_chain_max_gas_rate", "maxGps", "Gas used per second, in the busiest block"),
    avgTps: family("avax_hosted_chain_average_transaction_rate", "avgTps", "Transactions per second, on average"),
    maxTps: family("avax_hosted_chain_max_transaction_rate", "maxTps", "Transactions per second, in the busiest block"),
    avgGasPrice: family(
      "avax_hosted_chain_average_gas_price_gwei",
      "avgGasPrice",
      "Average gas price, in gwei of the chain's coin",
      GWEI,
    ),
    maxGasPrice: family(
      "avax_hosted_chain_max_gas_price_gwei",
      "maxGasPrice",
      "Highest gas price, in gwei of the chain's coin",
      GWEI,
    ),
    feesPaid: family("avax_hosted_chain_fees_coins", "feesPaid", "Fees paid, in coins of the chain", COIN),
    dataTime: gauges(
      "avax_hosted_chain_metric_timestamp_seconds",
      "Beginning of the interval of a Metrics API figure, by the service's name of the metric (Metrics API, `timestamp`).",
      ["metric", ...LABELS],
      (data: Given) =>
        CHAIN_METRIC_NAMES.flatMap((metric) =>
          windows<L | "metric">(data[metric], (labels, point) => [{ metric, ...labels }, point?.time]),
        ),
    ),
  },
  ({ dataTime }) => ({
    AvaxHostedSeriesBehind: {
      severity: "warning",
      expr: `time() - max by (instance, job, evm_chain_id) (${where(dataTime, { interval: "day", window: "complete" })}) > ${BEHIND}`,
      labels: ["evm_chain_id"],
      for: "1h",
      summary: "Chain {{ $labels.evm_chain_id }}: Metrics API data is {{ $value | humanizeDuration }} behind",
      description: "The newest complete day began that long ago: the figures on /metrics are of that day.",
      meaning:
        "The service answers, but with old data: its indexing of this chain is stalled or lags. The figures of the chain do not change.",
      confirm:
        "`avax_hosted_chain_metric_timestamp_seconds` of this chain shows the day of each figure. Compare the chain's head at its own RPC.",
      commands: {
        [`call metrics-api '/v2/chains/{chainId}/metrics/{metric}' '{"chainId": "<evm_chain_id>", "metric": "txCount", "timeInterval": "day", "pageSize": 1}'`]:
          "`timestamp` of the newest day, unix seconds.",
      },
      action: "Contact the service's operator. Use the figures of your own nodes meanwhile.",
      falseWhen: "The chain made no block for days, so no day can be counted.",
    },
  }),
);

type Legacy = { readonly series: ReadonlyMap<string, LegacySeries> };

const legacyWindows =
  (read: (point: SeriesEnd["current"]) => number | undefined) =>
  ({ series }: Legacy) =>
    [...series].flatMap(([evm_chain_id, { complete, current }]) => [
      [{ evm_chain_id, window: "complete" }, read(complete)] as const,
      [{ evm_chain_id, window: "current" }, read(current)] as const,
    ]);

export const legacyAvgTps = hostedTopic(
  {
    id: "legacy-avg-tps",
    about: "How many transactions per second does the legacy series show, and when was it last updated?",
    needs: { series: MetricsLegacyAvgTps },
  },
  {
    tps: gauges(
      "avax_hosted_chain_legacy_average_transaction_rate",
      `Average transactions per second of a day, for the last complete day and the current one (${LegacyAvgTps.name}, \`value\`).`,
      ["evm_chain_id", "window"],
      legacyWindows((point) => point?.value),
    ),
    dataTime: gauges(
      "avax_hosted_chain_legacy_timestamp_seconds",
      `Beginning of the day of the legacy average transaction rate (${LegacyAvgTps.name}, \`timestamp\`).`,
      ["evm_chain_id", "window"],
      legacyWindows((point) => point?.time),
    ),
    lastRun: gauges(
      "avax_hosted_chain_legacy_last_run_timestamp_seconds",
      `When the service last updated the legacy series (${LegacyAvgTps.name}, \`lastRun\`).`,
      ["evm_chain_id"],
      ({ series }: Legacy) => [...series].map(([evm_chain_id, { lastRun }]) => [{ evm_chain_id }, lastRun] as const),
    ),
  },
);
