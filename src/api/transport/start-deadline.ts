import type { Failure } from "../reasons.ts";

/** Milliseconds. A timer as late as this means that the process was stopped or blocked: whether the answer came in time is unknown. */
const STOPPED = 5000;

/** Share of the time in which the event loop was at work without a pause: whether the answer came in time is unknown. */
const ALL_THE_TIME = 0.95;

/**
 * The deadline of a request. The event loop runs timers before it reads sockets, so an answer can be there when a late timer fires:
 * the loop always gets one more turn. What then still lacks its answer says nothing of the server if the loop was busy all the time,
 * or the process was stopped: a late poll of ours must not look like a silent node.
 * @param timeout seconds from now
 * @param onPassed is called once when it passes, with `timeout`, or with `overloaded` when this process was too busy
 * @param utilization begins to measure the share of the time in which the event loop is at work; tests replace it
 * @returns ends it: the answer came, or the request failed
 */
export function startDeadline(
  timeout: number,
  onPassed: (failure: Failure) => void,
  utilization = loopUtilization,
): () => void {
  const dueAt = performance.now() + timeout * 1000;
  const atWork = utilization();
  let over = false;
  const judge = (late: number): void => {
    // The answer came in the last turn.
    if (over) return;
    const isOurs = late >= STOPPED || atWork() >= ALL_THE_TIME;
    onPassed(
      isOurs
        ? { reason: "overloaded", message: "the exporter was too busy to read the answer in time" }
        : { reason: "timeout", message: `no complete answer within ${timeout} s` },
    );
  };
  const timer = setTimeout(() => setImmediate(judge, performance.now() - dueAt), timeout * 1000);
  return () => {
    over = true;
    clearTimeout(timer);
  };
}

function loopUtilization(): () => number {
  const before = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(before).utilization;
}
