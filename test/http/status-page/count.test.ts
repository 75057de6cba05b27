import { expect, it } from "vitest";
import { count, grouped } from "../../../src/http/status-page/count.ts";

it.each([
  [0, "0"],
  [999, "999"],
  [1000, "1,000"],
  [-1234567, "-1,234,567"],
  [1_569_545.63, "1,569,545.63"],
  [1234.5678, "1,234.5678"],
  [1e21, "1e+21"],
])("%d is grouped as %s", (number, text) => {
  expect(grouped(number)).toBe(text);
});

it("a count has its noun in the right form", () => {
  expect([count(1, "node"), count(2000, "node"), count(2, "entry", "entries")]).toEqual([
    "1 node",
    "2,000 nodes",
    "2 entries",
  ]);
});
