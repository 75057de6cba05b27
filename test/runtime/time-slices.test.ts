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

it("small jobs are done at once", () => {
  const { clock, work } = workingClock();
  const slices = createTimeSlices(clock);
  const done: string[] = [];
  slices.run(steps(3, 0.0001, work, () => done.push("a")));
  expect(done).toEqual(["a"]);
  expect(slices.idle()).toBe(true);
});

it("large jobs take slices of a few milliseconds, and later jobs wait for them", () => {
  const { clock, work, turn, waiting } = workingClock();
  const slices = createTimeSlices(clock);
  const done: string[] = [];
  slices.run(steps(10, 0.002, work, () => done.push("large")));
  slices.run(steps(1, 0.0001, work, () => done.push("small")));
  expect([done, clock.now(), slices.idle()]).toEqual([[], 0.004, false]);
  const lengths: number[] = [];
  while (waiting() > 0) {
    const before = clock.now();
    turn();
    lengths.push(clock.now() - before);
  }
  expect(done).toEqual(["large", "small"]);
  expect(Math.max(...lengths)).toBeLessThan(0.0061);
  expect(slices.idle()).toBe(true);
});

it("many small jobs share a slice", () => {
  const { clock, work, turn } = workingClock();
  const slices = createTimeSlices(clock);
  let done = 0;
  for (let job = 0; job < 20; job++) slices.run(steps(1, 0.001, work, () => done++));
  expect(done).toBeLessThan(8);
  for (let round = 0; round < 10; round++) turn();
  expect(done).toBe(20);
});

it("finish completes all jobs at once", () => {
  const { clock, work, turn, waiting } = workingClock();
  const slices = createTimeSlices(clock);
  const done: string[] = [];
  slices.run(steps(10, 0.002, work, () => done.push("a")));
  slices.run(steps(10, 0.002, work, () => done.push("b")));
  slices.finish();
  expect([done, slices.idle()]).toEqual([["a", "b"], true]);
  while (waiting() > 0) turn();
  expect(done).toEqual(["a", "b"]);
});

it("a job that a step of another one adds follows it", () => {
  const { clock, work, turn, waiting } = workingClock();
  const slices = createTimeSlices(clock);
  const done: string[] = [];
  slices.run(
    steps(1, 0.001, work, () => {
      slices.run(steps(1, 0.001, work, () => done.push("added")));
      done.push("first");
    }),
  );
  while (waiting() > 0) turn();
  expect([done, slices.idle()]).toEqual([["first", "added"], true]);
});
