import type { L1Validation } from "./genesis.ts";
import { blockSeconds, heightOf } from "./heights.ts";
import { paidUntil, VALIDATOR_PRICE } from "./l1-balances.ts";
import type { Network } from "./network.ts";

/** L1 validators pay a fee per second from a balance. Without a balance they are inactive and keep their weight. */

/** P-Chain time of a node, Unix seconds: that of its last accepted block. */
export function chainClock(network: Network, index: number, at: number): number {
  return blockSeconds(network, "P", heightOf(network, index, "P", at));
}

/** Balance of a validation on a node, in nAVAX. */
export function balanceOf(network: Network, index: number, validation: L1Validation, at: number): number {
  const clock = Math.max(chainClock(network, index, at), network.world.settings.start / 1000);
  return Math.max(0, Math.round(VALIDATOR_PRICE * (paidUntil(network, validation, at) - clock)));
}

/** Validations of the L1 without a balance, as a node sees them. */
export function isInactive(network: Network, index: number, validation: L1Validation, at: number): boolean {
  return balanceOf(network, index, validation, at) === 0;
}
