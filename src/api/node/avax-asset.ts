import { z } from "zod";
import { base58Bytes } from "../cb58.ts";
import type { Api, KnownNetwork, TargetFacts } from "../endpoint.ts";
import { isLacking } from "./dialect.ts";
import { platformMethod } from "./platform.ts";

export const getStakingAssetID = platformMethod(
  "platform.getStakingAssetID",
  "Asset ID of the staking asset: AVAX, or that of a subnet.",
  z.object({ subnetID: z.string().optional() }),
  z.object({ assetID: z.string() }),
  { beyond: true },
);

/** Asset IDs of AVAX by the genesis of the network. */
const KNOWN_ASSETS: Readonly<Record<KnownNetwork, string>> = {
  mainnet: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z",
  fuji: "U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK",
  local: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
};

/**
 * Asset ID of AVAX: from the P-Chain, else that of a known network.
 * @throws ApiError of a failed request
 */
export async function avaxAsset(api: Api, { knownNetwork }: TargetFacts): Promise<string | undefined> {
  const answer = await api.call(getStakingAssetID, {}).catch((error: unknown) => {
    // The method is not in the specification: a server can refuse it in any words.
    if (isLacking(error, true)) return undefined;
    throw error;
  });
  return answer?.assetID ?? (knownNetwork && KNOWN_ASSETS[knownNetwork]);
}

/** An asset ID in hex, as UTXOs have it. */
export function assetHex(assetId = ""): string | undefined {
  const bytes = base58Bytes(assetId);
  return bytes?.length === 36 ? Buffer.from(bytes.subarray(0, 32)).toString("hex") : undefined;
}
