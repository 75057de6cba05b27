import { apiCertificate } from "../exporter/api-certificate.ts";
import { benched, benching } from "../node/benched.ts";
import { blsRegistration } from "../node/bls-registration.ts";
import { bootstrapped, chains, chainHeight } from "../chains/chains.ts";
import { clockError } from "../node/clock-error.ts";
import { clockSkew, impossibleTimes } from "../node/clock-skew.ts";
import { disconnected } from "../validators/disconnected.ts";
import { disagreement } from "../validators/disagreement.ts";
import { evmBlocks } from "../evm/evm-blocks.ts";
import { evmConfig, evmConfigChanges } from "../evm/evm-config.ts";
import { evmHead } from "../evm/evm-head.ts";
import { execution } from "../evm/execution.ts";
import { evmPauses } from "../evm/evm-pauses.ts";
import { evmForks, evmIdentity, evmProof } from "../evm/evm-identity.ts";
import { evmTrace } from "../evm/evm-trace.ts";
import { evmSocket } from "../exporter/evm-socket.ts";
import { evmWallets } from "../wallets/evm-wallets.ts";
import { fork } from "../chains/fork.ts";
import { health, liveness, readiness, subnetHealth } from "../node/health.ts";
import { chainIds, identity, nodeChanges, nodeLabels, publicIp, vms } from "../node/identity.ts";
import { chainMetrics, legacyAvgTps } from "../hosted/chain-metrics.ts";
import { hostedTransactions, hostedTransfers } from "../hosted/hosted-transactions.ts";
import { hostedAddresses } from "../exporter/hosted-addresses.ts";
import { hostedBlocks } from "../hosted/hosted-blocks.ts";
import { hostedChains } from "../hosted/hosted-chains.ts";
import { hostedCollections, hostedContracts, hostedHoldings, hostedNfts } from "../hosted/hosted-holdings.ts";
import { hostedAddressRewards, hostedNodeRewards } from "../hosted/hosted-node-rewards.ts";
import { hostedUtxos } from "../hosted/hosted-utxos.ts";
import { hostedValidator } from "../hosted/hosted-validator.ts";
import { hostedService } from "../exporter/hosted-service.ts";
import { l1Uptime, l1ValidatorView } from "../l1/l1-validator-view.ts";
import { l1Offline } from "../l1/l1-offline.ts";
import { l1Own, l1Validator } from "../l1/l1-validator.ts";
import { lag } from "../chains/lag.ts";
import type { Topic } from "../define/topic.ts";
import { delegations } from "../validators/delegations.ts";
import { networkVerdict } from "../validators/network-verdict.ts";
import { nodeIdShared } from "../node/node-id-shared.ts";
import { nodeNetwork } from "../node/node-network.ts";
import { nodeDisk } from "../node/node-disk.ts";
import { outdated } from "../node/outdated.ts";
import { peerShare } from "../node/peer-share.ts";
import { peerCount, peers } from "../node/peers.ts";
import { platformBalance } from "../wallets/platform-balance.ts";
import { platformBlocks } from "../chains/platform-blocks.ts";
import { polling } from "../exporter/polling.ts";
import { quorum, quorumMargin } from "../l1/quorum.ts";
import { reach } from "../node/reach.ts";
import { outageCost } from "../validators/outage-cost.ts";
import { reward } from "../validators/reward.ts";
import { rewardAddress } from "../validators/reward-address.ts";
import { rewardVerdict } from "../validators/reward-verdict.ts";
import { chainStatus, referenceNode, subnetChains, subnets, usableNodes } from "../network/subnet-chains.ts";
import { secondOpinion } from "../network/second-opinion.ts";
import { platformClock, supply } from "../network/supply.ts";
import { upgradeReadiness } from "../network/upgrade-readiness.ts";
import { acps, acpVotes, txFees, upgrades } from "../network/upgrades.ts";
import { subnetUptime, uptime } from "../validators/uptime.ts";
import { waitingUtxos } from "../wallets/waiting-utxos.ts";
import { validatorRequirement } from "../validators/validator-requirement.ts";
import { validator } from "../validators/validator.ts";
import { validators } from "../validators/validators.ts";
import { watchedAddresses } from "../wallets/watched-addresses.ts";

/** Every topic, in the order in which its families appear on `/metrics`. */
export const TOPICS: readonly Topic[] = [
  nodeLabels,
  polling,
  reach,
  apiCertificate,
  identity,
  nodeChanges,
  blsRegistration,
  publicIp,
  vms,
  chainIds,
  health,
  readiness,
  liveness,
  clockSkew,
  clockError,
  impossibleTimes,
  subnetHealth,
  bootstrapped,
  chains,
  chainHeight,
  platformClock,
  chainStatus,
  evmHead,
  execution,
  evmPauses,
  evmIdentity,
  evmProof,
  evmTrace,
  evmSocket,
  lag,
  fork,
  nodeIdShared,
  nodeNetwork,
  nodeDisk,
  peerCount,
  peerShare,
  peers,
  benching,
  benched,
  uptime,
  subnetUptime,
  networkVerdict,
  delegations,
  referenceNode,
  usableNodes,
  upgrades,
  upgradeReadiness,
  outdated,
  acps,
  acpVotes,
  txFees,
  validators,
  validator,
  rewardAddress,
  validatorRequirement,
  rewardVerdict,
  reward,
  outageCost,
  disagreement,
  disconnected,
  secondOpinion,
  l1Validator,
  l1Own,
  quorum,
  quorumMargin,
  l1ValidatorView,
  l1Uptime,
  l1Offline,
  evmBlocks,
  evmForks,
  evmWallets,
  platformBlocks,
  supply,
  subnets,
  subnetChains,
  watchedAddresses,
  platformBalance,
  waitingUtxos,
  evmConfig,
  evmConfigChanges,
  hostedService,
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
