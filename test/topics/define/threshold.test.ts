import { expect, it } from "vitest";
import { durationInWords, inWords } from "../../../src/topics/define/threshold.ts";

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
