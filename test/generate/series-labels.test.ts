import { expect, it } from "vitest";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { isOfValidator } from "../../src/topics/all/joined-alert.ts";
import { casesOf } from "../rule-cases/cases-of.ts";
import { alertLabels } from "./series-labels.ts";

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
