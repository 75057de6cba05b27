import { z } from "zod";
import { keyedEndpoint, methodEndpoint, orFact } from "../endpoint.ts";
import { platformMethod, PRIMARY, subnetIds } from "./platform.ts";
import { timestamp, uint64 } from "../wire.ts";

/** P-Chain API: supply of the staking assets, and the chain time. */

const supplyResult = z.object({
  /** nAVAX on the Primary Network, the smallest unit of the asset elsewhere. */
  supply: uint64,
});

export const supplyMethods = {
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
      ? api.call(supplyMethods.getCurrentSupply, {})
      : orFact<Supply>(api.call(supplyMethods.getCurrentSupply, { subnetID: subnet }), NO_STAKING_ASSET, {
          supply: undefined,
        }),
});

export const PlatformTimestamp = methodEndpoint(supplyMethods.getTimestamp, {
  scope: "node",
  every: 30,
  optional: true,
});
