import { expect, it } from "vitest";
import { isBelowRequirement, rewardStateOf } from "../../../src/topics/validators/reward-verdict-alerts.ts";

const YEAR = 6_307_200;

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
] as const)("with %s s of %s s the reward is %s", (budget, whole, state) => {
  expect(rewardStateOf(budget, whole)).toBe(state);
});

it.each([
  [-0.01, 3_000_000, YEAR, true],
  [0, 3_000_000, YEAR, false],
  // Young: more than nine tenths of the budget are left.
  [-0.07, 34_284, 34_559.8, false],
  [undefined, 3_000_000, YEAR, false],
  [-0.01, 3_000_000, undefined, false],
] as const)("a margin of %s with %s s of %s s is too low: %s", (margin, budget, whole, expected) => {
  expect(isBelowRequirement(margin, budget, whole)).toBe(expected);
});
