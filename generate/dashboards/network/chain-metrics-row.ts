import { DatetimeISO } from "@grafana/grafana-foundation-sdk/units";
import { chainMetrics } from "../../../src/topics/hosted/chain-metrics.ts";
import { hostedChains } from "../../../src/topics/hosted/hosted-chains.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { select } from "../parts/selectors.ts";
import { YES_NO } from "../parts/format.ts";
import type { Row } from "../parts/panels.ts";
import { column, table, type TableColumn } from "../parts/table.ts";

const { metrics: chain } = chainMetrics;
const DAY = { interval: "day", window: "complete" } as const;
const of = select(DAY);
const CHAIN = { evm_chain_id: { title: "Chain ID", width: 100 } } as const;
const yesterday = (title: string, metric: typeof chain.txCount, decimals?: number): TableColumn => ({
  title,
  expr: of(metric),
  ...(decimals === undefined ? {} : { decimals }),
});

export const chainMetricsRow: Row = {
  title: "Chain metrics (hosted services)",
  collapsed: true,
  panels: [
    table(
      "Users and transactions (last complete day)",
      "Who uses each chain, and how much? Activity of each configured chain on the last complete day in the Metrics API. The chains total, mainnet and testnet are sums from the service.",
      {
        height: 6,
        alerts: ["AvaxHostedSeriesBehind"],
        labels: CHAIN,
        columns: [
          yesterday("Active addresses", chain.activeAddresses),
          yesterday("Active senders", chain.activeSenders),
          yesterday("Transactions", chain.txCount),
          yesterday("TPS", chain.avgTps, 2),
          yesterday("Max TPS", chain.maxTps, 2),
          yesterday("New contracts", chain.contracts),
          yesterday("Deployers", chain.deployers),
          column("Day", `1000 * max by (evm_chain_id) (${of(chain.dataTime)})`, { unit: DatetimeISO, width: 165 }),
        ],
      },
    ),
    table(
      "Gas and fees (last complete day)",
      "What did the use of each chain cost yesterday? Gas used by each chain, gas prices in gwei of the chain's coin, and fees in coins of the chain.",
      {
        width: 13,
        height: 6,
        alerts: ["AvaxHostedSeriesBehind"],
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
      "Since genesis",
      "How large did each chain become? Totals of each chain since genesis, and whether the Data API indexes it.",
      {
        width: 11,
        height: 6,
        alerts: ["AvaxHostedChainUnavailable"],
        labels: { evm_chain_id: { title: "Chain ID" } },
        columns: [
          yesterday("Transactions", chain.cumulativeTxCount),
          yesterday("Addresses", chain.cumulativeAddresses),
          yesterday("Contracts", chain.cumulativeContracts),
          yesterday("Deployers", chain.cumulativeDeployers),
          column("Indexed", where(hostedChains.metrics.status, { state: "OK" }), { mappings: YES_NO }),
        ].map((column) => ({ ...column, width: 105 })),
      },
    ),
  ],
};
