import { expect, it } from "vitest";
import { watchForSetBack } from "../../src/poller/clock-set-back.ts";
import { fakeClock } from "../support/fake-clock.ts";

it("reports once that the clock was set back, and by how much; ignores small steps and steps forward", async () => {
  const clock = fakeClock();
  const noticed: number[] = [];
  const check = watchForSetBack(clock, (seconds) => void noticed.push(seconds));
  const after = async (set: number) => {
    clock.set(set);
    await clock.pass(1);
    check();
    return noticed.splice(0);
  };
  expect(await after(0)).toEqual([]);
  expect(await after(-10)).toEqual([]);
  expect(await after(+7200)).toEqual([]);
  expect(await after(-7200)).toEqual([7199]);
  expect(await after(0)).toEqual([]);
});
