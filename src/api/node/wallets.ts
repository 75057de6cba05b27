import type { TargetFacts, Wallet } from "../endpoint.ts";

/** Human-readable parts of the addresses of networks that everybody knows. */
const PREFIXES: Readonly<Record<string, string>> = { mainnet: "avax", fuji: "fuji", local: "local" };

/** Whether an address may be of this network: bech32 tells it where everybody knows the network, `0x…` never does. */
export function isOfNetwork(address: string, network: string | undefined): boolean {
  const expected = PREFIXES[network ?? ""];
  return expected === undefined || address.startsWith("0x") || address.slice(2).startsWith(`${expected}1`);
}

/** Watched wallets on a chain (`P-`, `C-`) that are of the target's network, as far as the address tells. */
export function walletsOf({ addresses, network }: TargetFacts, chain: "P-" | "C-"): readonly Wallet[] {
  return addresses.filter(({ address }) => address.startsWith(chain) && isOfNetwork(address, network));
}

/** The name of the watched wallet with this address; the address itself when nobody watches it any more. */
export function walletName({ addresses }: TargetFacts, address: string): string {
  return addresses.find((wallet) => wallet.address === address)?.name ?? address;
}
