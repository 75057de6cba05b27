import { chainMetrics, legacyAvgTps } from "../topics/hosted/chain-metrics.ts";
import { hostedTransactions, hostedTransfers } from "../topics/hosted/activity.ts";
import { hostedAddresses } from "../self/hosted-addresses.ts";
import { hostedBlocks } from "../topics/hosted/blocks.ts";
import { hostedChains } from "../topics/hosted/chains.ts";
import { hostedCollections, hostedContracts, hostedHoldings, hostedNfts } from "../topics/hosted/holdings.ts";
import { hostedAddressRewards, hostedNodeRewards } from "../topics/hosted/rewards.ts";
import { hostedUtxos } from "../topics/hosted/utxos.ts";
import { hostedValidator } from "../topics/hosted/validator.ts";
import { hosted } from "../self/hosted-service.ts";
import type { Topic } from "../catalogue/topic.ts";

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
