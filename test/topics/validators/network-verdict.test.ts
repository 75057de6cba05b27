import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { TOPICS } from "../../../src/definitions/topics.ts";
import { networkVerdict } from "../../../src/topics/validators/network-verdict.ts";
import { anyPeers, anyValidators } from "../../support/arbitraries.ts";
import {
  LOCAL_TIME,
  recordedNodeId,
  recordedPeers,
  recordedSets,
  recordedUpgrades,
  recordedUptime,
  RENEWED_TIME,
  RESTARTED_TIME,
  timed,
} from "../../support/derived.ts";
import { only, readTopic } from "../../support/topics.ts";

function verdictOf(recording: string, time: number) {
  return readTopic(
    networkVerdict,
    {
      peers: recordedPeers(recording),
      sets: recordedSets(recording),
      upgrades: recordedUpgrades(recording),
      own: recordedUptime(recording),
    },
    timed({ nodeId: recordedNodeId(recording), time }, "peers", "sets", "upgrades", "own"),
  );
}

describe("the uptime that the network grants", () => {
  it("a young validator: only itself and the one that joined with it", () => {
    const samples = verdictOf("local-young-validator", LOCAL_TIME);
    // Of 10,006,202 AVAX (five of two million, 77 delegated to one, 2,625 and 3,500): its own 2,625 and 3,500 at 99 %.
    expect(samples.get('avax_node_stake_by_observed_uptime_ratio{threshold="0.8"}')).toBeCloseTo(
      6_125 / 10_006_202,
      12,
    );
    expect(samples.get('avax_node_stake_by_observed_uptime_ratio{threshold="0.9"}')).toBeCloseTo(
      6_125 / 10_006_202,
      12,
    );
    expect(samples.get("avax_node_rewarding_stake_ratio")).toBeCloseTo(6_125 / 10_006_202, 12);
    // info.uptime has 0.0612 %, cut to four decimals of a percent.
    expect(samples.get("avax_node_rewarding_stake_overstatement")).toBeCloseTo(0, 6);
    expect(samples.get("avax_node_observed_uptime_min_ratio")).toBe(0.71);
    expect(samples.get("avax_node_observed_uptime_median_ratio")).toBe(0.73);
    expect(samples.get("avax_node_observed_uptime_max_ratio")).toBe(0.99);
    // All others reported.
    expect(samples.get("avax_node_observing_stake_ratio")).toBeCloseTo(10_003_577 / 10_006_202, 12);
    // 0.27 · 1028 of 34,559.8 s.
    expect(samples.get("avax_node_downtime_budget_used")).toBeCloseTo(277.56 / 34_559.8, 11);
  });

  it("a healthy validator: everything", () => {
    const samples = verdictOf("local-healthy-validator", LOCAL_TIME);
    expect(only(samples, "stake_by_observed_uptime_ratio")).toEqual({
      'avax_node_stake_by_observed_uptime_ratio{threshold="0.8"}': 1,
      'avax_node_stake_by_observed_uptime_ratio{threshold="0.9"}': 1,
    });
    expect(samples.get("avax_node_observed_uptime_min_ratio")).toBe(0.99);
  });

  it("one whose peer restarted: all but that peer's fifth", () => {
    const samples = verdictOf("local-1.14.2-validator", RESTARTED_TIME);
    expect(samples.get('avax_node_stake_by_observed_uptime_ratio{threshold="0.8"}')).toBe(0.8);
    expect(samples.get("avax_node_observing_stake_ratio")).toBe(0.6);
    expect(samples.get("avax_node_rewarding_stake_overstatement")).toBe(0);
  });

  it("one that restarted: its own fifth, and no observations", () => {
    const samples = verdictOf("local-1.14.2-just-restarted", RESTARTED_TIME);
    expect(samples.get('avax_node_stake_by_observed_uptime_ratio{threshold="0.8"}')).toBe(0.2);
    expect(samples.get("avax_node_observing_stake_ratio")).toBe(0);
    expect(only(samples, "observed_uptime_m")).toEqual({});
    expect(only(samples, "budget_used")).toEqual({});
  });

  it("one under the rule of 90 %: four large validators, without the one that lost it and the one that connected late", () => {
    const samples = verdictOf("custom-auto-renewed-validator", RENEWED_TIME);
    // 8,000,000 and its own 2,100 of 10,004,600; info.uptime cuts it to 79.9842 %.
    expect(samples.get("avax_node_rewarding_stake_ratio")).toBeCloseTo(8_002_100 / 10_004_600, 12);
    expect(samples.get("avax_node_observed_uptime_min_ratio")).toBe(0.01);
    expect(samples.get("avax_node_observed_uptime_median_ratio")).toBe(1);
    expect(samples.get("avax_node_downtime_budget_used")).toBe(0);
  });

  it("is absent for a node that is not a validator", () => {
    const recording = "custom-not-a-validator";
    const samples = readTopic(
      networkVerdict,
      {
        peers: recordedPeers(recording),
        sets: recordedSets(recording),
        upgrades: recordedUpgrades(recording),
        own: "not_a_validator",
      },
      timed({ nodeId: recordedNodeId(recording), time: RENEWED_TIME }, "peers", "sets"),
    );
    expect([...samples]).toEqual([]);
  });
});

describe("a claim that peers contradict", () => {
  it("is the share that 80 % grants and 90 % does not", () => {
    const set = platformMethods.getCurrentValidators.result.parse({
      validators: ["own", "b", "c", "d"].map((id) => ({
        nodeID: `NodeID-${id}`,
        weight: "25",
        startTime: "1000",
        endTime: "2000",
      })),
    });
    const peer = (id: string, observedUptime: string) => ({
      nodeID: `NodeID-${id}`,
      version: "v",
      lastSent: "2026-11-21T11:00:00Z",
      lastReceived: "2026-11-21T11:00:00Z",
      observedUptime,
    });
    const samples = readTopic(
      networkVerdict,
      {
        peers: infoMethods.peers.result.parse({
          numPeers: "3",
          peers: [peer("b", "85"), peer("c", "89"), peer("d", "90")],
        }),
        sets: new Map([["primary", set]]),
        upgrades: new Map([["helicon", 1000]]),
        own: { rewardingStakePercentage: 1, weightedAveragePercentage: 0.9 },
      },
      timed({ time: 1500 }, "peers"),
    );
    expect(only(samples, "stake_by_observed_uptime_ratio")).toEqual({
      'avax_node_stake_by_observed_uptime_ratio{threshold="0.8"}': 1,
      'avax_node_stake_by_observed_uptime_ratio{threshold="0.9"}': 0.5,
    });
    expect(samples.get("avax_node_rewarding_stake_overstatement")).toBe(0.5);
    // The lower of the two in the middle when stake is even: 0.89 of 75.
    expect(samples.get("avax_node_observed_uptime_median_ratio")).toBe(0.89);
    // 0.11 · 500 of 0.1 · 1000.
    expect(samples.get("avax_node_downtime_budget_used")).toBe(0.55);
  });
});

describe("alerts about uptime and reward", () => {
  it("wait longer than the minute in which the peers of a restarted node report nothing", () => {
    const waiting = TOPICS.flatMap(({ alerts }) => alerts)
      .filter(({ name }) => /^Avax(Uptime|Reward|Downtime)/.test(name))
      .map(({ name, for: time }) => [name, Number(/^(\d+)m$/.exec(time)?.[1])] as const);
    expect(waiting.length).toBe(6);
    for (const [name, minutes] of waiting) expect([name, minutes >= 5]).toEqual([name, true]);
  });
});

describe("any peers and validators", () => {
  it("shares are from 0 to 1 and grow with a lower threshold", () => {
    fc.assert(
      fc.property(anyPeers, anyValidators, fc.nat(1_000_000), (peers, validators, own) => {
        const samples = readTopic(
          networkVerdict,
          {
            peers: infoMethods.peers.result.parse(peers),
            sets: new Map([["primary", platformMethods.getCurrentValidators.result.parse(validators)]]),
            upgrades: new Map(),
            own: undefined,
          },
          timed({ nodeId: validators.validators?.[0]?.nodeID ?? `NodeID-${own}`, time: LOCAL_TIME }, "peers"),
        );
        const [at80 = 0, at90 = 0] = Object.values(only(samples, "stake_by_observed_uptime_ratio"));
        expect(at80).toBeGreaterThanOrEqual(at90);
        for (const value of Object.values(only(samples, "stake"))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
