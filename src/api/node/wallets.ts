import type { TargetFacts, Wallet } from "../endpoint.ts";

/** Human-readable parts of the addresses on networks with a name of their own. */
const PREFIXES: Readonly<Record<string, string>> = { mainnet: "avax", fuji: "fuji", local: "local" };

/** The human-readable part of the addresses on a network; unknown where the configuration gives the network another name. */
function addressPrefix(network: string | undefined): string | undefined {
  // A node calls every other network by its number.
  return PREFIXES[network ?? ""] ?? (/^network-\d+$/.test(network ?? "") ? "custom" : undefined);
}

/** Whether an address can be of this network. Bech32 addresses name it; `0x…` addresses do not. */
export function isOfNetwork(address: string, network: string | undefined): boolean {
  const expected = addressPrefix(network);
  return expected === undefined || address.startsWith("0x") || address.slice(2).startsWith(`${expected}1`);
}

/** Watched wallets on a chain (`P-`, `C-`) that can be of the target's network. */
export function walletsOf({ addresses, network }: TargetFacts, chain: "P-" | "C-"): readonly Wallet[] {
  return addresses.filter(({ address }) => address.startsWith(chain) && isOfNetwork(address, network));
}

/** Name of the watched wallet with this address; the address if it is no longer watched. */
export function walletName({ addresses }: TargetFacts, address: string): string {
  return addresses.find((wallet) => wallet.address === address)?.name ?? address;
}
