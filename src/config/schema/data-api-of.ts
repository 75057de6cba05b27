import { NOTHING_WANTED, type OnChain, type HostedSubjects } from "../../api/hosted/hosted-endpoint.ts";
import { eachOnce, given } from "./fields.ts";
import type { DataApiSection } from "./data-api-section.ts";
import type { NodeSection } from "./node-section.ts";
import type { SubnetSection } from "./subnet-section.ts";
import type { WatchSection } from "./watch-section.ts";
import type { Wallet } from "../../api/endpoint.ts";

/** How the service is reached. */
type Connection = Pick<DataApiSection, "url" | "key" | "keyHeader" | "proxyUrl" | "noProxy" | "budget">;

type Known = { readonly prefix: string; readonly cChain: string; readonly avaxAssetId: string };

/** What depends on the network; the asset ID of AVAX on its genesis. */
const NETWORKS: Readonly<Record<DataApiSection["network"], Known>> = {
  mainnet: { prefix: "avax1", cChain: "43114", avaxAssetId: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z" },
  fuji: { prefix: "fuji1", cChain: "43113", avaxAssetId: "U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK" },
};

/** The settings of the Data API. What its section omits is taken from the watch list. */
export function dataApiOf(
  { url, keyHeader, proxyUrl, noProxy, budget, key, ...asked }: DataApiSection,
  watch: WatchSection,
  subnets: readonly SubnetSection[],
  nodes: readonly NodeSection[],
): Connection & { wanted: HostedSubjects } {
  const wanted = wantedOf(asked, watch, subnets);
  // With nothing else to ask about, the validators of the polled nodes are what an operator watches.
  const own = nodes.flatMap(({ nodeId, network = wanted.network }) =>
    nodeId !== undefined && network === wanted.network ? [nodeId] : [],
  );
  const validators = asked.validators === undefined && isNothing(wanted) ? eachOnce(own) : wanted.validators;
  return { url, ...given({ key, keyHeader, proxyUrl, noProxy }), budget, wanted: { ...wanted, validators } };
}

/** Whether no request of the Data API follows. */
export function isNothing(wanted: HostedSubjects): boolean {
  const { validators, wallets, accounts, chains, contracts, collections } = wanted;
  return [validators, wallets, accounts, chains, contracts, collections].every((subjects) => subjects.length === 0);
}

function wantedOf(
  asked: Omit<DataApiSection, keyof Connection>,
  watch: WatchSection,
  subnets: readonly SubnetSection[],
): HostedSubjects {
  const { network, collections, ...rest } = asked;
  const { prefix, cChain, avaxAssetId } = NETWORKS[network];
  const watched = watch.addresses.map(({ address }) => bare(address)).filter((address) => address.startsWith(prefix));
  const wallets = eachOnce(asked.wallets?.map(bare) ?? watched);
  const accounts =
    asked.accounts?.flatMap(({ address, chains }) => chains.map((chain) => ({ chain, address }))) ??
    watchedAccounts(watch.addresses, cChain, asked.chains, subnets);
  const validators = [...watch.validators, ...(watch.validatorsByNetwork[network] ?? [])];
  return {
    ...NOTHING_WANTED,
    ...rest,
    network,
    avaxAssetId: asked.avaxAssetId ?? avaxAssetId,
    validators: eachOnce(asked.validators ?? validators),
    wallets,
    accounts,
    names: addressNames([...wallets, ...accounts.map(({ address }) => address)], watch.addresses),
    collections: collections.map(({ chain, address }) => ({ chain, address })),
    nfts: collections.flatMap(({ chain, address, token_ids: ids }) =>
      ids.map((tokenId) => ({ chain, address, tokenId })),
    ),
  };
}

/** The address without its chain prefix, as the hosted services return it. */
const bare = (address: string): string => address.replace(/^[PXC]-/, "");

/** Accounts on the C-Chain and on their other chains among `indexed`, because the service does not index every chain. */
function watchedAccounts(
  addresses: readonly Wallet[],
  cChain: string,
  indexed: readonly string[],
  subnets: readonly SubnetSection[],
): readonly OnChain[] {
  const chains = subnets.flatMap((subnet) => subnet.chains);
  const idOf = (word: string): string | undefined => {
    if (word === "C") return cChain;
    const id = String(chains.find(({ id, name }) => id === word || name === word)?.evmChainId);
    return indexed.includes(id) ? id : undefined;
  };
  return addresses
    .filter(({ address }) => address.startsWith("0x"))
    .flatMap(({ address, chains: words }) => words.map((word) => ({ chain: idOf(word), address })))
    .filter((account): account is OnChain => account.chain !== undefined);
}

/** The name of each address: its name in the watch list, or the address itself. */
function addressNames(addresses: readonly string[], watched: readonly Wallet[]): ReadonlyMap<string, string> {
  // The same address can be watched on P and on C under two names: the first one applies.
  const named = watched.filter(({ name, address }) => name !== address).toReversed();
  const names = new Map(named.map(({ address, name }) => [bare(address).toLowerCase(), name]));
  return new Map(addresses.map((address) => [address, names.get(address.toLowerCase()) ?? address]));
}
