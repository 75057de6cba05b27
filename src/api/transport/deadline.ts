import { ApiError } from "../endpoint.ts";

/** One deadline for every request of a poll. */
export type Deadline = {
  /** Rejects with an `ApiError` `timeout` when it passes; never resolves. */
  readonly passed: Promise<never>;
  /** Runs `abort` when it passes or the poll ends, at once when it is over already. What is returned takes that back. */
  readonly onOver: (abort: () => void) => () => void;
  /** The poll has ended: what is still under way is of no use to anybody. */
  readonly end: () => void;
};

/** Milliseconds: a timer that is so late says that this process was held up, by its own work or because it got no CPU. */
const HELD_UP = 250;

/** Milliseconds in which answers that came while this process was held up are read: a silent node gains no more than that. */
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
  // Timers come before what has arrived: without a grace every node would seem silent after a pause of this process.
  let timer = setTimeout(() => {
    if (performance.now() - due < HELD_UP) pass();
    else timer = setTimeout(pass, GRACE);
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
