import { ApiError } from "../endpoint.ts";

/** One deadline for every request of a poll. It counts the time in which this process could have read an answer. */
export type Deadline = {
  /** Rejects with an `ApiError` `timeout` when it passes, or `overloaded` when this process was too busy; never resolves. */
  readonly passed: Promise<never>;
  /** Calls `abort` when the deadline passes or the poll ends; immediately if it already has. The returned function cancels this. */
  readonly onOver: (abort: () => void) => () => void;
  /** Whether it has passed or the poll has ended. */
  readonly isOver: () => boolean;
  /** Notes that a request waits for its answer; the returned function, that it no longer does. */
  readonly waits: () => () => void;
  /** Seconds in which this process read no socket, or none of this server, or only processed answers. */
  readonly lost: () => number;
  /** Ends the poll: aborts the requests that are still under way. */
  readonly end: () => void;
};

/** Milliseconds. A timer that is later than this means that the event loop was blocked, or that the process had no CPU. */
const BLOCKED = 250;

/** Milliseconds to read the answers that arrived while the process was blocked. */
const GRACE = 1000;

/** Milliseconds between two looks at the event loop. */
const SLICE = 500;

/** Timers have whole milliseconds. */
const NOTHING = 0.5;

/**
 * Share of a poll in which the event loop was at work without a pause: the bytes of an answer waited in the system until their turn,
 * and whether the server sent all of them in time is unknown. A poll of less than four seconds can fall into the start of the process.
 */
const SATURATED = 0.95;
const SATURATED_MS = 4_000;

/** Milliseconds for which the event loop of this process has been at work since the call; 0 where that is not measured. */
export function loopAtWork(): () => number {
  if (typeof performance.eventLoopUtilization !== "function") return () => 0;
  const before = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(before).active;
}

/**
 * The event loop runs timers before it reads sockets, so an answer can be there when a late timer fires. Time in which the loop
 * was blocked does not count, and neither does the time after the last answer, which is ours. As much time as the deadline can
 * be lost like that: the poll then fails as `overloaded`, which says nothing of the server. So it does when the loop had no pause.
 * @param timeout seconds from now
 * @param isHeld whether this process does not read an answer of the server because of those of other servers: that time is lost too
 * @param begin starts to measure how long the event loop is at work; tests replace it
 */
export function startDeadline(timeout: number, isHeld = (): boolean => false, begin = loopAtWork): Deadline {
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const aborts = new Set<() => void>();
  let [left, lost, planned] = [timeout * 1000, 0, 0];
  let [sent, open] = [0, 0];
  let [armedAt, isLast, over] = [performance.now(), false, false];
  let timer: NodeJS.Timeout | undefined;

  const [startedAt, atWork] = [performance.now(), begin()];
  const isSaturated = (): boolean => {
    const active = atWork();
    return active >= SATURATED_MS && active >= SATURATED * (performance.now() - startedAt);
  };
  const lateness = (): number => performance.now() - armedAt - planned;
  const end = (): void => {
    over = true;
    clearTimeout(timer);
    for (const abort of aborts) abort();
    aborts.clear();
  };
  const pass = (): void => {
    const isOurs = isLast || isSaturated();
    reject(new ApiError(isOurs ? TOO_BUSY : { reason: "timeout", message: `no complete answer within ${timeout} s` }));
    end();
  };
  const wait = (): void => {
    armedAt = performance.now();
    planned = Math.min(left, SLICE);
    timer = setTimeout(look, planned);
  };

  function look(): void {
    const late = lateness();
    const isBlocked = late >= BLOCKED;
    const held = isHeld();
    if (!held) left -= isBlocked ? planned : planned + Math.max(0, late);
    const isProcessing = left <= NOTHING && sent > 0 && open === 0;
    if (held) lost += planned + Math.max(0, late);
    else if (isBlocked) lost += late;
    else if (isProcessing) lost += GRACE;
    const isOurs = held || isBlocked || isProcessing;
    if (isOurs) left = Math.max(left, GRACE);
    if (left <= NOTHING || (isLast && isOurs)) {
      pass();
      return;
    }
    if (!isLast && lost > timeout * 1000) {
      isLast = true;
      left = GRACE;
    }
    wait();
  }

  wait();
  return {
    passed,
    onOver(abort) {
      if (over) abort();
      else aborts.add(abort);
      return () => void aborts.delete(abort);
    },
    isOver: () => over,
    waits() {
      sent++;
      open++;
      return () => void open--;
    },
    lost() {
      const late = lateness();
      return (lost + (late >= BLOCKED ? late : 0)) / 1000;
    },
    end,
  };
}

const TOO_BUSY = { reason: "overloaded", message: "the exporter was too busy to read the answer in time" } as const;

/** Seconds without a look at the sockets that explain a lost connection. */
const EXPLAINS = GRACE / 1000;

/** The failure of a poll: a connection that ended while this process was too busy for it says nothing of the server. */
export function judged(error: unknown, { lost }: Pick<Deadline, "lost">): unknown {
  if (!(error instanceof ApiError) || lost() < EXPLAINS) return error;
  const { reason } = error.failure;
  if (reason === "timeout") return new ApiError(TOO_BUSY, error);
  const message = "the connection was closed while the exporter was too busy to read from it";
  return reason === "reset" ? new ApiError({ reason: "overloaded", message }, error) : error;
}
