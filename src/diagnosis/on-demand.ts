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
  const inSlices = createSlicer(clock);
  let last: { readonly result: Promise<T>; until: number } | undefined;

  return () => {
    const started = clock.elapsed();
    if (last !== undefined && started < last.until) return last.result;
    const current = {
      result: Promise.resolve()
        .then(compute)
        .then((work) => inSlices(work)),
      until: Infinity,
    };
    last = current;
    const ended = (): void => {
      current.until = started + Math.max(EVERY, (clock.elapsed() - started) / SHARE);
    };
    current.result.then(ended, ended);
    return current.result;
  };
}

/** Runs work in time slices and passes the seconds of each step to `spent`. */
export function createSlicer(clock: Clock): <T>(work: Work<T>, spent?: (seconds: number) => void) => Promise<T> {
  const slices = createTimeSlices(clock);
  return <T>(work: Work<T>, spent?: (seconds: number) => void) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    slices.run({
      next() {
        const started = clock.elapsed();
        try {
          const step = work.next();
          if (step.done !== true) return { done: false, value: undefined };
          resolve(step.value);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        } finally {
          spent?.(clock.elapsed() - started);
        }
        return { done: true, value: undefined };
      },
    });
    return promise;
  };
}
