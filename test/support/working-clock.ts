import type { Clock } from "../../src/runtime/clock.ts";

/** A clock that `work` advances, and whose timers only `turn` runs. */
export function workingClock(start = 0) {
  let time = start;
  const timers: Array<() => void> = [];
  const clock: Clock = {
    now: () => time,
    elapsed: () => time,
    after(_seconds, run) {
      timers.push(run);
      return () => undefined;
    },
  };
  return {
    clock,
    work: (seconds: number) => (time += seconds),
    turn: () => timers.shift()?.(),
    waiting: () => timers.length,
  };
}
