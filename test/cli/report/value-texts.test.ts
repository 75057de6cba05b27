import { expect, it } from "vitest";
import { avaxText, lengthText, shareText } from "../../../src/cli/report/value-texts.ts";

it.each([
  [undefined, "unknown"],
  [0, "0 min"],
  [40.4, "40 s"],
  [60, "1 min"],
  [3_599, "1 h"],
  [3_600, "1 h"],
  [31_680, "8 h 48 min"],
  [86_400, "1 d"],
  [270_000, "3 d 3 h"],
  [-3_600, "1 h below 0"],
])("%s s is %s", (seconds, text) => {
  expect(lengthText(seconds)).toBe(text);
});

it.each([
  [undefined, "unknown"],
  [1, "100 %"],
  [0.99999, "99.99 %"],
  [0.9999, "99.99 %"],
  [0.57, "57 %"],
  [0, "0 %"],
])("%s is %s", (ratio, text) => {
  expect(shareText(ratio)).toBe(text);
});

it("amounts are short, and unknown ones say so", () => {
  expect([avaxText(0.00126), avaxText(undefined)]).toEqual(["0.0013 AVAX", "unknown"]);
});
