import type { Clock } from "../../src/runtime/clock.ts";

/** A clock that only the test advances. Timers run in order, each at its own time. */
export type FakeClock = Clock & {
  /** Advances the time; runs all timers that become due, and lets promises settle after each. */
  readonly pass: (seconds: number) => Promise<void>;
  /** Lets promises settle without advancing the time. */
  readonly settle: () => Promise<void>;
  /** Sets the wall clock forward or back by `seconds`; timers are not affected. */
  readonly set: (seconds: number) => void;
  /** Number of active timers. */
  readonly waiting: () => number;
};

export type FakeClockOptions = {
  /** Unix seconds. */
  readonly start?: number;
  /** Seconds by which timers fire early; real ones do by up to a millisecond. */
  readonly early?: number;
  /** Seconds that each call of `elapsed` adds, so that large work is divided into time slices. */
  readonly work?: number;
};

type Timer = { readonly at: number; readonly order: number; readonly run: () => void };

export function fakeClock({ start = 1_800_000_000, early = 0, work = 0 }: FakeClockOptions = {}): FakeClock {
  let now = start;
  let order = 0;
  let worked = 0;
  let set = 0;
  const timers = new Set<Timer>();

  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const first = () => {
    let found: Timer | undefined;
    for (const timer of timers) {
      if (found === undefined || timer.at < found.at || (timer.at === found.at && timer.order < found.order))
        found = timer;
    }
    return found;
  };

  return {
    now: () => now + set,
    elapsed: () => now + (worked += work),
    after(seconds, run) {
      const timer = { at: now + Math.max(0, seconds - early), order: order++, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async pass(seconds) {
      const end = now + seconds;
      for (let timer = first(); timer !== undefined && timer.at <= end; timer = first()) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.run();
        await settle();
      }
      now = end;
      await settle();
    },
    settle,
    set: (seconds) => void (set += seconds),
    waiting: () => timers.size,
  };
}
