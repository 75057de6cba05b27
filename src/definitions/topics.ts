import { apiCertificate } from "../self/api-certificate.ts";
import { benched, benching } from "../topics/node/benched.ts";
import { bootstrapped, chains, chainHeight } from "../topics/chains/chains.ts";
import { clockSkew } from "../topics/node/clock-skew.ts";
import { disagreement } from "../topics/validators/disagreement.ts";
import { evmBlocks } from "../topics/evm/evm-blocks.ts";
import { evmConfig } from "../topics/evm/evm-config.ts";
import { evmHead } from "../topics/evm/evm-head.ts";
import { evmForks, evmIdentity } from "../topics/evm/evm-identity.ts";
import { evmProof } from "../topics/evm/evm-proof.ts";
import { evmSocket } from "../self/evm-socket.ts";
import { evmWallets } from "../topics/wallets/evm-wallets.ts";
import { health } from "../topics/node/health.ts";
import { auxiliaryNodes } from "../self/auxiliary-nodes.ts";
import { blsKey, chainIds, identity, nodeChanges, nodeLabels, publicIp, vms } from "../topics/node/identity.ts";
import { HOSTED_TOPICS } from "./hosted-topics.ts";
import { l1Runway } from "../topics/l1/l1-runway.ts";
import { l1ValidatorView } from "../topics/l1/l1-validator-view.ts";
import { l1Validator } from "../topics/l1/l1-validator.ts";
import { lag } from "../topics/chains/lag.ts";
import type { Topic } from "../catalogue/topic.ts";
import { networkVerdict } from "../topics/validators/network-verdict.ts";
import { nodeNetwork } from "../topics/node/network.ts";
import { outdated } from "../topics/node/outdated.ts";
import { peerCount, peers } from "../topics/node/peers.ts";
import { platformBalance } from "../topics/wallets/platform-balance.ts";
import { platformBlocks } from "../topics/chains/platform-blocks.ts";
import { polling } from "../self/polling.ts";
import { quorum } from "../topics/l1/quorum.ts";
import { quorumMargin } from "../topics/l1/quorum-margin.ts";
import { liveness, readiness, subnetHealth } from "../topics/node/readiness.ts";
import { rewardVerdict } from "../topics/validators/reward-verdict.ts";
import { referenceNode } from "../topics/network/reference-node.ts";
import { chainStatus, subnetChains } from "../topics/network/subnet-chains.ts";
import { platformClock, supply } from "../topics/network/supply.ts";
import { upgradeReadiness } from "../topics/network/upgrade-readiness.ts";
import { acps, txFees, upgrades } from "../topics/network/upgrades.ts";
import { subnetUptime, uptime } from "../topics/validators/uptime.ts";
import { waitingUtxos } from "../topics/wallets/utxos.ts";
import { validatorRequirement } from "../topics/validators/validator-requirement.ts";
import { validatorView } from "../topics/validators/validator-view.ts";
import { validator } from "../topics/validators/validator.ts";
import { validators } from "../topics/validators/validators.ts";
import { watchedAddresses } from "../topics/wallets/watched-addresses.ts";

/** Every topic, in the order in which its families appear on `/metrics`. */
export const TOPICS: readonly Topic[] = [
  nodeLabels,
  polling,
  apiCertificate,
  auxiliaryNodes,
  identity,
  nodeChanges,
  blsKey,
  publicIp,
  vms,
  chainIds,
  health,
  readiness,
  liveness,
  clockSkew,
  subnetHealth,
  bootstrapped,
  chains,
  chainHeight,
  platformClock,
  chainStatus,
  evmHead,
  evmIdentity,
  evmProof,
  evmSocket,
  lag,
  nodeNetwork,
  peerCount,
  peers,
  benching,
  benched,
  uptime,
  subnetUptime,
  networkVerdict,
  referenceNode,
  upgrades,
  upgradeReadiness,
  outdated,
  acps,
  txFees,
  validators,
  validator,
  validatorRequirement,
  validatorView,
  rewardVerdict,
  disagreement,
  l1Validator,
  l1Runway,
  quorum,
  quorumMargin,
  l1ValidatorView,
  evmBlocks,
  evmForks,
  evmWallets,
  platformBlocks,
  supply,
  subnetChains,
  watchedAddresses,
  platformBalance,
  waitingUtxos,
  evmConfig,
  ...HOSTED_TOPICS,
];
