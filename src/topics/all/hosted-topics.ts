import { chainMetrics, legacyAvgTps } from "../hosted/chain-metrics.ts";
import { hostedTransactions, hostedTransfers } from "../hosted/activity.ts";
import { hostedAddresses } from "../exporter/hosted-addresses.ts";
import { hostedBlocks } from "../hosted/blocks.ts";
import { hostedChains } from "../hosted/chains.ts";
import { hostedCollections, hostedContracts, hostedHoldings, hostedNfts } from "../hosted/holdings.ts";
import { hostedAddressRewards, hostedNodeRewards } from "../hosted/rewards.ts";
import { hostedUtxos } from "../hosted/utxos.ts";
import { hostedValidator } from "../hosted/validator.ts";
import { hosted } from "../exporter/hosted-service.ts";
import type { Topic } from "../define/topic.ts";

/** Topics that are read from the two hosted services. */
export const HOSTED_TOPICS: readonly Topic[] = [
  hosted,
  chainMetrics,
  legacyAvgTps,
  hostedChains,
  hostedValidator,
  hostedBlocks,
  hostedNodeRewards,
  hostedAddressRewards,
  hostedAddresses,
  hostedUtxos,
  hostedHoldings,
  hostedTransactions,
  hostedTransfers,
  hostedContracts,
  hostedCollections,
  hostedNfts,
];
