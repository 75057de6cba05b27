import type { L1Validation } from "./genesis.ts";
import { blockSeconds, heightOf, segmentAt, type Network } from "./network.ts";

/** The L1's validators pay by the second out of a balance; without balance they turn inactive and keep their weight. */

/** nAVAX per second and validator. */
export const VALIDATOR_PRICE = 512;

/** How long a short balance lasts. */
const SHORT_SECONDS = 6 * 3600;

/** A node's P-Chain clock, unix seconds: the time of its last accepted block. */
export function chainClock(network: Network, index: number, at: number): number {
  return blockSeconds(network.world, "P", heightOf(network, index, "P", at));
}

/** What is left of a validation's balance in nAVAX as a node's P-Chain has it. */
export function balanceOf(network: Network, index: number, validation: L1Validation, at: number): number {
  const clock = chainClock(network, index, at);
  const { from, behaviour } = segmentAt(network, validation.member, at);
  // Scenarios take effect at once and not with the next block, so that they can be seen without waiting.
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
