import type { Clock } from "../runtime/clock.ts";
import { createTimeSlices } from "../runtime/time-slices.ts";
import type { Work } from "../runtime/work.ts";

/** Minimum seconds between two computations, and the maximum share of time that they take. */
const EVERY = 1;
const SHARE = 0.1;

/**
 * A result that is computed on demand in time slices, at most once a second and a tenth of the time. Concurrent calls, and calls
 * soon after, share one.
 */
export function onDemand<T>(clock: Clock, compute: () => Work<T> | Promise<Work<T>>): () => Promise<T> {
  const slices = createTimeSlices(clock);
  let last: { readonly result: Promise<T>; until: number } | undefined;

  /** Runs the work in time slices. */
  function inSlices(work: Work<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    slices.run({
      next() {
        try {
          const step = work.next();
          if (step.done !== true) return { done: false, value: undefined };
          resolve(step.value);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        return { done: true, value: undefined };
      },
    });
    return promise;
  }

  return () => {
    const started = clock.elapsed();
    if (last !== undefined && started < last.until) return last.result;
    const current = { result: Promise.resolve().then(compute).then(inSlices), until: Infinity };
    last = current;
    const ended = (): void => {
      current.until = started + Math.max(EVERY, (clock.elapsed() - started) / SHARE);
    };
    current.result.then(ended, ended);
    return current.result;
  };
}
