import { expect, it } from "vitest";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { isOfValidator } from "../../src/topics/define/alert.ts";
import { alertLabels, NAMES } from "./series-labels.ts";

it("finds the labels that each alert says it has, and those of a name", () => {
  const found = alertLabels();
  for (const alert of ALERTS) {
    const added = ["instance", "job", ...NAMES, ...(isOfValidator(alert) ? ["node"] : [])];
    const own = (found.get(alert.name) ?? []).filter((label) => !added.includes(label));
    expect([...own].sort(), alert.name).toEqual([...alert.labels].sort());
  }
});
