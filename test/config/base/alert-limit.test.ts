import { describe, expect, it } from "vitest";
import { limitValues, written, type AlertLimit } from "../../../src/config/base/alert-limit.ts";

const LIMITS: readonly AlertLimit[] = [
  { name: "disk-full", unit: "share", standard: 0.07, least: 0.01, most: 0.5, below: "disk-low" },
  { name: "disk-low", unit: "share", standard: 0.15, least: 0.03, most: 0.9 },
  { name: "peers", unit: "number", standard: 5, least: 1, most: 1000 },
  { name: "lag", unit: "seconds", standard: 120, least: 30, most: 86_400 },
];

function read(values: Readonly<Record<string, string>>) {
  const assignments = Object.entries(values).map(([name, text]) => ({ name, text }));
  const result = limitValues(assignments, LIMITS);
  return { values: Object.fromEntries(result.values), problems: result.problems };
}

describe("limitValues", () => {
  it("reads shares, durations and numbers in the units of the expressions", () => {
    expect(read({ "disk-low": "29%", "disk-full": "0.05", lag: "5m", peers: "8" })).toEqual({
      values: { "disk-low": 0.29, "disk-full": 0.05, lag: 300, peers: 8 },
      problems: [],
    });
  });

  it.each([
    ["constructor", "3", "key", 'unknown threshold "constructor"; avax-exporter export rules --set=help lists them'],
    ["peers", "5%", "value", 'peers must be a number from 1 to 1000; found "5%"'],
    ["peers", "2.5", "value", 'peers must be a number from 1 to 1000; found "2.5"'],
    ["disk-low", "95%", "value", 'disk-low must be a share from 3% to 90%; found "95%"'],
  ])("%s of %s is a problem at the %s, and no value", (name, text, at, message) => {
    expect(read({ [name]: text })).toEqual({ values: {}, problems: [{ name, at, message }] });
  });

  it("compares limits with each other, at the one that was set", () => {
    const less = "disk-full (20%) must be less than disk-low (15%)";
    expect(read({ "disk-full": "20%" }).problems).toEqual([{ name: "disk-full", at: "value", message: less }]);
    const more = "disk-full (7%) must be less than disk-low (5%)";
    expect(read({ "disk-low": "5%" }).problems).toEqual([{ name: "disk-low", at: "value", message: more }]);
    expect(read({ "disk-low": "30%", "disk-full": "20%" }).problems).toEqual([]);
  });

  it("shows a value as its file has it, never what a variable contains", () => {
    const { problems } = limitValues([{ name: "peers", text: "hunter2", shown: '"${SECRET}"' }], LIMITS);
    expect(problems.map(({ message }) => message)).toEqual([
      'peers must be a number from 1 to 1000; found "${SECRET}"',
    ]);
  });
});

it("the notation of a value follows its unit", () => {
  expect([0.29, 0.005].map((value) => written(value, "share"))).toEqual(["29%", "0.5%"]);
  expect([0, 30, 90, 600, 3600, 172_800].map((value) => written(value, "seconds"))).toEqual([
    ...["0s", "30s", "90s", "10m", "1h", "2d"],
  ]);
  expect(written(5, "number")).toBe("5");
});
