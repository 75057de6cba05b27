import type { Clock } from "../../runtime/clock.ts";

/** Seconds between two lines about the same thing. */
const EVERY = 60;
/** Keys that are known at once: a node also chooses the name of its network. */
const MOST_KEYS = 10_000;

/**
 * Limits lines about what a node can cause as often as it likes, such as a change of its ID: the first one of a minute is logged.
 * @returns for a key, the number of lines left out since the last one; `undefined` if this one is left out too
 */
export function createLogLimit(clock: Clock): (key: string) => number | undefined {
  const known = new Map<string, { at: number; omitted: number }>();
  return (key) => {
    const now = clock.elapsed();
    const last = known.get(key);
    if (last !== undefined && now - last.at < EVERY) {
      last.omitted++;
      return undefined;
    }
    if (known.size >= MOST_KEYS) known.clear();
    known.set(key, { at: now, omitted: 0 });
    return last?.omitted ?? 0;
  };
}
