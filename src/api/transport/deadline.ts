import { ApiError } from "../endpoint.ts";

export type Deadline = ReturnType<typeof startDeadline>;

/** Milliseconds. A timer as late as this means that the process was stopped or blocked: whether the answer came in time is unknown. */
const STOPPED = 5000;

/** Share of the poll in which the event loop was at work without a pause: whether the answer came in time is unknown. */
const ALL_THE_TIME = 0.95;

const TOO_BUSY = { reason: "overloaded", message: "the exporter was too busy to read the answer in time" } as const;

/**
 * The deadline of each request of a poll, one after the other. The event loop runs timers before it reads sockets, so an answer can be there when a
 * late timer fires: the loop always gets one more turn. What then still lacks its answer says nothing of the server if the loop was busy
 * all the time, or the process was stopped: a late poll of ours must not look like a silent node.
 * @param timeout seconds from the start of the request
 * @param utilization begins to measure the share of the time in which the event loop is at work; tests replace it
 */
export function startDeadline(timeout: number, utilization = loopUtilization) {
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const aborts = new Set<() => void>();
  let dueAt = performance.now() + timeout * 1000;
  let atWork = utilization();
  let request = 0;
  let over = false;

  function end(): void {
    over = true;
    clearTimeout(timer);
    for (const abort of aborts) abort();
    aborts.clear();
  }
  function pass(late: number, of: number): void {
    // In the last turn the answer came, and the next request started.
    if (over || of !== request) return;
    const isOurs = late >= STOPPED || atWork() >= ALL_THE_TIME;
    reject(new ApiError(isOurs ? TOO_BUSY : { reason: "timeout", message: `no complete answer within ${timeout} s` }));
    end();
  }
  const timer = setTimeout(() => setImmediate(pass, performance.now() - dueAt, request), timeout * 1000);
  return {
    /** The next request starts: each has the whole time, as a slow server answers each. */
    restart: (): void => {
      if (over) return;
      request++;
      dueAt = performance.now() + timeout * 1000;
      atWork = utilization();
      timer.refresh();
    },
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
