import type { L1Validation } from "./genesis.ts";
import { blockSeconds, heightOf, segmentAt, type Network } from "./network.ts";

/** L1 validators pay a fee per second from a balance. Without a balance they are inactive and keep their weight. */

/** nAVAX per second and validator. */
export const VALIDATOR_PRICE = 512;

/** Duration of the behaviour "short". */
const SHORT_SECONDS = 6 * 3600;

/** P-Chain time of a node, Unix seconds: that of its last accepted block. */
export function chainClock(network: Network, index: number, at: number): number {
  return blockSeconds(network.world, "P", heightOf(network, index, "P", at));
}

/** Balance of a validation on a node, in nAVAX. */
export function balanceOf(network: Network, index: number, validation: L1Validation, at: number): number {
  const clock = chainClock(network, index, at);
  const { from, behaviour } = segmentAt(network, validation.member, at);
  // Scenarios take effect immediately, not with the next block.
  if (behaviour.l1Balance === "drained") return 0;
  if (behaviour.l1Balance === "short" && validation.balance > 0)
    return Math.max(0, VALIDATOR_PRICE * (SHORT_SECONDS - Math.max(0, clock - Math.floor(from / 1000))));
  return Math.max(0, validation.balance - VALIDATOR_PRICE * Math.max(0, clock - network.world.settings.start / 1000));
}

/** Weight of the L1's validations that have no balance. */
export function inactiveWeight(network: Network, index: number, at: number): number {
  return network.world.validations
    .filter((validation) => balanceOf(network, index, validation, at) === 0)
    .reduce((sum, { weight }) => sum + weight, 0);
}
