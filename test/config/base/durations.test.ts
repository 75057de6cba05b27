import { expect, test } from "vitest";
import { ago, durationText, span, until, withSpans } from "../../../src/config/base/durations.ts";

test.each([
  [0, "0 s"],
  [-5, "0 s"],
  [12.9, "12 s"],
  [59.99, "59 s"],
  [60, "1 min"],
  [185, "3 min 5 s"],
  [3_599, "59 min 59 s"],
  [3_600, "1 h"],
  [7_500, "2 h 5 min"],
  [86_399, "23 h 59 min"],
  [86_400, "1 d"],
  [356_400, "4 d 3 h"],
  [86_400 * 400, "400 d"],
])("a span of %d s is %s", (seconds, words) => {
  expect(span(seconds)).toBe(words);
});

test.each([
  [undefined, "never"],
  [988, "12 s ago"],
  [999.5, "just now"],
  [1_010, "just now"],
])("ago(%s, 1000) is %s", (then, words) => {
  expect(ago(then, 1_000)).toBe(words);
});

test.each([
  [undefined, "not planned"],
  [1_002.2, "in 3 s"],
  [1_000, "due"],
  [900, "due"],
  [1_300, "in 5 min"],
])("until(%s, 1000) is %s", (then, words) => {
  expect(until(then, 1_000)).toBe(words);
});

test.each([
  ["5m", "5 min"],
  ["1h30m", "1 h 30 min"],
  ["soon", "soon"],
])("the duration %s of Prometheus is %s", (duration, words) => {
  expect(durationText(duration)).toBe(words);
});

test.each([
  ["sim-7 has 8h 47m 59s of downtime left", "sim-7 has 8 h 47 min of downtime left"],
  ["ends in 6d 0h 0m 1s, asked for 59.6s", "ends in 6 d, asked for 59 s"],
  ["answers in 2.345s, node-5s and v1.5s stay, and 300ms", "answers in 2.345 s, node-5s and v1.5s stay, and 300ms"],
])("%s has spans for people", (text, words) => {
  expect(withSpans(text)).toBe(words);
});
