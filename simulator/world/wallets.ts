import type { World } from "./genesis.ts";
import { segmentAt, type Network } from "./network.ts";
import type { Behaviour } from "./scenarios.ts";

/** Owners of the stakes: distinct bech32 addresses without chain prefix. */
export function ownersOf(world: World): ReadonlyArray<string> {
  return [...new Set(world.members.map(({ owner }) => owner))];
}

/** Whether any node has this behaviour: balances are the same on all nodes. */
export function walletsAt(network: Network, at: number, state: Behaviour["wallets"]): boolean {
  return network.changed.some((node) => segmentAt(network, node, at).behaviour.wallets === state);
}
