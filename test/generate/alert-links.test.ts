import { expect, it } from "vitest";
import type { Alert } from "../../src/topics/define/alert.ts";
import { ALERT_GROUPS } from "../../src/topics/all/alerts.ts";
import { boardOf } from "../../generate/alert-links.ts";
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
      expect(Object.keys(alert.fires.labels)).toContain(label);
    }
  }
});

it.each<readonly [Alert["name"], string]>([
  ["AvaxNodeDown", "avax-node node"],
  ["AvaxEvmWrongChain", "avax-node node chain"],
  ["AvaxEndpointFailing", "avax-exporter node"],
  ["AvaxDowntimeBudgetLow", "avax-validator validator"],
  ["AvaxUptimeRewardAtRisk", "avax-validator validator"],
  ["AvaxL1RunwayShort", "avax-l1 subnet"],
  ["AvaxSubnetQuorumLost", "avax-l1 subnet"],
  ["AvaxPublicChainStalled", "avax-network chain"],
  ["AvaxPlatformStalled", "avax-network"],
  ["AvaxHostedSeriesBehind", "avax-network"],
  ["AvaxHostedKeyRefused", "avax-exporter"],
  ["AvaxExporterAbsent", "avax-exporter"],
])("%s opens %s", (name, board) => {
  const found = CHOSEN.filter(({ alert }) => alert.name === name);
  expect(found.map(({ uid, chosen }) => [uid, ...chosen.map(([variable]) => variable)].join(" "))).toEqual([board]);
});
