import { NOTHING_WANTED, type OnChain, type Wanted } from "../../api/hosted/hosted.ts";
import { eachOnce, given } from "./fields.ts";
import type { DataApiSection } from "./hosted-section.ts";
import type { NodeSection } from "./node-section.ts";
import type { SubnetSection } from "./subnet-section.ts";
import type { WatchSection } from "./watch-section.ts";
import type { Wallet } from "../../api/endpoint.ts";

/** The asset ID of AVAX, which depends on the network's genesis. */
const AVAX_ASSETS = {
  mainnet: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z",
  fuji: "U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK",
} as const satisfies Readonly<Record<DataApiSection["network"], string>>;

/** The settings of the Data API. What its section omits is taken from the watch list. */
export function dataApiOf(
  { url, keyHeader, budget, key, ...asked }: DataApiSection,
  watch: WatchSection,
  subnets: readonly SubnetSection[],
  nodes: readonly NodeSection[],
) {
  const wanted = wantedOf(asked, watch, subnets);
  // With nothing else to ask about, the validators of the polled nodes are what an operator watches.
  const own = nodes.flatMap(({ nodeId, network = wanted.network }) =>
    nodeId !== undefined && network === wanted.network ? [nodeId] : [],
  );
  const validators = asked.validators === undefined && isNothing(wanted) ? eachOnce(own) : wanted.validators;
  return { url, keyHeader, ...given({ key }), budget, wanted: { ...wanted, validators } };
}

/** Whether no request of the Data API follows. */
export function isNothing(wanted: Wanted): boolean {
  const { validators, wallets, accounts, chains, contracts, collections } = wanted;
  return [validators, wallets, accounts, chains, contracts, collections].every((subjects) => subjects.length === 0);
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
  const watched = [...watch.validators, ...(watch.validatorsByNetwork[network] ?? [])];
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

/** Converts `watch.addresses` to the wallets, accounts and chains of the Data API. */

type Known = { readonly prefix: string; readonly cChain: string };

const NETWORKS: Readonly<Record<string, Known>> = {
  mainnet: { prefix: "avax", cChain: "43114" },
  fuji: { prefix: "fuji", cChain: "43113" },
};

/** The address without its chain prefix, as the hosted services return it. */
const bare = (address: string): string => address.replace(/^[PXC]-/, "");

/** Bech32 addresses of a network, without duplicates. */
function watchedWallets(addresses: readonly Wallet[], network: string): readonly string[] {
  const start = `${NETWORKS[network]?.prefix ?? ""}1`;
  return [...new Set(addresses.map(({ address }) => bare(address)))].filter((address) => address.startsWith(start));
}

/** Accounts on the C-Chain and on their other chains among `indexed`, because the service does not index every chain. */
function watchedAccounts(
  addresses: readonly Wallet[],
  network: string,
  indexed: readonly string[],
  subnets: readonly SubnetSection[],
): readonly OnChain[] {
  const chains = subnets.flatMap((subnet) => subnet.chains);
  const idOf = (word: string): string | undefined => {
    if (word === "C") return NETWORKS[network]?.cChain;
    const id = String(chains.find(({ id, name }) => id === word || name === word)?.evmChainId);
    return indexed.includes(id) ? id : undefined;
  };
  return addresses
    .filter(({ address }) => address.startsWith("0x"))
    .flatMap(({ address, chains: words }) =>
      words.flatMap((word) => {
        const chain = idOf(word);
        return chain === undefined ? [] : [{ chain, address }];
      }),
    );
}

/** The name of each address: its name in the watch list, or the address itself. */
function addressNames(addresses: readonly string[], watched: readonly Wallet[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { address, name } of watched) {
    const key = bare(address).toLowerCase();
    // The same address can be watched on P and on C under two names: the first one applies.
    if (name !== address && !names.has(key)) names.set(key, name);
  }
  return new Map(addresses.map((address) => [address, names.get(address.toLowerCase()) ?? address]));
}
