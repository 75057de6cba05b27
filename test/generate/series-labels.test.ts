import { expect, it } from "vitest";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { alertLabels, resultLabels } from "./series-labels.ts";

const KNOWN = new Map([
  ["height", ["node", "chain", "job"]],
  ["limit", ["node", "job"]],
]);

it.each([
  ["height > 5", ["node", "chain", "job"]],
  ['time() - height{chain="P"}', ["node", "chain", "job"]],
  ["increase(height[5m])", ["node", "chain", "job"]],
  ["-height", ["node", "chain", "job"]],
  ["max without (chain) (height)", ["node", "job"]],
  ["count by (job, absent_label) (height)", ["job"]],
  ["quantile without (node) (0.5, height)", ["chain", "job"]],
  ["limit and on (node) height", ["node", "job"]],
  ["limit unless height", ["node", "job"]],
  ["limit or height", ["node", "job", "chain"]],
  ["height / ignoring (chain) limit", ["node", "job"]],
  ["height / on (node) limit", ["node"]],
  ["height < ignoring (chain) group_left () limit", ["node", "chain", "job"]],
  ["limit * on (node) group_left (chain) height", ["node", "job", "chain"]],
  ["limit * on (node) group_right () height", ["node", "chain", "job"]],
  ["absent(height)", []],
  ["vector(1)", []],
  ["time()", []],
])("%s has the labels %j", (expr, labels) => {
  expect(resultLabels(expr, KNOWN)).toEqual(labels);
});

it("rejects a series that does not exist", () => {
  expect(() => resultLabels("depth > 1", KNOWN)).toThrow("no series depth");
});

it("finds every label with which an alert fires in its promtool case", () => {
  const found = alertLabels();
  for (const { name, fires } of ALERTS)
    expect(found.get(name), name).toEqual(expect.arrayContaining(Object.keys(fires.labels)));
});
