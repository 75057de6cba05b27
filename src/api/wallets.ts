import type { Subject, Wallet } from "./endpoint.ts";

/** Human-readable parts of the addresses of networks that everybody knows. */
const PREFIXES: Readonly<Record<string, string>> = { mainnet: "avax", fuji: "fuji", local: "local" };

/** Watched wallets on a chain (`P-`, `C-`) that are of the subject's network, as far as the address tells. */
export function walletsOf({ addresses, network }: Subject, chain: "P-" | "C-"): readonly Wallet[] {
  const expected = PREFIXES[network ?? ""];
  const start = expected === undefined ? chain : `${chain}${expected}1`;
  return addresses.filter(({ address }) => address.startsWith(start));
}

/** The name of the watched wallet with this address; the address itself when nobody watches it any more. */
export function walletName({ addresses }: Subject, address: string): string {
  return addresses.find((wallet) => wallet.address === address)?.name ?? address;
}
