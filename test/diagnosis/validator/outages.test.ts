import { describe, expect, it } from "vitest";
import { disagreeing, outageOf } from "../../../src/diagnosis/validator/stake-view.ts";

const FROM = 1_800_000_000;
const observer = (budget: number | undefined) => ({
  node: "a",
  isSelf: false,
  uptime: undefined,
  connected: undefined,
  budget,
});
const stake = { budget: 7_200, wholeBudget: 172_800, end: FROM + 86_400, observers: [], atRiskBelow: 86_400 };

describe("an outage", () => {
  it("is answered by the median, with the observers that agree", () => {
    const observers = [-60, 3_600, 7_200, 90_000, undefined].map(observer);
    expect(outageOf({ ...stake, observers }, FROM, 3_601)).toEqual({
      seconds: 3_601,
      paid: true,
      state: "at_risk",
      left: 3_599,
      untilEnd: false,
      observersPaid: 2,
      observers: 4,
    });
    expect(outageOf({ ...stake, observers }, FROM, 7_201)).toMatchObject({ paid: false, left: -1, observersPaid: 1 });
  });
  it("is paid with exactly the budget", () => {
    expect([7_199, 7_200, 7_201].map((seconds) => outageOf(stake, FROM, seconds).paid)).toEqual([true, true, false]);
  });
  it("counts until the end of the period", () => {
    const rich = { ...stake, budget: 100_000 };
    expect(outageOf(rich, FROM, 1_000_000)).toMatchObject({ paid: true, left: 13_600, untilEnd: true });
    expect(outageOf({ ...rich, end: undefined }, FROM, 1_000_000)).toMatchObject({ paid: false, untilEnd: false });
  });
  it("has no answer without a budget", () => {
    expect(outageOf({ ...stake, budget: undefined }, FROM, 600)).toMatchObject({
      paid: undefined,
      state: undefined,
      left: undefined,
      observers: 0,
    });
  });
});

it("observers disagree about the reward, not about the figure", () => {
  expect([[60, 90_000], [-60, -90], [-60, 90], []].map((all) => disagreeing({ observers: all.map(observer) }))).toEqual(
    [false, false, true, false],
  );
});
