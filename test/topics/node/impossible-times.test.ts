import { expect, it } from "vitest";
import { healthMethods } from "../../../src/api/node/health.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { readAsOf } from "../../../src/api/is-late.ts";
import { health } from "../../../src/topics/node/health.ts";
import { impossibleTimes } from "../../../src/topics/node/clock-skew.ts";
import { peers } from "../../../src/topics/node/peers.ts";
import { rewardVerdict } from "../../../src/topics/validators/reward-verdict.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

const T = 1_795_259_208;
const iso = (time: number) => new Date(time * 1000).toISOString();

/** Answers at `T` with times of that moment, but for one that is `ahead`; the node's `Date` is `clock` ahead. */
function answers(ahead: number, clock?: number) {
  const date = clock === undefined ? undefined : new Date((T + clock) * 1000).toUTCString();
  const check = { timestamp: iso(T + ahead), timeOfFirstFailure: iso(T + ahead), error: "x" };
  const peer = (name: string, at: number) => ({ nodeID: name, version: "v", lastSent: iso(T), lastReceived: iso(at) });
  const stake = { nodeID: "NodeID-b", weight: "1", uptime: "100", startTime: `${T + ahead}`, endTime: `${T + 9000}` };
  return readAsOf(T, T + (clock ?? 0), () => ({
    report: healthMethods.health.result.parse({ healthy: true, checks: { network: check }, date }),
    answer: infoMethods.peers.result.parse({ numPeers: "2", peers: [peer("a", T), peer("b", T + ahead)], date }),
    sets: new Map([["primary", platformMethods.getCurrentValidators.result.parse({ validators: [stake] })]]),
  }));
}
const context = contextOf({ time: T });

it.each([
  ["in the past", 0, undefined, 0, T],
  ["a little ahead", 299, undefined, 0, T + 299],
  ["of tomorrow", 86_400, undefined, 4, undefined],
  ["as far ahead as the node's own clock", 3600, 3600, 1, T + 3600],
])("times %s", (_which, ahead, clock, impossible, shown) => {
  const found = answers(ahead, clock);
  const counts = [...readTopic(impossibleTimes, found, context).values()];
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(impossible);
  const checks = readTopic(health, { ...found, ids: undefined }, context);
  expect(checks.get("avax_node_health_last_run_timestamp_seconds")).toBe(shown);
  const heard = readTopic(peers, found, { ...context, watch: ["b"] });
  expect(heard.get('avax_peer_last_received_timestamp_seconds{node_id="b"}')).toBe(shown);
  // Beside one of tomorrow the other peers were heard just now.
  expect(heard.get("avax_node_peers_silent")).toBe(shown === undefined || ahead === 0 ? 0 : 1);
});

it("a period that ends before it begins is unknown, and no lost reward", () => {
  const stake = { nodeID: "NodeID-b", weight: "1", uptime: "100", startTime: `${T - 900}`, endTime: `${T - 9000}` };
  const sets = new Map([["primary", platformMethods.getCurrentValidators.result.parse({ validators: [stake] })]]);
  const watching = { ...context, watch: ["NodeID-b"] };
  expect([...readTopic(rewardVerdict, { answers: sets, upgrades: new Map() }, watching).keys()]).toEqual([
    'avax_validator_uptime_ratio{subnet="primary",node_id="NodeID-b"}',
  ]);
  expect([...readTopic(impossibleTimes, { sets }, context).values()]).toEqual([1]);
});
