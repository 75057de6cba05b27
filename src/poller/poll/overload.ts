import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/events.ts";

/**
 * Whether the polls are more than the process can do. The rule is a pure function from one window of time to the next; it has
 * steps, waits longer before a step down than before one up, and takes a step down only where the work is known to fit.
 */

/** What a window of time has shown of the exporter's own work. */
export type Load = {
  /** Share of the window in which the event loop was busy: 0 to 1. */
  readonly utilization: number;
  /** Mean lateness of the polls that were started. Seconds. */
  readonly late: number;
  /** Polls whose answer the exporter did not read in time. */
  readonly missed: number;
};

/** The present stretch of all intervals, and the number of windows in a row that speak for a step up or down. */
export type Overload = { readonly step: number; readonly busy: number; readonly calm: number };

export const NOT_OVERLOADED: Overload = { step: 0, busy: 0, calm: 0 };

/** Factors of the intervals. Each is at most one and a half times the previous one. */
export const STRETCHES = [1, 1.5, 2, 3, 4, 6, 8] as const;

/** Seconds of a window. */
export const WINDOW = 5;
/** Windows in a row that are too busy, and that have room for a step down. */
export const BUSY_WINDOWS = 2;
export const CALM_WINDOWS = 6;
/** With so busy a loop, or polls that start so late, the work does not fit. */
const BUSY_UTILIZATION = 0.9;
const BUSY_LATE = 0.5;
/** The utilization that is expected after a step down, and the lateness before it, at most. */
const CALM_UTILIZATION = 0.7;
const CALM_LATE = 0.1;

/** The factor by which all intervals are multiplied. */
export function stretchOf({ step }: Pick<Overload, "step">): number {
  return STRETCHES[step] ?? 1;
}

/** The state after one more window. */
export function nextOverload({ step, busy, calm }: Overload, load: Load): Overload {
  const { utilization, late, missed } = load;
  if (utilization >= BUSY_UTILIZATION || late >= BUSY_LATE || missed > 0) {
    const isUp = busy + 1 >= BUSY_WINDOWS;
    return { step: isUp ? Math.min(step + 1, STRETCHES.length - 1) : step, busy: isUp ? 0 : busy + 1, calm: 0 };
  }
  // Work that does not depend on the intervals is multiplied too: the estimate is never too low.
  const expected = (utilization * stretchOf({ step })) / stretchOf({ step: step - 1 });
  if (step === 0 || expected >= CALM_UTILIZATION || late >= CALM_LATE) return { step, busy: 0, calm: 0 };
  const isDown = calm + 1 >= CALM_WINDOWS;
  return { step: isDown ? step - 1 : step, busy: 0, calm: isDown ? 0 : calm + 1 };
}

/** Seconds after the start in which nothing is judged: the first round of polls is more work than any later one. */
const STARTUP = 120;

export type OverloadWatch = {
  /** A poll started so many seconds late. */
  readonly started: (late: number) => void;
  /** The answer of a poll was not read in time. */
  readonly missed: () => void;
  /** Judges the window that has ended, if one has. Called every second. */
  readonly tick: () => void;
  readonly stretch: () => number;
};

/**
 * Watches the load. `utilization` returns the share of time in which the event loop was busy since the previous call; without
 * it nothing is ever overloaded. `changed` is called with a new stretch.
 */
export function createOverloadWatch(
  clock: Clock,
  log: Log,
  utilization: (() => number) | undefined,
  changed: (stretch: number) => void,
): OverloadWatch {
  const startedAt = clock.elapsed();
  let beganAt = startedAt;
  let state = NOT_OVERLOADED;
  let [polls, late, missed] = [0, 0, 0];

  return {
    started(seconds) {
      polls++;
      late += seconds;
    },
    missed: () => void missed++,
    stretch: () => stretchOf(state),
    tick() {
      const now = clock.elapsed();
      if (utilization === undefined || now - beganAt < WINDOW) return;
      const load = { utilization: utilization(), late: polls === 0 ? 0 : late / polls, missed };
      [beganAt, polls, late, missed] = [now, 0, 0, 0];
      if (now - startedAt < STARTUP) return;
      const before = stretchOf(state);
      state = nextOverload(state, load);
      const stretch = stretchOf(state);
      if (stretch === before) return;
      if (stretch === 1) log.info(load, "not overloaded: the intervals are as configured again");
      else log.warn({ stretch, before, ...load }, "overloaded: all intervals are stretched");
      changed(stretch);
    },
  };
}
