/** Time, passed in so that tests control it. */
export type Clock = {
  /** Unix seconds with fractions. */
  readonly now: () => number;
  /** Monotonic seconds since an arbitrary moment, for measuring work. */
  readonly elapsed: () => number;
  /** Calls `run` after `seconds`; the returned function cancels. */
  readonly after: (seconds: number, run: () => void) => () => void;
};

export const systemClock: Clock = {
  now: () => Date.now() / 1000,
  elapsed: () => performance.now() / 1000,
  after: (seconds, run) => {
    const timer = setTimeout(run, Math.max(0, seconds * 1000));
    return () => clearTimeout(timer);
  },
};
