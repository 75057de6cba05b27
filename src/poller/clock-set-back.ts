import type { Clock } from "../runtime/clock.ts";

/** Seconds by which the clock can be set back without a reaction: polls and expiry are late by no more than that. */
const TOLERATED = 10;

/** Returns a check of the clock that calls `noticed` with the seconds by which it was set back since the last check. */
export function watchForSetBack(clock: Pick<Clock, "now">, noticed: (seconds: number) => void): () => void {
  let last = clock.now();
  return () => {
    const now = clock.now();
    const seconds = last - now;
    last = now;
    if (seconds > TOLERATED) noticed(seconds);
  };
}
