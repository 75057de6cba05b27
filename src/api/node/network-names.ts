import type { KnownNetwork } from "../endpoint.ts";

/** AvalancheGo's names of network IDs. */
export const NETWORK_NAMES: Readonly<Record<number, KnownNetwork>> = { 1: "mainnet", 5: "fuji", 12345: "local" };

/** For whoever gives a public network another name: the ID decides, and the name until it is known. */
export function knownNetworkOf(id: number | undefined, name: string | undefined): KnownNetwork | undefined {
  if (id !== undefined) return NETWORK_NAMES[id];
  return Object.values(NETWORK_NAMES).find((known) => known === name);
}
