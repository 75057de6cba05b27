import { expect, it } from "vitest";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { isOfValidator } from "../../src/topics/all/joined-alert.ts";
import { casesOf } from "../rule-cases/cases-of.ts";
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

it("finds the labels that each alert says it has, and those of a name", () => {
  const found = alertLabels();
  for (const alert of ALERTS) {
    const all = [...alert.labels, ...(isOfValidator(alert) ? ["name", "node"] : [])];
    const own = (found.get(alert.name) ?? []).filter((label) => label !== "instance" && label !== "job");
    expect([...own].sort(), alert.name).toEqual(all.sort());
  }
});

it("finds every label with which an alert fires in its promtool case", () => {
  const found = alertLabels();
  for (const alert of ALERTS)
    expect(found.get(alert.name), alert.name).toEqual(expect.arrayContaining(Object.keys(casesOf(alert).labels)));
});
