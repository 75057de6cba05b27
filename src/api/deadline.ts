import { ApiError } from "./endpoint.ts";

/** One deadline for every request of a poll. */
export type Deadline = {
  /** Rejects with an `ApiError` `timeout` when it passes; never resolves. */
  readonly passed: Promise<never>;
  /** Runs `abort` when it passes or the poll ends, at once when it is over already. What is returned takes that back. */
  readonly onOver: (abort: () => void) => () => void;
  /** The poll has ended: what is still under way is of no use to anybody. */
  readonly end: () => void;
};

/** @param timeout seconds from now */
export function startDeadline(timeout: number): Deadline {
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const aborts = new Set<() => void>();
  let over = false;
  const end = (): void => {
    over = true;
    clearTimeout(timer);
    for (const abort of aborts) abort();
    aborts.clear();
  };
  const timer = setTimeout(() => {
    reject(new ApiError({ reason: "timeout", message: `no complete answer within ${timeout} s` }));
    end();
  }, timeout * 1000);
  return {
    passed,
    onOver(abort) {
      if (over) abort();
      else aborts.add(abort);
      return () => void aborts.delete(abort);
    },
    end,
  };
}
