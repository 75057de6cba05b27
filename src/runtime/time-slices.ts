import type { Clock } from "./clock.ts";

/** Work in steps: each step is short, and the last one puts the result in place. */
export type Job = Iterator<undefined, void>;

export type TimeSlices = {
  /** Runs a job at once, as far as this turn of the event loop has time for it; the rest follows in later turns, in order. */
  readonly run: (job: Job) => void;
  /** Whether everything that was given is done. */
  readonly idle: () => boolean;
  /** Does everything that was given now, however long it takes. */
  readonly finish: () => void;
};

/** Seconds that one turn may take, so that polls and scrapes do not wait for the reading of a large answer. */
const BUDGET = 0.004;

/** Shares the event loop: small jobs are done when `run` returns, large ones take as many turns as they need. */
export function createTimeSlices(clock: Clock): TimeSlices {
  const queue: Job[] = [];
  let spent = 0;
  let waiting = false;

  /** The next turn has its whole time again. */
  function turn(): void {
    waiting = false;
    spent = 0;
    work();
  }

  function work(): void {
    while (spent < BUDGET) {
      const job = queue[0];
      if (job === undefined) break;
      const started = clock.elapsed();
      if (job.next().done === true) queue.shift();
      spent += clock.elapsed() - started;
    }
    if (spent > 0 && !waiting) {
      waiting = true;
      clock.after(0, turn);
    }
  }

  return {
    run(job) {
      queue.push(job);
      work();
    },
    idle: () => queue.length === 0,
    finish() {
      for (let job = queue[0]; job !== undefined; job = queue[0]) if (job.next().done === true) queue.shift();
    },
  };
}
