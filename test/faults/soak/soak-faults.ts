import { GROUPS } from "../rows/groups.ts";
import type { Row } from "../support/row.ts";

/**
 * Faults whose answers take the simulator itself seconds to make: all simulated nodes are in one process, and while it makes them
 * the others would not answer. `npm run test:faults` has them.
 */
const TOO_EXPENSIVE: ReadonlySet<string> = new Set([
  "peers-100000",
  "validators-50000",
  "million-entries",
  "checks-10000",
  "gzip-bomb",
]);

/**
 * The rows of the fault table that can begin at any node at any time: without those that need another address, a certificate or
 * other settings of the node from its start on.
 */
export const SOAK_FAULTS: readonly Row[] = GROUPS.flatMap(({ rows }) => rows).filter(
  ({ id, url, server, behave }) =>
    url === undefined &&
    (server === undefined || id.startsWith("socket-")) &&
    !TOO_EXPENSIVE.has(id) &&
    Object.keys(behave()).length > 0,
);

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An element of a list that is not empty. */
export function pick<T>(random: () => number, list: readonly T[]): T {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new Error("nothing to choose from");
  return found;
}

/** So many different numbers below `limit`. */
export function pickIndices(random: () => number, count: number, limit: number): readonly number[] {
  const left = Array.from({ length: limit }, (_, index) => index);
  return Array.from({ length: Math.min(count, limit) }, () => {
    const [taken = 0] = left.splice(Math.floor(random() * left.length), 1);
    return taken;
  });
}
