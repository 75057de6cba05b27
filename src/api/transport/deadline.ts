import { ApiError } from "../endpoint.ts";

/** One deadline for every request of a poll. */
export type Deadline = {
  /** Rejects with an `ApiError` `timeout` when it passes; never resolves. */
  readonly passed: Promise<never>;
  /** Calls `abort` when the deadline passes or the poll ends; immediately if it already has. The returned function cancels this. */
  readonly onOver: (abort: () => void) => () => void;
  /** Whether it has passed or the poll has ended. */
  readonly isOver: () => boolean;
  /** Ends the poll: aborts the requests that are still under way. */
  readonly end: () => void;
};

/** Milliseconds. A timer that is later than this means that the event loop was blocked, or that the process had no CPU. */
const BLOCKED = 250;

/** Milliseconds to read the answers that arrived while the process was blocked. */
const GRACE = 1000;

/** @param timeout seconds from now */
export function startDeadline(timeout: number): Deadline {
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const aborts = new Set<() => void>();
  const due = performance.now() + timeout * 1000;
  let over = false;
  const end = (): void => {
    over = true;
    clearTimeout(timer);
    for (const abort of aborts) abort();
    aborts.clear();
  };
  const pass = (): void => {
    reject(new ApiError({ reason: "timeout", message: `no complete answer within ${timeout} s` }));
    end();
  };
  // The event loop runs timers before it reads sockets: without the grace period every poll would time out after a pause.
  let timer = setTimeout(() => {
    if (performance.now() - due < BLOCKED) pass();
    else timer = setTimeout(pass, GRACE);
  }, timeout * 1000);
  return {
    passed,
    onOver(abort) {
      if (over) abort();
      else aborts.add(abort);
      return () => void aborts.delete(abort);
    },
    isOver: () => over,
    end,
  };
}
