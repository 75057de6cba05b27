import type { L1Validation } from "./genesis.ts";
import { behaviourAt, heldSince, type Network } from "./network.ts";

/** Until when the balances of L1 validators last. */

/** nAVAX per second and validator. */
export const VALIDATOR_PRICE = 512;

/** Seconds from the change until a balance is used up. */
const LASTS_SECONDS = { short: 6 * 3600, "running-dry": 25 * 60 } as const;

/** Time of the P-Chain at which the balance of a validation is used up, Unix seconds; minus infinity if it never had one. */
export function paidUntil(network: Network, validation: L1Validation, at: number): number {
  const { l1Balance } = behaviourAt(network, validation.member, at);
  if (l1Balance === "drained" || validation.balance === 0) return Number.NEGATIVE_INFINITY;
  if (l1Balance === "paid") return network.world.settings.start / 1000 + validation.balance / VALIDATOR_PRICE;
  return Math.floor(heldSince(network, validation.member, at, "l1Balance") / 1000) + LASTS_SECONDS[l1Balance];
}
