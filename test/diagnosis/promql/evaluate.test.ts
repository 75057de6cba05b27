import { expect, test } from "vitest";
import { samplesOf } from "../../../src/diagnosis/samples.ts";
import { evaluate } from "../../../src/diagnosis/promql/evaluate.ts";
import { PromqlError } from "../../../src/diagnosis/promql/expression.ts";
import { parse } from "../../../src/diagnosis/promql/parse.ts";
import { labelsOf } from "../../../src/diagnosis/promql/sample.ts";
import { readingsIn } from "../../support/readings.ts";

const LINES = `
a{node="x",chain="C"} 5
a{node="x",chain="P"} 1
a{node="y",chain="C"} NaN
b{node="x"} 2
b{node="z"} 0
high{node="x"} +Inf
high{node="y"} -Inf
quoted{text="a \\"b\\", \\\\ and\\nmore",node="x"} 1
bare 7
info{node="x",version="1"} 1
info{node="y",version="2"} 1
`;
const source = samplesOf(readingsIn(LINES), 1000);

/** The result as lines, or as a number. */
function result(text: string): number | readonly string[] {
  const value = evaluate(parse(text), source);
  if (typeof value === "number") return value;
  return value.map((sample) => {
    const inside = [...labelsOf(sample)].map(([name, each]) => `${name}=${each}`).join(",");
    return `${sample.name}{${inside}} ${sample.value}`;
  });
}

/** What a real Prometheus does not have in `prometheus.test.ts`: NaN, infinities, escapes, and labels that are missing. */
test.each([
  ["a > 1", ["a{chain=C,node=x} 5"]],
  // The current sample is the last, the smallest and the largest one.
  ["min_over_time(a[10m]) > 1", ["{chain=C,node=x} 5"]],
  ["last_over_time(a[1d]) > 1", ["a{chain=C,node=x} 5"]],
  ["a != 5", ["a{chain=P,node=x} 1", "a{chain=C,node=y} NaN"]],
  ['a{missing="",chain!~"P|X"} == 5', ["a{chain=C,node=x} 5"]],
  ["quoted", ['quoted{node=x,text=a "b", \\ and\nmore} 1']],
  ["high", ["high{node=x} Infinity", "high{node=y} -Infinity"]],
  ["time()", 1000],
  ["max without (chain) (a)", ["{node=x} 5", "{node=y} NaN"]],
  ["sum by (node, missing) (a)", ["{node=x} 6", "{node=y} NaN"]],
  ["topk(1, high)", ["high{node=x} Infinity"]],
  ["topk(9, a)", ["a{chain=C,node=x} 5", "a{chain=P,node=x} 1", "a{chain=C,node=y} NaN"]],
  ["topk by (node) (1, nothing)", []],
  [
    'a{chain="C"} * on (node) group_left (version, missing) info',
    ["{chain=C,node=x,version=1} 5", "{chain=C,node=y,version=2} NaN"],
  ],
] as const)("%s", (text, expected) => {
  expect(result(text)).toEqual(expected);
});

test.each([
  ["a offset 5m", "it needs history"],
  ["b * ignoring (chain) a", "* finds several series for the match group {chain=P,node=x}".replace(/=(\w+)/g, '="$1"')],
  ["a * ignoring (chain) b", "* matches several series"],
  ['a * on (node) group_left (chain) a{chain="C"}', "* matches several series"],
  ["topk(b, a)", "topk takes a number"],
  ["stddev(a)", "stddev is not evaluated here"],
  ["sum(1)", "sum takes samples, not a number"],
  ["1 and a", "and takes no numbers"],
])("%s cannot be evaluated", (text, why) => {
  expect(() => result(text)).toThrow(PromqlError);
  expect(() => result(text)).toThrow(why);
});
