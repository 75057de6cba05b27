import { expect, it, test } from "vitest";
import { ALERTS } from "../../src/definitions/alerts.ts";
import { expand, humanize, humanizeDuration, humanizePercentage } from "../../src/diagnosis/template.ts";

test.each([
  [0, "0s"],
  [0.0123, "12.3ms"],
  [12.3456, "12.35s"],
  [-179.9, "-2m 59s"],
  [61, "1m 1s"],
  [3_600, "1h 0m 0s"],
  [90_061, "1d 1h 1m 1s"],
  [NaN, "NaN"],
  [Infinity, "+Inf"],
])("%d s is %s", (value, text) => {
  expect(humanizeDuration(value)).toBe(text);
});

test.each([
  [0, "0"],
  [1, "1"],
  [12.3456, "12.35"],
  [999.9, "999.9"],
  [1_234.5, "1.234k"],
  [-5_600_000, "-5.6M"],
  [0.5, "500m"],
  [0.000012, "12u"],
])("%d is %s", (value, text) => {
  expect(humanize(value)).toBe(text);
});

test.each([
  [0.07999, "7.999%"],
  [1, "100%"],
  [0.000001, "0.0001%"],
  [123, "1.23e+04%"],
])("%d as a percentage is %s", (value, text) => {
  expect(humanizePercentage(value)).toBe(text);
});

it("inserts labels and the value; a missing label is empty", () => {
  const labels = new Map([["node", "a"]]);
  expect(
    expand(
      '{{ $labels.node }}{{ $labels.chain }} is {{ $value }} ({{ $value | humanizeDuration }}, {{ $value | printf "%.1f" }})',
      {
        labels,
        value: 90,
      },
    ),
  ).toBe("a is 90 (1m 30s, 90.0)");
});

it("expands every summary, and rejects unsupported functions", () => {
  for (const { summary } of ALERTS) expect(expand(summary, { labels: new Map(), value: 1.5 })).not.toContain("{{");
  expect(() => expand("{{ $value | humanize1024 }}", { labels: new Map(), value: 1 })).toThrow(RangeError);
});

test("a choice by the sign of the value takes one of its texts", () => {
  const template = "{{ if lt $value 0.0 }}is active{{ else }}activates in {{ $value | humanizeDuration }}{{ end }}";
  const labels = new Map<string, string>();
  expect(expand(template, { labels, value: -1 })).toBe("is active");
  expect(expand(template, { labels, value: 61 })).toBe("activates in 1m 1s");
});
