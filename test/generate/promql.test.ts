import { describe, expect, it } from "vitest";
import { parsePromql } from "./promql.ts";

describe("parsePromql", () => {
  it("finds names, matchers and grouping labels", () => {
    expect(parsePromql('sum by (a) (rate(x_total{b="1",c=~"2"}[5m])) / on (d) group_left (e) y')).toEqual({
      errors: [],
      selectors: [
        { name: "x_total", labels: ["b", "c"] },
        { name: "y", labels: [] },
      ],
      grouping: ["a", "d", "e"],
      made: [],
    });
  });

  it("finds the labels that are created", () => {
    expect(parsePromql('count by (z) (label_replace(x, "z", "$1", "b", "(.*)"))').made).toEqual(["z"]);
    expect(parsePromql('label_join(x{a="1"} or y, "about", " ", "b", "c")').made).toEqual(["about"]);
  });

  it("shows where an expression is broken", () => {
    expect(parsePromql("sum by (a (x)").errors).not.toEqual([]);
    expect(parsePromql('x{a="1"').errors).not.toEqual([]);
  });
});
