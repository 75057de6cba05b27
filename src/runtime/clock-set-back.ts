import type { Clock } from "../runtime/clock.ts";

/** A clock may be set back by so many seconds without notice: polls come as much later, and answers go as much later. */
const TOLERATED = 10;

/** Looks at the clock each time it is called, and tells `noticed` when the clock was set back since the last time, and by how many seconds. */
export function watchForSetBack(clock: Pick<Clock, "now">, noticed: (seconds: number) => void): () => void {
  let last = clock.now();
  return () => {
    const now = clock.now();
    const seconds = last - now;
    last = now;
    if (seconds > TOLERATED) noticed(seconds);
  };
}
