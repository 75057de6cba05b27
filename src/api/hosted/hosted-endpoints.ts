import { CHAIN_METRIC_ENDPOINTS, MetricsLegacyAvgTps } from "./chain-metric.ts";
import { DataErc1155, DataErc20, DataErc721, DataTransactions } from "./data-transactions.ts";
import { DataChain, DataChains } from "./data-chains.ts";
import { DataCollections, DataDeployments, DataHoldings, DataNfts } from "./data-holdings.ts";
import { DataAddressRewards, DataNodePendingRewards, DataNodeRewards, DataPendingRewards } from "./data-rewards.ts";
import { DataUtxos } from "./data-utxos.ts";
import { DataBlocks, DataValidators } from "./data-validators.ts";
import { settingsOf, type EndpointSettings } from "../endpoint.ts";
import type { HostedEndpoint, HostedService, HostedSubjects } from "./hosted-endpoint.ts";

/** Every endpoint of the two hosted services. The order decides between endpoints of equal priority. */
export const HOSTED_ENDPOINTS: ReadonlyArray<HostedEndpoint<unknown>> = [
  DataValidators,
  DataNodeRewards,
  DataAddressRewards,
  DataChains,
  DataChain,
  DataNodePendingRewards,
  DataPendingRewards,
  DataBlocks,
  DataUtxos,
  DataHoldings,
  DataTransactions,
  DataErc20,
  DataErc721,
  DataErc1155,
  DataDeployments,
  DataCollections,
  DataNfts,
  ...Object.values(CHAIN_METRIC_ENDPOINTS),
  MetricsLegacyAvgTps,
];

/** Units per day if every request takes one page and none fails. */
export function unitsPerDay(
  service: HostedService,
  wanted: HostedSubjects,
  settings: Readonly<Record<string, EndpointSettings | undefined>>,
): number {
  return HOSTED_ENDPOINTS.filter((endpoint) => endpoint.service === service).reduce((sum, endpoint) => {
    const { every, enabled } = settingsOf(endpoint, settings[endpoint.id]);
    return enabled ? sum + (endpoint.keys(wanted).length * endpoint.units * 86_400) / every : sum;
  }, 0);
}
