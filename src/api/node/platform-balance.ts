import { z } from "zod";
import { keyedEndpoint } from "../endpoint.ts";
import { platformMethod } from "./platform.ts";
import { walletsOf } from "./wallets.ts";
import { list, map, navax, uint64 } from "../wire.ts";

/** P-Chain API: balances of watched addresses. */

const amounts = z.object({
  /** Totals, nAVAX on the wire; the specification has them only in its example. */
  unlocked: navax.optional(),
  lockedStakeable: navax.optional(),
  lockedNotStakeable: navax.optional(),
  /** By asset ID. */
  unlockeds: map(uint64),
  lockedStakeables: map(uint64),
  lockedNotStakeables: map(uint64),
  utxoIDs: list(z.unknown()),
});

/** AVAX; `undefined` if the answer has several assets and no totals. */
type PlatformBalance = {
  readonly unlocked: number | undefined;
  readonly lockedStakeable: number | undefined;
  readonly lockedNotStakeable: number | undefined;
  /** UTXOs that refer to the address. */
  readonly utxos: number;
};

const balanceResult = amounts.transform((found): PlatformBalance => ({
  unlocked: found.unlocked ?? onlyAsset(found.unlockeds),
  lockedStakeable: found.lockedStakeable ?? onlyAsset(found.lockedStakeables),
  lockedNotStakeable: found.lockedNotStakeable ?? onlyAsset(found.lockedNotStakeables),
  utxos: found.utxoIDs.length,
}));

/** The P-Chain has AVAX and, rarely, assets of elastic subnets: a single asset is taken for AVAX. */
function onlyAsset(byAsset: Readonly<Record<string, bigint>>): number | undefined {
  const values = Object.values(byAsset);
  if (values.length > 1) return undefined;
  return navax.parse(String(values[0] ?? 0n));
}

export const balanceMethods = {
  getBalance: platformMethod(
    "platform.getBalance",
    "Balance of addresses together, by asset (deprecated as of v1.9.12).",
    z.object({ addresses: z.array(z.string()) }),
    balanceResult,
  ),
  getStakingAssetID: platformMethod(
    "platform.getStakingAssetID",
    "Asset ID of the staking asset: AVAX, or that of a subnet.",
    z.object({ subnetID: z.string().optional() }),
    z.object({ assetID: z.string() }),
    { beyond: true },
  ),
};

/** Keyed by watched `P-…` address: an answer for several addresses would be their sum. */
export const PlatformBalances = keyedEndpoint<PlatformBalance>({
  id: "platform.getBalance",
  about: "Balance of each watched P-Chain address.",
  scope: "network",
  every: 60,
  keys: (facts) => walletsOf(facts, "P-").map(({ address }) => address),
  ask: (api, address) => api.call(balanceMethods.getBalance, { addresses: [address] }),
});
