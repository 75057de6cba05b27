import { benched, benching } from "./benched.ts";
import { bootstrapped, chains, platformHeight } from "./chains.ts";
import { clockSkew } from "./clock-skew.ts";
import { disagreement } from "./disagreement.ts";
import { evmBlocks } from "./evm-blocks.ts";
import { evmConfig } from "./evm-config.ts";
import { evmHead } from "./evm-head.ts";
import { evmForks, evmIdentity } from "./evm-identity.ts";
import { evmProof } from "./evm-proof.ts";
import { evmSocket } from "./evm-socket.ts";
import { evmWallets } from "./evm-wallets.ts";
import { health } from "./health.ts";
import { helpers } from "./helpers.ts";
import { blsKey, chainIds, identity, nodeChanges, nodeLabels, publicIp, vms } from "./identity.ts";
import { HOSTED_TOPICS } from "./hosted-topics.ts";
import { l1Runway } from "./l1-runway.ts";
import { l1ValidatorView } from "./l1-validator-view.ts";
import { l1Validator } from "./l1-validator.ts";
import { lag } from "./lag.ts";
import type { Topic } from "./metric.ts";
import { networkVerdict } from "./network-verdict.ts";
import { nodeNetwork } from "./node-network.ts";
import { outdated } from "./outdated.ts";
import { peers } from "./peers.ts";
import { platformBalance } from "./platform-balance.ts";
import { platformBlocks } from "./platform-blocks.ts";
import { polling } from "./polling.ts";
import { quorum } from "./quorum.ts";
import { quorumMargin } from "./quorum-margin.ts";
import { liveness, readiness, subnetHealth } from "./readiness.ts";
import { rewardVerdict } from "./reward-verdict.ts";
import { speaker } from "./speaker.ts";
import { chainStatus, subnetChains } from "./subnet-chains.ts";
import { platformClock, supply } from "./supply.ts";
import { upgradeReadiness } from "./upgrade-readiness.ts";
import { acps, txFees, upgrades } from "./upgrades.ts";
import { subnetUptime, uptime } from "./uptime.ts";
import { waitingUtxos } from "./utxos.ts";
import { validatorRequirement } from "./validator-requirement.ts";
import { validatorView } from "./validator-view.ts";
import { validator } from "./validator.ts";
import { validators } from "./validators.ts";
import { watchedAddresses } from "./watched-addresses.ts";

/** The catalogue: every topic, in the order in which its families appear on `/metrics`. */
export const TOPICS: readonly Topic[] = [
  nodeLabels,
  polling,
  helpers,
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
  platformHeight,
  platformClock,
  chainStatus,
  evmHead,
  evmIdentity,
  evmProof,
  evmSocket,
  lag,
  nodeNetwork,
  peers,
  benching,
  benched,
  uptime,
  subnetUptime,
  networkVerdict,
  speaker,
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
