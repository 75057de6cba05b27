import type { Clock } from "./clock.ts";
import { createQueue } from "./queue.ts";

/** Work in short steps, of which the last one applies the result. */
export type Job = Iterator<undefined, void>;

type TimeSlices = {
  /** Starts a job in the current time slice; the rest follows in later slices, in order. */
  readonly run: (job: Job) => void;
  /** Whether all jobs are done. */
  readonly idle: () => boolean;
  /** Completes all jobs now, however long that takes. */
  readonly finish: () => void;
};

/** Seconds of a slice, so that polls and scrapes do not wait for the reading of a large answer. */
const BUDGET = 0.004;

/** Divides work among turns of the event loop: small jobs are done when `run` returns, large ones take several slices. */
export function createTimeSlices(clock: Clock): TimeSlices {
  const queue = createQueue<Job>();
  let spent = 0;
  let waiting = false;
  let working = false;

  function nextSlice(): void {
    waiting = false;
    spent = 0;
    work();
  }

  function step(job: Job): void {
    const started = clock.elapsed();
    if (job.next().done === true) queue.removeFirst();
    spent += clock.elapsed() - started;
  }

  function work(): void {
    // A step can add a job: it follows in the loop that runs the step, because a running generator cannot be resumed.
    if (working) return;
    working = true;
    try {
      for (let job = queue.first(); job !== undefined && spent < BUDGET; job = queue.first()) step(job);
    } finally {
      working = false;
    }
    if (spent > 0 && !waiting) {
      waiting = true;
      clock.after(0, nextSlice);
    }
  }

  return {
    run(job) {
      queue.add(job);
      work();
    },
    idle: () => queue.first() === undefined,
    finish() {
      for (let job = queue.first(); job !== undefined; job = queue.first())
        if (job.next().done === true) queue.removeFirst();
    },
  };
}
