import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  attainableUptime,
  budgetAfterOutage,
  isRewarded,
  periodOf,
  wholeBudget,
  downtimeBudget,
  budgetUsed,
  uptimeMargin,
} from "../../../src/topics/validators/staking-period.ts";

/** Periods of a day to a year, observed at any moment, with any uptime of an answer. */
const period = fc
  .record({
    start: fc.integer({ min: 1_600_000_000, max: 2_000_000_000 }),
    length: fc.integer({ min: 86_400, max: 31_536_000 }),
    elapsed: fc.double({ min: 0, max: 1, noNaN: true }),
    uptime: fc.integer({ min: 0, max: 1_000_000 }).map((units) => units / 1_000_000),
  })
  .map(({ start, length, elapsed, uptime }) => ({
    start,
    end: start + length,
    at: Math.round(start + elapsed * length),
    uptime,
  }));
const requirement = fc.constantFrom(0.8, 0.9, 0.65);

describe("a reward verdict", () => {
  it("stays as it was at the end of the period", () => {
    const ended = periodOf({ start: 1000, end: 2000, at: 2500, uptime: 0.75 });
    expect(ended.at).toBe(2000);
    expect([downtimeBudget(ended, 0.8), attainableUptime(ended), budgetUsed(ended, 0.8)]).toEqual([-50, 0.75, 1.25]);
    expect(periodOf({ ...ended, at: 1500 }).at).toBe(1500);
  });

  it("leaves a budget exactly when the requirement can still be attained", () => {
    fc.assert(
      fc.property(period, requirement, (each, required) => {
        const budget = downtimeBudget(each, required);
        const attainable = attainableUptime(each) ?? NaN;
        // Half a millisecond of rounding on either side.
        if (Math.abs(budget) > 0.001) expect(budget > 0).toBe(attainable > required);
        expect(budget).toBeCloseTo((attainable - required) * (each.end - each.start), 1);
      }),
    );
  });

  it("never attains less than the present uptime, nor more than 1", () => {
    fc.assert(
      fc.property(period, (each) => {
        const attainable = attainableUptime(each) ?? NaN;
        expect(attainable).toBeGreaterThanOrEqual(each.uptime - 1e-9);
        expect(attainable).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("has used up all of its budget when the budget is gone", () => {
    fc.assert(
      fc.property(period, requirement, (each, required) => {
        const budget = downtimeBudget(each, required);
        const spent = budgetUsed(each, required) ?? NaN;
        if (Math.abs(budget) > 0.01) expect(spent < 1).toBe(budget > 0);
        expect(budget).toBeCloseTo((1 - spent) * wholeBudget(each, required), 1);
      }),
    );
  });

  it("is absent for a period without length, and without an budget", () => {
    expect(attainableUptime({ start: 5, end: 5, at: 5, uptime: 1 })).toBeUndefined();
    expect(attainableUptime({ start: 6, end: 5, at: 5, uptime: 1 })).toBeUndefined();
    expect(budgetUsed({ start: 0, end: 100, at: 50, uptime: 0.5 }, 1)).toBeUndefined();
  });

  it("is not clamped: a clock behind the start, a lost reward, a spent budget", () => {
    // A second before the start with full uptime: -1 + 101 - 80.
    expect(downtimeBudget({ start: 0, end: 100, at: -1, uptime: 1 }, 0.8)).toBe(20);
    expect(downtimeBudget({ start: 0, end: 100, at: 90, uptime: 0.5 }, 0.8)).toBe(-25);
    expect(budgetUsed({ start: 0, end: 100, at: 90, uptime: 0.5 }, 0.8)).toBe(2.25);
    expect(uptimeMargin(0.67, 0.8)).toBe(-0.13);
  });
});

describe("an outage that begins now", () => {
  const outage = fc.integer({ min: 0, max: 40_000_000 });
  /** The budget now and after an outage. */
  const after = (each: { start: number; end: number; at: number; uptime: number }, required: number, seconds: number) =>
    budgetAfterOutage(downtimeBudget(each, required), { from: each.at, seconds, end: each.end });

  it("leaves the budget that the same formula computes at its end", () => {
    fc.assert(
      fc.property(period, requirement, outage, (each, required, seconds) => {
        const at = Math.min(each.at + seconds, each.end);
        const uptime = at === each.start ? 1 : (each.uptime * (each.at - each.start)) / (at - each.start);
        expect(after(each, required, seconds)).toBeCloseTo(downtimeBudget({ ...each, at, uptime }, required), 2);
      }),
    );
  });

  it("never leaves more after a longer outage", () => {
    fc.assert(
      fc.property(period, requirement, outage, outage, (each, required, one, other) => {
        const [short, long] = [Math.min(one, other), Math.max(one, other)];
        expect(after(each, required, long)).toBeLessThanOrEqual(after(each, required, short));
        if (isRewarded(after(each, required, long))) expect(isRewarded(after(each, required, short))).toBe(true);
      }),
    );
  });

  it("agrees with the budget: a second less is paid, a second more is not, unless the period ends first", () => {
    fc.assert(
      fc.property(period, requirement, (each, required) => {
        const budget = downtimeBudget(each, required);
        if (budget < 1) return;
        expect(isRewarded(after(each, required, budget - 1))).toBe(true);
        expect(isRewarded(after(each, required, budget))).toBe(true);
        expect(isRewarded(after(each, required, budget + 1))).toBe(budget + 1 > each.end - each.at);
      }),
    );
  });
});
