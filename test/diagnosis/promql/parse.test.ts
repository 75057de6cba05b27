import { describe, expect, it, test } from "vitest";
import { ALERTS } from "../../../src/topics/all/alerts.ts";
import { RECORDINGS } from "../../../src/topics/all/recordings.ts";
import { needsHistory, PromqlError, selectorsOf, type Expression } from "../../../src/diagnosis/promql/expression.ts";
import { parse } from "../../../src/diagnosis/promql/parse.ts";
import { parsePromql } from "../../generate/promql.ts";

/** The expression with every operation in brackets. */
function bracketed(expression: Expression): string {
  switch (expression.kind) {
    case "number":
      return String(expression.value);
    case "selector":
      return expression.name;
    case "negative":
      return `(-${bracketed(expression.of)})`;
    case "binary":
      return `(${bracketed(expression.left)} ${expression.operator} ${bracketed(expression.right)})`;
    default:
      return expression.kind;
  }
}

test.each([
  ["a + b * c", "(a + (b * c))"],
  ["a - b - c", "((a - b) - c)"],
  ["-a * 2", "((-a) * 2)"],
  ["a > 1 and b < 2 or c == 3", "(((a > 1) and (b < 2)) or (c == 3))"],
  ["a or b unless c and d", "(a or ((b unless c) and d))"],
  ["time_of + -1e3", "(time_of + (-1000))"],
  ["(a or b) < 0.8 unless c < .1", "(((a or b) < 0.8) unless (c < 0.1))"],
  ["14 * 86400", "(14 * 86400)"],
])("%s is parsed as %s", (text, tree) => {
  expect(bracketed(parse(text))).toBe(tree);
});

test.each([
  "increase(a[15m]) > 0",
  "a offset 5m",
  "a and avg_over_time(b[6h]) == 1",
  "max_over_time(rate(a[5m])[1h:5m])",
])("%s needs history", (text) => {
  expect(needsHistory(parse(text))).toBe(true);
});

test.each([
  "a +",
  "a{",
  "a{b}",
  'a{b="c"',
  "(a",
  "a)",
  "sum()",
  "a b",
  "a[5m",
  "a and on b",
  "$a",
  "a{b=1}",
  "a or group_left () b",
])("%s is rejected", (text) => {
  expect(() => parse(text)).toThrow(PromqlError);
});

const RULES = [...ALERTS, ...RECORDINGS];

describe("every rule", () => {
  it("has the same selectors in Prometheus's own grammar", () => {
    const ours = RULES.map(({ name, expr }) => [name, selectorsOf(parse(expr)).map((each) => each.name)]);
    const theirs = RULES.map(({ name, expr }) => [name, parsePromql(expr).selectors.map((each) => each.name)]);
    expect(ours).toEqual(theirs);
  });

  it("needs history if it has a range", () => {
    const historical = RULES.filter(({ expr }) => needsHistory(parse(expr)));
    // The last, smallest and largest sample of a range are the current one where there is no other.
    const ofRanges = RULES.filter(({ expr }) =>
      /\[\w+\]/.test(expr.replaceAll(/(last|min|max)_over_time\([\w:]+(\{[^}]*\})?\[\w+\]\)/g, "")),
    );
    expect(historical).toEqual(ofRanges);
    expect(historical.length).toBeGreaterThan(5);
  });
});
