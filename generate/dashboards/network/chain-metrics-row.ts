import { DatetimeISO, Short } from "@grafana/grafana-foundation-sdk/units";
import { chainMetrics, legacyAvgTps } from "../../../src/topics/hosted/chain-metrics.ts";
import { hostedChains } from "../../../src/topics/hosted/chains.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { YES_NO } from "../parts/mappings.ts";
import type { Row } from "../parts/panel-options.ts";
import { table, type Column } from "../parts/table.ts";

const { metrics: chain } = chainMetrics;
const DAY = { interval: "day", window: "complete" } as const;
const CHAIN = { evm_chain_id: { title: "Chain ID", width: 100 } } as const;
const yesterday = (title: string, metric: typeof chain.txCount, decimals?: number): Column => ({
  title,
  expr: where(metric, DAY),
  ...(decimals === undefined ? {} : { decimals }),
});

export const chainMetricsRow: Row = {
  id: 500,
  title: "Chain metrics (hosted services)",
  collapsed: true,
  panels: [
    table(
      {
        id: 501,
        title: "Users and transactions (last complete day)",
        about:
          "Activity of each configured chain on the last complete day in the Metrics API. The chains total, mainnet and testnet are sums from the service.",
        width: 24,
        height: 5,
        unit: Short,
        alerts: ["AvaxHostedSeriesBehind"],
      },
      {
        labels: CHAIN,
        columns: [
          yesterday("Active addresses", chain.activeAddresses),
          yesterday("Active senders", chain.activeSenders),
          yesterday("Transactions", chain.txCount),
          yesterday("TPS", chain.avgTps, 2),
          yesterday("Max TPS", chain.maxTps, 2),
          { title: "TPS (legacy)", expr: where(legacyAvgTps.metrics.tps, { window: "complete" }), decimals: 2 },
          yesterday("New contracts", chain.contracts),
          yesterday("Deployers", chain.deployers),
          {
            title: "Day",
            expr: `1000 * max by (evm_chain_id) (${where(chain.dataTime, DAY)})`,
            unit: DatetimeISO,
            width: 165,
          },
        ],
      },
    ),
    table(
      {
        id: 502,
        title: "Gas and fees (last complete day)",
        about: "Gas used by each chain, gas prices in gwei of the chain's coin, and fees in coins of the chain.",
        width: 13,
        height: 6,
        unit: Short,
        alerts: ["AvaxHostedSeriesBehind"],
      },
      {
        labels: { evm_chain_id: { title: "Chain ID" } },
        columns: [
          yesterday("Gas", chain.gasUsed),
          yesterday("Gas/s", chain.avgGps),
          yesterday("Max gas/s", chain.maxGps),
          yesterday("Price (gwei)", chain.avgGasPrice, 2),
          yesterday("Max (gwei)", chain.maxGasPrice, 2),
          yesterday("Fees (coins)", chain.feesPaid),
        ].map((column) => ({ ...column, width: 108 })),
      },
    ),
    table(
      {
        id: 503,
        title: "Since genesis",
        about: "Totals of each chain since genesis, and whether the Data API indexes it.",
        width: 11,
        height: 6,
        unit: Short,
        alerts: ["AvaxHostedChainUnavailable"],
      },
      {
        labels: { evm_chain_id: { title: "Chain ID" } },
        columns: [
          yesterday("Transactions", chain.cumulativeTxCount),
          yesterday("Addresses", chain.cumulativeAddresses),
          yesterday("Contracts", chain.cumulativeContracts),
          yesterday("Deployers", chain.cumulativeDeployers),
          { title: "Indexed", expr: where(hostedChains.metrics.status, { state: "OK" }), mappings: YES_NO },
        ].map((column) => ({ ...column, width: 105 })),
      },
    ),
  ],
};
