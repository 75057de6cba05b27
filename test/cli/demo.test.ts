import { expect, test } from "vitest";
import { simulate } from "../../simulator/simulate.ts";
import { demoConfig } from "../../src/cli/demo.ts";
import { alertGroupsWith, ALERTS } from "../../src/topics/all/alerts.ts";
import { parseDuration } from "../../src/config/base/units.ts";

test("the demo's alerts fire after a tenth of their time, the first page within a minute", async () => {
  const simulation = await simulate({ port: 0, nodes: 1 });
  const alerts = alertGroupsWith(demoConfig(simulation).alerts).flatMap((group) => group.alerts);
  await simulation.close();
  const standard = new Map(ALERTS.map(({ name, for: time }) => [name, parseDuration(time) ?? 0]));
  expect(alerts.map(({ for: time }) => parseDuration(time))).toEqual(
    alerts.map(({ name }) => Math.ceil((standard.get(name) ?? 0) / 10)),
  );
  const pending = alerts.find(({ name }) => name === "AvaxDowntimeBudgetLow");
  expect(parseDuration(pending?.for ?? "")).toBeLessThan(60);
});
