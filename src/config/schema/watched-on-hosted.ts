import type { Wallet } from "../../api/endpoint.ts";
import type { OnChain } from "../../api/hosted/hosted.ts";
import type { SubnetSection } from "./subnet-section.ts";

/** Converts `watch.addresses` to the wallets, accounts and chains of the Data API. */

type Known = { readonly prefix: string; readonly cChain: string };

const FUJI: Known = { prefix: "fuji", cChain: "43113" };
const NETWORKS: Readonly<Record<string, Known>> = {
  mainnet: { prefix: "avax", cChain: "43114" },
  fuji: FUJI,
  testnet: FUJI,
};

/** The address without its chain prefix, as the hosted services return it. */
const bare = (address: string): string => address.replace(/^[PXC]-/, "");

/** Bech32 addresses of a network, without duplicates. */
export function watchedWallets(addresses: readonly Wallet[], network: string): readonly string[] {
  const start = `${NETWORKS[network]?.prefix ?? ""}1`;
  return [...new Set(addresses.map(({ address }) => bare(address)))].filter((address) => address.startsWith(start));
}

/** Accounts on the C-Chain and on their other chains among `indexed`, because the service does not index every chain. */
export function watchedAccounts(
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
export function addressNames(addresses: readonly string[], watched: readonly Wallet[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { address, name } of watched) {
    const key = bare(address).toLowerCase();
    // The same address can be watched on P and on C under two names: the first one applies.
    if (name !== address && !names.has(key)) names.set(key, name);
  }
  return new Map(addresses.map((address) => [address, names.get(address.toLowerCase()) ?? address]));
}
