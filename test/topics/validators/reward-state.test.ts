import { describe, expect, it } from "vitest";
import {
  LITTLE_BUDGET,
  rewardStateOf,
  scarceDowntime,
  uptimeShortfall,
  verdictOf,
} from "../../../src/topics/validators/reward-state.ts";

const YEAR = 6_307_200;
const stateOf = (left: number, whole: number | undefined, margin?: number, little = LITTLE_BUDGET) =>
  rewardStateOf(
    { left, scarce: scarceDowntime(left, whole), shortfall: uptimeShortfall({ left, whole, margin }) },
    little,
  );

it.each([
  [-0.001, YEAR, "lost"],
  [0, YEAR, "at_risk"],
  [86_399.999, YEAR, "at_risk"],
  [86_400, YEAR, "safe"],
  // A two-day stake never has a day of budget: half of the whole is its limit.
  [17_279, 34_560, "at_risk"],
  [17_280, 34_560, "safe"],
  [17_280, undefined, "at_risk"],
  [86_400, undefined, "safe"],
] as const)("with %s s of %s s the reward is %s", (left, whole, state) => {
  expect(stateOf(left, whole)).toBe(state);
});

it("is at risk below the limit that is set", () => {
  expect([stateOf(2 * 86_400, YEAR), stateOf(2 * 86_400, YEAR, undefined, 3 * 86_400)]).toEqual(["safe", "at_risk"]);
});

it.each([
  [-0.01, 3_000_000, YEAR, 0.01],
  [0, 3_000_000, YEAR, 0],
  // Young: more than nine tenths of the budget are left.
  [-0.07, 34_284, 34_559.8, 0],
  [undefined, 3_000_000, YEAR, 0],
  [-0.01, 3_000_000, undefined, 0],
] as const)("a margin of %s with %s s of %s s is a shortfall of %s", (margin, left, whole, shortfall) => {
  expect(uptimeShortfall({ left, whole, margin })).toBe(shortfall);
  expect(stateOf(left, whole, margin)).toBe(shortfall > 0 ? "below_requirement" : "safe");
});

describe("the verdict of several observers", () => {
  const figures = { uptime: undefined, attainable: undefined, left: undefined, whole: undefined, margin: undefined };
  const of = (...values: readonly number[]) => verdictOf(values.map((left) => ({ ...figures, left }))).left;

  it("is their median, between two the middle, and unknown without any", () => {
    expect([of(100, 300, 200), of(-100, -300), of(5)]).toEqual([200, -200, 5]);
    expect(verdictOf([])).toEqual(figures);
  });
});
