import { expect, test } from "vitest";
import { parseDuration, parseSize } from "../../../src/config/base/units.ts";

test.each([
  ["15s", 15],
  ["5m", 300],
  ["1h30m", 5400],
  ["500ms", 0.5],
  ["1s500ms", 1.5],
  ["2d", 172_800],
  ["1w", 604_800],
  ["1w2d3h4m5s6ms", 788_645.006],
  ["0s", 0],
])("the duration %s is %d seconds", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test.each(["", "0", "15", "1.5s", "-1s", "5 m", "1m1h", "1s1s", "s", "1y", "1S", "15s ", "1".repeat(50) + "s"])(
  "%j is not a duration",
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test.each([
  ["0", 0],
  ["4096", 4096],
  ["4096B", 4096],
  ["1KiB", 1024],
  ["32MiB", 33_554_432],
  ["10MB", 10_000_000],
  ["10M", 10_000_000],
  ["1GiB", 1_073_741_824],
  ["2KB", 2000],
  ["1Gi", 1_073_741_824],
])("the size %s is %d bytes", (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each(["", "MiB", "1.5MiB", "-1", "32 MiB", "1TiB", "32mib", "1e6", "999999999999999GiB"])(
  "%j is not a size",
  (text) => {
    expect(parseSize(text)).toBeUndefined();
  },
);
