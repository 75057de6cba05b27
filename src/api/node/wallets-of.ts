import type { KnownNetwork, TargetFacts, Wallet } from "../endpoint.ts";

/** Human-readable parts of the addresses on networks with one of their own. */
const PREFIXES: Readonly<Record<KnownNetwork, string>> = { mainnet: "avax", fuji: "fuji", local: "local" };

type Network = Pick<TargetFacts, "network" | "knownNetwork">;

/** The human-readable part of the addresses on a network; unknown where the configuration gives the network another name. */
function addressPrefix({ network = "", knownNetwork }: Network): string | undefined {
  if (knownNetwork !== undefined) return PREFIXES[knownNetwork];
  // A node calls every other network by its number.
  return /^network-\d+$/.test(network) ? "custom" : undefined;
}

/** Whether an address can be of this network. Bech32 addresses name it; `0x…` addresses do not. */
export function isOfNetwork(address: string, network: Network): boolean {
  const expected = addressPrefix(network);
  return expected === undefined || address.startsWith("0x") || address.slice(2).startsWith(`${expected}1`);
}

/** Watched wallets on a chain (`P-`, `C-`) that can be of the target's network. */
export function walletsOf(facts: TargetFacts, chain: "P-" | "C-"): readonly Wallet[] {
  return facts.addresses.filter(({ address }) => address.startsWith(chain) && isOfNetwork(address, facts));
}

/** Name of the watched wallet with this address; the address if it is no longer watched. */
export function walletName({ addresses }: TargetFacts, address: string): string {
  return addresses.find((wallet) => wallet.address === address)?.name ?? address;
}
