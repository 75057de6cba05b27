import { NOTHING_WANTED, type Wanted } from "../../api/hosted/hosted.ts";
import { eachOnce, given } from "./fields.ts";
import type { DataApiSection } from "./hosted-section.ts";
import type { SubnetSection } from "./subnet-section.ts";
import { addressNames, watchedAccounts, watchedWallets } from "./watched-on-hosted.ts";
import type { WatchSection } from "./watch-section.ts";

/** The asset ID of AVAX, which depends on the network's genesis. */
const AVAX_ASSETS = {
  mainnet: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z",
  fuji: "U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK",
  testnet: "U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK",
} as const satisfies Readonly<Record<DataApiSection["network"], string>>;

/** The settings of the Data API. What its section omits is taken from the watch list. */
export function dataApiOf(
  { url, keyHeader, budget, key, ...asked }: DataApiSection,
  watch: WatchSection,
  subnets: readonly SubnetSection[],
) {
  return { url, keyHeader, ...given({ key }), budget, wanted: wantedOf(asked, watch, subnets) };
}

function wantedOf(
  asked: Omit<DataApiSection, "url" | "key" | "keyHeader" | "budget">,
  watch: WatchSection,
  subnets: readonly SubnetSection[],
): Wanted {
  const { network, avaxAssetId, collections, ...rest } = asked;
  const named = asked.wallets?.map((address) => address.replace(/^[PXC]-/, ""));
  const wallets = eachOnce(named ?? watchedWallets(watch.addresses, network));
  const accounts =
    asked.accounts?.flatMap(({ address, chains }) => chains.map((chain) => ({ chain, address }))) ??
    watchedAccounts(watch.addresses, network, asked.chains, subnets);
  const watched = [...watch.validators, ...(watch.validatorsByNetwork[network === "testnet" ? "fuji" : network] ?? [])];
  return {
    ...NOTHING_WANTED,
    ...rest,
    network,
    avaxAssetId: avaxAssetId ?? AVAX_ASSETS[network],
    validators: eachOnce(asked.validators ?? watched),
    wallets,
    accounts,
    names: addressNames([...wallets, ...accounts.map(({ address }) => address)], watch.addresses),
    collections: collections.map(({ chain, address }) => ({ chain, address })),
    nfts: collections.flatMap(({ chain, address, token_ids: ids }) =>
      ids.map((tokenId) => ({ chain, address, tokenId })),
    ),
  };
}
