import type { World } from "./genesis.ts";
import { segmentAt, type Network } from "./network.ts";
import type { Behaviour } from "./scenarios.ts";

/** The addresses (bech32, without chain) that own the stakes, each once. */
export function ownersOf(world: World): ReadonlyArray<string> {
  return [...new Set(world.members.map(({ owner }) => owner))];
}

/** Whether wallets are in that state: whichever node the scenario was set on, it is the network's. */
export function walletsAt(network: Network, at: number, state: Behaviour["wallets"]): boolean {
  return network.changed.some((node) => segmentAt(network, node, at).behaviour.wallets === state);
}
