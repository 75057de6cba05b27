import { expect, it } from "vitest";
import { watchForSetBack } from "../../src/runtime/clock-set-back.ts";
import { fakeClock } from "../support/fake-clock.ts";

it("tells once that the clock was set back, and by how much; little steps and steps on are no matter", async () => {
  const clock = fakeClock();
  const told: number[] = [];
  const look = watchForSetBack(clock, (seconds) => void told.push(seconds));
  const after = async (set: number) => {
    clock.set(set);
    await clock.pass(1);
    look();
    return told.splice(0);
  };
  expect(await after(0)).toEqual([]);
  expect(await after(-10)).toEqual([]);
  expect(await after(+7200)).toEqual([]);
  expect(await after(-7200)).toEqual([7199]);
  expect(await after(0)).toEqual([]);
});
