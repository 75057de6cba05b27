import { performance } from "node:perf_hooks";

/**
 * Returns the share of time, from 0 to 1, in which the event loop was busy since the previous call; `undefined` in a runtime that
 * does not measure it.
 */
export function createLoopUtilization(): (() => number) | undefined {
  if (typeof performance.eventLoopUtilization !== "function") return undefined;
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
