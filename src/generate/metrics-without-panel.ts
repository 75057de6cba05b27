import { metricsOf } from "../catalogue/catalogue.ts";
import { chainMetrics, legacyAvgTps } from "../topics/hosted/chain-metrics.ts";
import { evmConfig } from "../topics/evm/evm-config.ts";
import { evmProof } from "../topics/evm/evm-proof.ts";
import { health } from "../topics/node/health.ts";
import { hostedTransactions, hostedTransfers } from "../topics/hosted/activity.ts";
import { hostedBlocks } from "../topics/hosted/blocks.ts";
import { hostedChains } from "../topics/hosted/chains.ts";
import { hostedCollections, hostedContracts, hostedHoldings, hostedNfts } from "../topics/hosted/holdings.ts";
import { hostedAddressRewards, hostedNodeRewards } from "../topics/hosted/rewards.ts";
import { hostedUtxos } from "../topics/hosted/utxos.ts";
import { hostedValidator } from "../topics/hosted/validator.ts";
import { chainIds, blsKey, nodeLabels, publicIp, vms } from "../topics/node/identity.ts";
import { peers } from "../topics/node/peers.ts";
import { supply } from "../topics/network/supply.ts";

const { metrics: indexed } = hostedValidator;
const { metrics: proposed } = hostedBlocks;

/** Metrics that no panel and no rule uses, with reasons. A test fails when one is missing here or is used after all. */
export const METRICS_WITHOUT_PANEL: ReadonlyArray<{
  readonly reason: string;
  readonly metrics: ReadonlyArray<{ readonly name: string }>;
}> = [
  {
    reason: "Labels to join with other series and to look up; there is no figure to draw.",
    metrics: [
      nodeLabels.metrics.labels,
      blsKey.metrics.key,
      publicIp.metrics.ip,
      vms.metrics.vm,
      chainIds.metrics.chain,
      evmConfig.metrics.config,
      hostedChains.metrics.info,
    ],
  },
  {
    reason: "Looked up when something else is wrong; an alert or a panel of its own would mostly say nothing.",
    metrics: [
      publicIp.metrics.changes,
      health.metrics.duration,
      peers.metrics.received,
      peers.metrics.sent,
      evmProof.metrics.served,
      hostedChains.metrics.features,
      hostedChains.metrics.chains,
    ],
  },
  {
    reason: "Of elastic subnets alone, which hardly anybody has.",
    metrics: [supply.metrics.subnet],
  },
  {
    reason: "What the hosted Data API says beside the P-Chain, which is shown and nearer to the truth.",
    metrics: [
      indexed.stake,
      indexed.delegated,
      indexed.delegators,
      indexed.fee,
      indexed.start,
      indexed.end,
      indexed.nextStart,
      indexed.removed,
      indexed.benched,
      proposed.transactions,
      proposed.bytes,
      proposed.height,
      hostedNodeRewards.metrics.payments,
      hostedNodeRewards.metrics.last,
      hostedNodeRewards.metrics.next,
    ],
  },
  {
    reason: "How old and how complete one hosted answer is; the dashboard of the exporter shows it by endpoint.",
    metrics: [
      chainMetrics.metrics.answered,
      legacyAvgTps.metrics.dataTime,
      legacyAvgTps.metrics.lastRun,
      legacyAvgTps.metrics.answered,
      hostedChains.metrics.answered,
      hostedChains.metrics.listAnswered,
      indexed.truncated,
      indexed.answered,
      proposed.truncated,
      proposed.answered,
      hostedNodeRewards.metrics.truncated,
      hostedNodeRewards.metrics.answered,
      hostedNodeRewards.metrics.pendingTruncated,
      hostedNodeRewards.metrics.pendingAnswered,
      hostedAddressRewards.metrics.truncated,
      hostedAddressRewards.metrics.answered,
      hostedAddressRewards.metrics.pendingTruncated,
      hostedAddressRewards.metrics.pendingAnswered,
      hostedUtxos.metrics.truncated,
      hostedUtxos.metrics.answered,
      hostedHoldings.metrics.truncated,
      hostedHoldings.metrics.answered,
      hostedTransactions.metrics.truncated,
      hostedTransactions.metrics.answered,
    ],
  },
  {
    reason: "More about watched addresses; what is asked of most of them is in the table.",
    metrics: [
      hostedAddressRewards.metrics.value,
      hostedAddressRewards.metrics.last,
      hostedUtxos.metrics.utxos,
      hostedUtxos.metrics.others,
      hostedUtxos.metrics.newest,
      hostedHoldings.metrics.price,
      hostedHoldings.metrics.collections,
      hostedTransactions.metrics.coins,
      hostedTransactions.metrics.fees,
    ],
  },
  {
    reason:
      "Tokens, contracts and collections: everybody watches other ones, so that each makes a dashboard of their own.",
    metrics: [hostedTransfers, hostedContracts, hostedCollections, hostedNfts].flatMap((topic) => metricsOf(topic)),
  },
];
