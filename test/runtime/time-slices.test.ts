import { expect, it } from "vitest";
import { createTimeSlices, type Job } from "../../src/runtime/time-slices.ts";
import { workingClock } from "../support/working-clock.ts";

function* steps(count: number, seconds: number, work: (seconds: number) => void, done: () => void): Job {
  for (let step = 0; step < count; step++) {
    work(seconds);
    yield;
  }
  done();
}

it("small work is done at once", () => {
  const { clock, work } = workingClock();
  const turns = createTimeSlices(clock);
  const done: string[] = [];
  turns.run(steps(3, 0.0001, work, () => done.push("a")));
  expect(done).toEqual(["a"]);
  expect(turns.idle()).toBe(true);
});

it("large work takes turns of a few milliseconds, and what comes later waits for it", () => {
  const { clock, work, turn, waiting } = workingClock();
  const turns = createTimeSlices(clock);
  const done: string[] = [];
  turns.run(steps(10, 0.002, work, () => done.push("large")));
  turns.run(steps(1, 0.0001, work, () => done.push("small")));
  expect([done, clock.now(), turns.idle()]).toEqual([[], 0.004, false]);
  const lengths: number[] = [];
  while (waiting() > 0) {
    const before = clock.now();
    turn();
    lengths.push(clock.now() - before);
  }
  expect(done).toEqual(["large", "small"]);
  expect(Math.max(...lengths)).toBeLessThan(0.0061);
  expect(turns.idle()).toBe(true);
});

it("many small jobs in one turn share its time", () => {
  const { clock, work, turn } = workingClock();
  const turns = createTimeSlices(clock);
  let done = 0;
  for (let job = 0; job < 20; job++) turns.run(steps(1, 0.001, work, () => done++));
  expect(done).toBeLessThan(8);
  for (let round = 0; round < 10; round++) turn();
  expect(done).toBe(20);
});

it("everything is done at once when it must be", () => {
  const { clock, work, turn, waiting } = workingClock();
  const turns = createTimeSlices(clock);
  const done: string[] = [];
  turns.run(steps(10, 0.002, work, () => done.push("a")));
  turns.run(steps(10, 0.002, work, () => done.push("b")));
  turns.finish();
  expect([done, turns.idle()]).toEqual([["a", "b"], true]);
  while (waiting() > 0) turn();
  expect(done).toEqual(["a", "b"]);
});
