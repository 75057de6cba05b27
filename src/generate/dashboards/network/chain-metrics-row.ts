import { DatetimeISO, Short } from "@grafana/grafana-foundation-sdk/units";
import { chainMetrics, legacyAvgTps } from "../../../topics/hosted/chain-metrics.ts";
import { hostedChains } from "../../../topics/hosted/chains.ts";
import { where } from "../../../catalogue/selector.ts";
import { YES_NO } from "../parts/mappings.ts";
import { table, type Column } from "../parts/table.ts";

const { metrics: chain } = chainMetrics;
const DAY = { interval: "day", window: "complete" } as const;
const CHAIN = { evm_chain_id: { title: "Chain ID", width: 100 } } as const;
const yesterday = (title: string, metric: typeof chain.txCount, decimals?: number): Column => ({
  title,
  expr: where(metric, DAY),
  ...(decimals === undefined ? {} : { decimals }),
});

export const chainMetricsRow = {
  id: 500,
  title: "Chains as the hosted services have them",
  panels: [
    table(
      {
        id: 501,
        title: "Users and transactions of the last complete day",
        about:
          "What each configured chain did on the last day that the Metrics API has complete. The chains total, mainnet and testnet are sums of the service.",
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
          yesterday("Per second", chain.avgTps, 2),
          yesterday("Per second at most", chain.maxTps, 2),
          { title: "By the older series", expr: where(legacyAvgTps.metrics.tps, { window: "complete" }), decimals: 2 },
          yesterday("New contracts", chain.contracts),
          yesterday("Deployers", chain.deployers),
          {
            title: "Of the day",
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
        title: "Gas and fees of the last complete day",
        about: "Gas that each chain used, its price in gwei of the chain's coin, and fees in coins of the chain.",
        width: 12,
        height: 6,
        unit: Short,
        alerts: ["AvaxHostedSeriesBehind"],
      },
      {
        labels: { evm_chain_id: { title: "Chain ID" } },
        columns: [
          yesterday("Gas", chain.gasUsed),
          yesterday("Gas/s", chain.avgGps),
          yesterday("Most gas/s", chain.maxGps),
          yesterday("Gas price", chain.avgGasPrice, 2),
          yesterday("Top price", chain.maxGasPrice, 2),
          yesterday("Fees", chain.feesPaid),
        ].map((column) => ({ ...column, width: 98 })),
      },
    ),
    table(
      {
        id: 503,
        title: "Since genesis",
        about: "How much there has ever been on each chain, and whether the Data API indexes it.",
        width: 12,
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
        ].map((column) => ({ ...column, width: 115 })),
      },
    ),
  ],
};
