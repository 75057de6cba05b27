import { describe, expect, it } from "vitest";
import { durationInWords, inWords, threshold, withThresholds } from "../../../src/topics/define/threshold.ts";

const few = threshold("few", "number", "below this", { standard: 5, least: 1, most: 9 });
const full = threshold("full", "share", "below this", { standard: 0.07, least: 0, most: 1 });
const text = `x < ${few} or y < ${full}: fewer than ${few.words}, less than ${full.words}`;

describe("withThresholds", () => {
  it("fills in the values of a user, and the standard of others", () => {
    expect(withThresholds(text, new Map([["full", 0.125]]))).toBe("x < 5 or y < 0.125: fewer than 5, less than 12.5 %");
  });
});

it.each([
  [1, "1 second"],
  [90, "90 seconds"],
  [60, "1 minute"],
  [600, "10 minutes"],
  [3600, "60 minutes"],
  [7200, "2 hours"],
  [86_400, "24 hours"],
  [345_600, "4 days"],
])("%i seconds are %s", (seconds, words) => {
  expect(durationInWords(seconds)).toBe(words);
});

it("words of a value follow its unit", () => {
  expect([inWords(0.29, "share"), inWords(3600, "seconds"), inWords(5, "number")]).toEqual(["29 %", "60 minutes", "5"]);
});
