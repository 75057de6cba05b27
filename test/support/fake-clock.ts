import type { Clock } from "../../src/runtime/clock.ts";

/** A clock that stands until the test moves it. What waits on it runs in its order, each at its own time. */
export type FakeClock = Clock & {
  /** Moves the time on by so many seconds; everything that falls due runs, and promises settle, on the way. */
  readonly pass: (seconds: number) => Promise<void>;
  /** Lets promises settle without time passing. */
  readonly settle: () => Promise<void>;
  /** Sets what the clock says on by so many seconds, or back: timers go on waiting as long as they would have. */
  readonly set: (seconds: number) => void;
  /** Timers that wait. */
  readonly waiting: () => number;
};

export type FakeClockOptions = {
  /** Unix seconds. */
  readonly start?: number;
  /** Fires timers so many seconds before they are due, as the real ones do by up to a millisecond. */
  readonly early?: number;
  /** Seconds of work that each look at `elapsed` finds done: with it, large work takes turns. */
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
