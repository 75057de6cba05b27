import type { Clock } from "../runtime/clock.ts";

/** Minimum seconds between two computations. */
const EVERY = 1;

/** A result that is computed on demand, at most once a second. Concurrent calls, and calls soon after, share one. */
export function onDemand<T>(clock: Clock, compute: () => T | Promise<T>): () => Promise<T> {
  let last: { readonly result: Promise<T>; until: number } | undefined;
  return () => {
    if (last !== undefined && clock.elapsed() < last.until) return last.result;
    const current = { result: Promise.resolve().then(compute), until: Infinity };
    last = current;
    const ended = (): void => void (current.until = clock.elapsed() + EVERY);
    current.result.then(ended, ended);
    return current.result;
  };
}
