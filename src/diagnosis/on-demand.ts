import type { Clock } from "../runtime/clock.ts";

/** Seconds for which a result is shared: at least, and at most, as long as between two diagnoses in the background. */
const SHARED = { least: 1, most: 30 };
/** Computations take at most this share of the time. Without it twenty open pages of 200 nodes took a fifth of a core. */
const SHARE = 0.02;

/**
 * A result that is computed on demand, at most once a second, and less often the longer it takes. Concurrent calls, and calls soon
 * after, share one.
 */
export function onDemand<T>(clock: Clock, compute: () => T | Promise<T>): () => Promise<T> {
  let last: { readonly result: Promise<T>; until: number } | undefined;
  return () => {
    if (last !== undefined && clock.elapsed() < last.until) return last.result;
    const began = clock.elapsed();
    const current = { result: Promise.resolve().then(compute), until: Infinity };
    last = current;
    const ended = (): void => {
      const now = clock.elapsed();
      current.until = now + Math.min(SHARED.most, Math.max(SHARED.least, (now - began) / SHARE));
    };
    current.result.then(ended, ended);
    return current.result;
  };
}
