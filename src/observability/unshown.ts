import { benching } from "../metrics/benched.ts";
import { disagreement } from "../metrics/disagreement.ts";
import { evmBlocks } from "../metrics/evm-blocks.ts";
import { evmConfig } from "../metrics/evm-config.ts";
import { evmHead } from "../metrics/evm-head.ts";
import { evmForks, evmIdentity } from "../metrics/evm-identity.ts";
import { evmProof } from "../metrics/evm-proof.ts";
import { metricsOf } from "../metrics/catalogue.ts";
import { health } from "../metrics/health.ts";
import { chainIds, blsKey, nodeLabels, publicIp, vms } from "../metrics/identity.ts";
import { l1Runway } from "../metrics/l1-runway.ts";
import { l1Validator } from "../metrics/l1-validator.ts";
import { l1ValidatorView } from "../metrics/l1-validator-view.ts";
import { networkVerdict } from "../metrics/network-verdict.ts";
import { HOSTED_TOPICS } from "../metrics/hosted-topics.ts";
import { nodeNetwork } from "../metrics/node-network.ts";
import { peers } from "../metrics/peers.ts";
import { platformBalance } from "../metrics/platform-balance.ts";
import { platformBlocks } from "../metrics/platform-blocks.ts";
import { polling } from "../metrics/polling.ts";
import { quorum } from "../metrics/quorum.ts";
import { rewardVerdict } from "../metrics/reward-verdict.ts";
import { subnetChains } from "../metrics/subnet-chains.ts";
import { platformClock, supply } from "../metrics/supply.ts";
import { upgradeReadiness } from "../metrics/upgrade-readiness.ts";
import { acps, txFees, upgrades } from "../metrics/upgrades.ts";
import { waitingUtxos } from "../metrics/utxos.ts";
import { validatorRequirement } from "../metrics/validator-requirement.ts";
import { validator } from "../metrics/validator.ts";
import { validators } from "../metrics/validators.ts";

/**
 * Metrics that no panel and no rule uses, each group with its reason. A test refuses one that is missing here, and one
 * that is here without need.
 */
export const UNSHOWN: ReadonlyArray<{
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
    ],
  },
  {
    reason: "Looked up when something else is wrong; an alert or a panel of its own would mostly say nothing.",
    metrics: [
      publicIp.metrics.changes,
      health.metrics.duration,
      peers.metrics.received,
      peers.metrics.sent,
      peers.metrics.watchedReceived,
      polling.metrics.supported,
      benching.metrics.watched,
      disagreement.metrics.connected,
      disagreement.metrics.views,
    ],
  },
  {
    reason: "A fact of the network, for a dashboard of the network and its upgrades, which is not there yet.",
    metrics: [
      ...Object.values(validators.metrics),
      upgrades.metrics.activation,
      acps.metrics.stake,
      txFees.metrics.fee,
      nodeNetwork.metrics.localUpgrade,
      nodeNetwork.metrics.modeUpgrade,
      nodeNetwork.metrics.modeRatio,
      upgradeReadiness.metrics.standing,
      upgradeReadiness.metrics.readyStake,
      upgradeReadiness.metrics.time,
      upgradeReadiness.metrics.stake,
    ],
  },
  {
    reason: "A detail of one validator, for a dashboard of validators, which is not there yet.",
    metrics: [
      validator.metrics.subnetWeight,
      validator.metrics.start,
      validator.metrics.signer,
      validator.metrics.compound,
      validatorRequirement.metrics.requirement,
      rewardVerdict.metrics.attainable,
      networkVerdict.metrics.granted,
      networkVerdict.metrics.spoken,
      networkVerdict.metrics.least,
      networkVerdict.metrics.median,
      networkVerdict.metrics.most,
    ],
  },
  {
    reason: "A fact of EVM chains, for a dashboard of chains, which is not there yet.",
    metrics: [
      evmHead.metrics.height,
      evmHead.metrics.gasLimit,
      evmHead.metrics.baseFee,
      evmHead.metrics.priorityFee,
      evmHead.metrics.syncing,
      evmHead.metrics.txpool,
      evmHead.metrics.batchLimit,
      evmIdentity.metrics.chain,
      evmIdentity.metrics.peers,
      ...Object.values(evmForks.metrics),
      ...Object.values(evmProof.metrics),
      evmBlocks.metrics.blocks,
      evmBlocks.metrics.transactions,
      evmBlocks.metrics.gas,
      evmBlocks.metrics.fees,
      evmBlocks.metrics.intervals,
    ],
  },
  {
    reason: "A fact of an L1, for a dashboard of L1s, which is not there yet.",
    metrics: [
      l1Validator.metrics.balance,
      l1Validator.metrics.weight,
      l1Validator.metrics.minNonce,
      l1Validator.metrics.start,
      ...Object.values(l1ValidatorView.metrics),
      l1Runway.metrics.price,
      l1Runway.metrics.clock,
      l1Runway.metrics.source,
      quorum.metrics.active,
    ],
  },
  {
    reason:
      "A fact of wallets, blocks or chains, for dashboards of the network and of wallets, which are not there yet.",
    metrics: [
      platformClock.metrics.clock,
      platformBlocks.metrics.blocks,
      platformBlocks.metrics.transactions,
      platformBlocks.metrics.height,
      ...Object.values(supply.metrics),
      ...Object.values(subnetChains.metrics),
      platformBalance.metrics.utxos,
      waitingUtxos.metrics.avax,
      waitingUtxos.metrics.truncated,
      evmConfig.metrics.config,
    ],
  },
  {
    reason: "A fact of the hosted services, for a dashboard of chains and portfolios, which is not there yet.",
    metrics: HOSTED_TOPICS.flatMap((topic) =>
      metricsOf(topic).filter(({ name }) => !topic.alerts.some(({ expr }) => new RegExp(`\\b${name}\\b`).test(expr))),
    ),
  },
];
