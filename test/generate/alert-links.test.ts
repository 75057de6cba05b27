import { expect, it } from "vitest";
import { ALERT_GROUPS } from "../../src/topics/all/alerts.ts";
import { boardOf } from "../../generate/rules/alert-links.ts";
import { BOARDS } from "../../generate/dashboards/boards.ts";

const CHOSEN = ALERT_GROUPS.flatMap(({ id, alerts }) => alerts.map((alert) => ({ alert, ...boardOf(alert, id) })));

it("every alert opens a dashboard that exists, with variables that it has and labels that the alert has", () => {
  for (const { alert, uid, chosen } of CHOSEN) {
    const board = BOARDS.find((each) => each.uid === uid);
    const variables: readonly string[] = (board?.variables ?? []).map((each) =>
      typeof each === "string" ? each : each.one,
    );
    expect([alert.name, variables]).toEqual([alert.name, expect.arrayContaining(["network"])]);
    for (const [variable, label] of chosen) {
      expect([alert.name, variables.includes(variable)]).toEqual([alert.name, true]);
      expect(alert.labels).toContain(label);
    }
  }
});
