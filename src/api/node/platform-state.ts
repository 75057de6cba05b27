import { z } from "zod";
import { getStakingAssetID } from "./avax-asset.ts";
import { confirming, endpoint, keyedEndpoint, methodEndpoint, orFact } from "../endpoint.ts";
import { platformMethod, PRIMARY, subnetIds } from "./platform.ts";
import { count, list, map, navax, text, timestamp, uint64 } from "../wire.ts";

/** P-Chain API: supply, chain time, the fee of L1 validators, and blockchains. */

const supplyResult = z.object({
  /** nAVAX on the Primary Network, the smallest unit of the asset elsewhere. */
  supply: uint64,
});

const feeState = z.object({
  /** AVAX per second and validator (nAVAX on the wire). */
  price: navax,
  excess: count.optional(),
  /** Chain time of the P-Chain, at which the balances apply. Unix seconds. */
  timestamp,
});
export type ValidatorFee = z.infer<typeof feeState>;

const blockchain = z.object({ id: text, name: text, subnetID: text, vmID: text });
export type Blockchain = z.infer<typeof blockchain>;

const balanceResult = z.object({
  /** Totals of AVAX (nAVAX on the wire); the specification has them only in its example. */
  unlocked: navax.optional(),
  lockedStakeable: navax.optional(),
  lockedNotStakeable: navax.optional(),
  /** By asset ID. */
  unlockeds: map(uint64),
  lockedStakeables: map(uint64),
  lockedNotStakeables: map(uint64),
  utxoIDs: list(z.unknown()),
});

export const stateMethods = {
  getCurrentSupply: platformMethod(
    "platform.getCurrentSupply",
    "Upper bound of the supply of a staking asset: burnt tokens and fees are not subtracted.",
    z.object({ subnetID: z.string().optional() }),
    supplyResult,
  ),
  getTimestamp: platformMethod(
    "platform.getTimestamp",
    "Chain time of the P-Chain, which advances with its blocks.",
    z.object({}),
    z.object({ timestamp }),
    { beyond: true },
  ),
  getValidatorFeeState: platformMethod(
    "platform.getValidatorFeeState",
    "Current fee of an L1 validator per second, and the chain time at which balances apply.",
    z.object({}),
    feeState,
    { beyond: true },
  ),
  getBlockchains: platformMethod(
    "platform.getBlockchains",
    "Every blockchain except the P-Chain (large: all ever created).",
    z.object({}),
    z.object({ blockchains: list(blockchain) }),
  ),
  getBlockchainStatus: platformMethod(
    "platform.getBlockchainStatus",
    "Status of a blockchain on this node: Validating, Created, Preferred, Syncing or Unknown.",
    z.object({ blockchainID: z.string() }),
    z.object({ status: text }),
  ),
  getBalance: platformMethod(
    "platform.getBalance",
    "Balance of addresses together, by asset (deprecated as of v1.9.12).",
    z.object({ addresses: z.array(z.string()) }),
    balanceResult,
  ),
  getStakingAssetID,
};

/** `undefined` without a staking asset: for a permissioned subnet or an L1 the node reports "not found". */
export type Supply = { readonly supply: bigint | undefined };

const NO_STAKING_ASSET = /not found/i;

/** Keyed by `primary` and subnet ID. */
export const CurrentSupply = keyedEndpoint<Supply>({
  id: "platform.getCurrentSupply",
  about: "Supply of AVAX and of each configured elastic subnet's staking asset.",
  scope: "network",
  every: 300,
  keys: subnetIds,
  ask: (api, subnet) =>
    subnet === PRIMARY
      ? api.call(stateMethods.getCurrentSupply, {})
      : orFact<Supply>(api.call(stateMethods.getCurrentSupply, { subnetID: subnet }), NO_STAKING_ASSET, {
          supply: undefined,
        }),
});

export const PlatformTimestamp = methodEndpoint(stateMethods.getTimestamp, {
  scope: "node",
  every: 30,
  optional: true,
});

/** Polled only if a subnet is configured: only L1 validators pay this fee. */
export const ValidatorFeeState = methodEndpoint(stateMethods.getValidatorFeeState, {
  scope: "network",
  every: 60,
  optional: true,
  when: ({ subnets }) => subnets.length > 0,
});

export const SecondFeeState = confirming(ValidatorFeeState);

/** Polled only if a subnet is configured: the answer has every blockchain ever created, which `total` counts. Deprecated upstream. */
export const Blockchains = endpoint({
  id: "platform.getBlockchains",
  about: "Blockchains of the configured subnets.",
  scope: "network",
  every: 3600,
  timeout: 30,
  optional: true,
  when: ({ subnets }) => subnets.length > 0,
  ask: async (api, _key, { subnets }) => {
    const { blockchains } = await api.call(stateMethods.getBlockchains, {});
    const wanted = new Set(subnets.map(({ id }) => id));
    return { total: blockchains.length, blockchains: blockchains.filter(({ subnetID }) => wanted.has(subnetID)) };
  },
});

/** Keyed by blockchain ID or alias. `P` is always Syncing on a real node: no transaction created it. */
export const BlockchainStatus = keyedEndpoint({
  id: "platform.getBlockchainStatus",
  about: "Status of each chain on this node: validated, followed, or not run.",
  scope: "node",
  every: 60,
  keys: ({ chains }) => chains.map(({ id }) => id),
  ask: (api, blockchainID) => api.call(stateMethods.getBlockchainStatus, { blockchainID }),
});
