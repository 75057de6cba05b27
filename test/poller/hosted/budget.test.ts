import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newBudget, refilled, take } from "../../../src/poller/hosted/budget.ts";

const START = 1_800_000_000;
const limits = fc.record({
  perMinute: fc.integer({ min: 200, max: 20_000 }),
  perDay: fc.integer({ min: 2000, max: 3_000_000 }),
});
const cost = fc.constantFrom(1, 20, 100);

/** The largest sum of units within any span of `seconds`. */
function mostWithin(taken: ReadonlyArray<readonly [at: number, units: number]>, seconds: number): number {
  let most = 0;
  let sum = 0;
  let first = 0;
  for (const [at, units] of taken) {
    sum += units;
    for (let oldest = taken[first]; oldest !== undefined && oldest[0] <= at - seconds; oldest = taken[++first])
      sum -= oldest[1];
    most = Math.max(most, sum);
  }
  return most;
}

describe("in any minute and any day", () => {
  it("spending stays within the budget, whatever is taken and whenever", () => {
    fc.assert(
      fc.property(
        limits,
        fc.boolean(),
        fc.array(fc.tuple(fc.double({ min: 0, max: 4000, noNaN: true }), cost), { maxLength: 400 }),
        (each, isAttended, steps) => {
          let budget = newBudget(each, START, isAttended);
          let now = START;
          const taken: Array<[number, number]> = [];
          for (const [pause, units] of steps) {
            now += pause;
            budget = refilled(budget, now);
            // Takes all available units at once.
            for (let next = take(budget, units); next !== undefined; next = take(budget, units)) {
              budget = next;
              taken.push([now, units]);
              if (taken.length > 20_000) break;
            }
          }
          expect(mostWithin(taken, 60)).toBeLessThanOrEqual(each.perMinute);
          expect(mostWithin(taken, 86_400)).toBeLessThanOrEqual(each.perDay);
          expect(budget.spent).toBe(taken.reduce((sum, [, units]) => sum + units, 0));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("a budget", () => {
  it("starts with no units of the minute and a hundredth of the day", () => {
    const budget = newBudget({ perMinute: 6000, perDay: 1_200_000 }, START);
    expect([budget.minute, budget.day, budget.spent]).toEqual([0, 12_000, 0]);
    // 5,400 units are refilled in a minute: 90 a second.
    expect(take(refilled(budget, START + 1.11), 100)).toBeUndefined();
    expect(take(refilled(budget, START + 1.12), 100)?.spent).toBe(100);
  });

  it("starts with half of the minute's units for a person who waits, and is refilled with the other half", () => {
    const budget = newBudget({ perMinute: 6000, perDay: 1_200_000 }, START, true);
    expect([budget.minute, budget.day]).toEqual([3000, 12_000]);
    expect(take(refilled(take(budget, 3000) ?? budget, START + 2), 100)?.minute).toBe(0);
  });

  it("spends as fast in the last hour of a day as in the second", () => {
    let budget = newBudget({ perMinute: 6000, perDay: 1_200_000 }, START);
    const hours: number[] = [];
    for (let second = 1; second <= 86_400; second++) {
      budget = refilled(budget, START + second);
      for (let next = take(budget, 100); next !== undefined; next = take(budget, 100)) budget = next;
      if (second % 3600 === 0) hours.push(budget.spent);
    }
    const perHour = hours.map((spent, index) => spent - (hours[index - 1] ?? 0));
    expect(perHour[0]).toBe(57_000);
    for (const spent of perHour.slice(1)) expect(spent).toBe(45_000);
  });

  it("gains nothing from a clock that is set back and forth", () => {
    const spent = take(refilled(newBudget({ perMinute: 600, perDay: 86_400 }, START), START + 60), 100);
    const back = spent && refilled(refilled(spent, START + 10), START + 10);
    expect(back?.minute).toBe(0);
  });
});
