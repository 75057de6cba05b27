import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { networkVerdict } from "../../../src/topics/validators/network-verdict.ts";
import { rewardVerdict } from "../../../src/topics/validators/reward-verdict.ts";
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
    // 0.265 · 1028 of 34,559.8 s: 73 % is the middle of 73 to 74 %.
    expect(samples.get("avax_node_downtime_budget_used")).toBeCloseTo(272.42 / 34_559.8, 11);
    // Hardly any of it.
    expect(samples.get("avax_node_reward_votes_ratio")).toBeUndefined();
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

/** Unix seconds, from which the times of the stakes are counted. */
const BEGAN = 1_700_000_000;

describe("a claim that peers contradict", () => {
  it("is the share that 80 % grants and 90 % does not", () => {
    const set = platformMethods.getCurrentValidators.result.parse({
      validators: ["own", "b", "c", "d"].map((id) => ({
        nodeID: `NodeID-${id}`,
        weight: "25",
        startTime: String(BEGAN + 1000),
        endTime: String(BEGAN + 2000),
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
        upgrades: new Map([["helicon", BEGAN + 1000]]),
        own: { rewardingStakePercentage: 1, weightedAveragePercentage: 0.9 },
      },
      timed({ time: BEGAN + 1500 }, "peers"),
    );
    expect(only(samples, "stake_by_observed_uptime_ratio")).toEqual({
      'avax_node_stake_by_observed_uptime_ratio{threshold="0.8"}': 1,
      'avax_node_stake_by_observed_uptime_ratio{threshold="0.9"}': 0.5,
    });
    expect(samples.get("avax_node_rewarding_stake_overstatement")).toBe(0.5);
    // The lower of the two in the middle when stake is even: 0.89 of 75.
    expect(samples.get("avax_node_observed_uptime_median_ratio")).toBe(0.89);
    // 0.105 · 500 of 0.1 · 1000.
    expect(samples.get("avax_node_downtime_budget_used")).toBe(0.525);
    // Its own stake and that of d: the requirement is 0.9.
    expect(samples.get("avax_node_reward_votes_ratio")).toBe(0.5);
  });
});

const DAY = 86_400;
const FIVE = ["a", "b", "c", "d", "e"] as const;

/** What one of five equal validators reads 50 days into a stake of 100 days. @param uptimes by peer, as on the wire */
function readAmongFive(own: string, uptimes: Readonly<Record<string, unknown>>, restOf: object = {}) {
  const data = {
    peers: infoMethods.peers.result.parse({
      numPeers: String(Object.keys(uptimes).length),
      peers: Object.entries(uptimes).map(([nodeID, observedUptime]) => ({
        nodeID,
        version: "v",
        lastSent: "2026-11-21T11:00:00Z",
        lastReceived: "2026-11-21T11:00:00Z",
        observedUptime,
      })),
    }),
    sets: new Map([
      [
        "primary",
        platformMethods.getCurrentValidators.result.parse({
          validators: FIVE.map((nodeID) => ({
            nodeID,
            weight: "1000",
            startTime: String(BEGAN),
            endTime: String(BEGAN + 100 * DAY),
            // A node's own record is always full.
            uptime: nodeID === own ? "100.0000" : "99.9722",
          })),
        }),
      ],
    ]),
    upgrades: new Map(),
    own: undefined,
    ...restOf,
  };
  const context = timed({ nodeId: own, time: BEGAN + 50 * DAY, validators: [own] }, "peers", "sets", "answers");
  const verdict = readTopic(networkVerdict, data, context);
  const reward = readTopic(rewardVerdict, { ...data, answers: data.sets }, context);
  return {
    rewarding: verdict.get("avax_node_rewarding_stake_ratio"),
    observing: verdict.get("avax_node_observing_stake_ratio"),
    used: verdict.get("avax_node_downtime_budget_used"),
    remaining: reward.get(`avax_validator_downtime_budget_remaining_seconds{subnet="primary",node_id="${own}"}`),
  };
}

describe("five equal validators after 50 of 100 days at 100 %", () => {
  const known = { remaining: 20 * DAY };

  it("have their whole budget, exactly: 100 % is not rounded", () => {
    const uptimes = { b: "100", c: "100", d: "100", e: "100" };
    expect(readAmongFive("a", uptimes)).toEqual({ rewarding: 1, observing: 0.8, used: 0, ...known });
  });

  it("two die: the rewarding stake of a survivor is 0.6, and no budget is claimed to be used", () => {
    const absent = { used: undefined, remaining: undefined };
    expect(readAmongFive("a", { b: "100", c: "100" })).toEqual({ rewarding: 0.6, observing: 0.4, ...absent });
    // The dead ones are still listed for a moment, without a report.
    const listed = { b: "100", c: "100", d: "0", e: undefined };
    expect(readAmongFive("a", listed)).toEqual({ rewarding: 0.6, observing: 0.4, ...absent });
    // The average of info.uptime counts the dead as 0 %: it is no evidence.
    const own = { rewardingStakePercentage: 0.6, weightedAveragePercentage: 0.6 };
    expect(readAmongFive("a", { b: "100", c: "100" }, { own })).toMatchObject(absent);
  });

  it("one is cut off: it counts its own stake and claims nothing about its budget", () => {
    const absent = { used: undefined, remaining: undefined };
    expect(readAmongFive("a", {})).toEqual({ rewarding: 0.2, observing: 0, ...absent });
  });
});

describe("20 minutes offline, 50 days into a stake of 100 days with a budget of 20 days", () => {
  it("a server that reports fractions of a percent is believed", () => {
    const { remaining } = readAmongFive("a", { b: "99.9722", c: "99.9722", d: "99.9722", e: "99.9722" });
    // 0.000278 · 4,320,000 s.
    expect(remaining).toBe(20 * DAY - 1_200.96);
  });

  it("the sides of a requirement are never confused: 79 % is below 0.8, 80 % is not", () => {
    // In the middle of their percents: 0.795 and 0.805 of 50 days.
    expect(readAmongFive("a", { b: "79", c: "79", d: "79" }).remaining).toBe(9.75 * DAY);
    expect(readAmongFive("a", { b: "80", c: "80", d: "80" }).remaining).toBe(10.25 * DAY);
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
