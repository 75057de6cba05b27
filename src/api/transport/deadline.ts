import { ApiError } from "../endpoint.ts";

export type Deadline = ReturnType<typeof startDeadline>;

/** Milliseconds. A timer as late as this means that the process was stopped or blocked: whether the answer came in time is unknown. */
const STOPPED = 5000;

/** Share of the poll in which the event loop was at work without a pause: whether the answer came in time is unknown. */
const ALL_THE_TIME = 0.95;

const TOO_BUSY = { reason: "overloaded", message: "the exporter was too busy to read the answer in time" } as const;

/**
 * One deadline for every request of a poll. The event loop runs timers before it reads sockets, so an answer can be there when a
 * late timer fires: the loop always gets one more turn. What then still lacks its answer says nothing of the server if the loop was busy
 * all the time, or the process was stopped: a late poll of ours must not look like a silent node.
 * @param timeout seconds from now
 * @param utilization the share of the time since then in which the event loop was at work; tests replace it
 */
export function startDeadline(timeout: number, utilization = loopUtilization()) {
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const aborts = new Set<() => void>();
  const dueAt = performance.now() + timeout * 1000;
  let over = false;

  function end(): void {
    over = true;
    clearTimeout(timer);
    for (const abort of aborts) abort();
    aborts.clear();
  }
  function pass(late: number): void {
    if (over) return;
    const isOurs = late >= STOPPED || utilization() >= ALL_THE_TIME;
    reject(new ApiError(isOurs ? TOO_BUSY : { reason: "timeout", message: `no complete answer within ${timeout} s` }));
    end();
  }
  const timer = setTimeout(() => setImmediate(pass, performance.now() - dueAt), timeout * 1000);
  return {
    /** Rejects with an `ApiError` when it passes: `timeout`, or `overloaded` when this process was too busy; never resolves. */
    passed,
    /** Calls `abort` when the deadline passes or the poll ends; immediately if it already has. The returned function cancels this. */
    onOver: (abort: () => void): (() => void) => {
      if (over) abort();
      else aborts.add(abort);
      return () => void aborts.delete(abort);
    },
    /** Ends the poll: aborts the requests that are still under way. */
    end,
  };
}

function loopUtilization(): () => number {
  const before = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(before).utilization;
}
