import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { upgradeReadiness } from "../../../src/topics/network/upgrade-readiness.ts";
import { NEVER_DOWN } from "../../../src/topics/reach.ts";
import { verdictOf } from "../../../src/topics/network/upgrade-verdict.ts";
import { missingShare, standingOf } from "../../../src/topics/network/known-upgrade.ts";
import { anyPeers, anyValidators } from "../../support/arbitraries.ts";
import {
  AHEAD_TIME,
  answered,
  LEFT_TIME,
  LOCAL_TIME,
  recordedNodeId,
  recordedPeers,
  recordedReport,
  recordedSets,
  recordedUpgrades,
} from "../../support/derived.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";

const HELICON = 1_795_258_827; // 2026-11-21T11:00:27Z

/** A recorded node. The set is that of the network, from the first node. */
const member = (recording: string, time: number, set = recording) => ({
  facts: { ...contextOf({ node: recording }), nodeId: recordedNodeId(recording) },
  answers: {
    upgrades: answered(recordedUpgrades(recording), time),
    report: answered(recordedReport(recording), time),
    peers: answered(recordedPeers(recording), time),
    sets: new Map([...recordedSets(set)].map(([subnet, value]) => [subnet, answered(value, time)])),
  },
});
const read = (time: number, ...members: ReadonlyArray<{ readonly facts: object; readonly answers: object }>) =>
  readTopic(upgradeReadiness, { members }, contextOf({ time }));
const ready = (node: string) => `avax_node_upgrade_ready{node="${node}"}`;
const standing = (node: string, state: string) => `avax_node_upgrade_state{node="${node}",state="${state}"}`;
const parting = (node: string) => `avax_node_fork_timestamp_seconds{node="${node}"}`;
const leftBehind = (node: string) => `avax_node_left_behind_blocks{node="${node}"}`;
const MISSING_STAKE = "avax_network_upgrade_missing_stake_ratio";
const READY_STAKE = "avax_network_upgrade_ready_stake_ratio";

describe("ten minutes before Helicon", () => {
  it("the validator that knows of it is ready, as is 80 % of the stake", () => {
    const samples = read(AHEAD_TIME, member("custom-upgrade-ahead", AHEAD_TIME));
    expect(samples.get(ready("custom-upgrade-ahead"))).toBe(1);
    expect(samples.get(parting("custom-upgrade-ahead"))).toBe(Infinity);
    expect(samples.get(leftBehind("custom-upgrade-ahead"))).toBe(0);
    expect(samples.get(MISSING_STAKE)).toBe(0);
    expect(samples.get(READY_STAKE)).toBe(0.8);
    expect(samples.get("avax_network_upgrade_timestamp_seconds")).toBe(HELICON);
    expect(only(samples, "upgrade_stake_ratio")).toEqual({
      'avax_network_upgrade_stake_ratio{upgrade_time="2026-11-21T11:00:27Z"}': 0.8,
      'avax_network_upgrade_stake_ratio{upgrade_time="unscheduled"}': 0.2,
    });
  });

  it("the one that does not know of it is not ready, although its health check passes", () => {
    const { healthy, checks } = recordedReport("custom-upgrade-unknown");
    expect([healthy, checks["futureupgrade"]?.error]).toEqual([true, undefined]);
    const samples = read(AHEAD_TIME, member("custom-upgrade-unknown", AHEAD_TIME));
    expect(samples.get(ready("custom-upgrade-unknown"))).toBe(0);
    expect(samples.get(standing("custom-upgrade-unknown", "unknown_here"))).toBe(1);
    expect(samples.has(standing("custom-upgrade-unknown", "in_line"))).toBe(false);
    expect(samples.get(parting("custom-upgrade-unknown"))).toBe(HELICON);
    expect(samples.get(READY_STAKE)).toBe(0.8);
    // Its own schedule lacks the name, which one that knows it adds.
    expect(Object.keys(only(samples, "upgrade_info"))).toEqual([
      'avax_network_upgrade_info{upgrade="unknown",release="1.15.0"}',
    ]);
    const both = read(
      AHEAD_TIME,
      member("custom-upgrade-ahead", AHEAD_TIME),
      member("custom-upgrade-unknown", AHEAD_TIME, "custom-upgrade-ahead"),
    );
    expect(Object.keys(only(both, "upgrade_info"))).toEqual([
      'avax_network_upgrade_info{upgrade="helicon",release="1.15.0"}',
    ]);
    expect(only(read(AHEAD_TIME, member("custom-upgrade-ahead", AHEAD_TIME)), "upgrade_info")).toEqual({});
  });
});

describe("two minutes after Helicon", () => {
  it("the one left behind is healthy and not ready", () => {
    const [active, left] = ["custom-helicon-active", "custom-left-behind"] as const;
    expect(recordedReport(left).healthy).toBe(true);
    const samples = read(LEFT_TIME, member(active, LEFT_TIME), member(left, LEFT_TIME, active));
    expect([samples.get(ready(active)), samples.get(ready(left))]).toEqual([1, 0]);
    expect(samples.get(parting(left))).toBe(HELICON);
    // All but its own two million of 10,004,600.
    expect(samples.get(READY_STAKE)).toBeCloseTo(8_004_600 / 10_004_600, 12);
    expect(samples.get(MISSING_STAKE)).toBeCloseTo(2_000_000 / 10_004_600, 12);
  });
});

describe("where releases announce the upgrade before the last one that they schedule", () => {
  // 2026-11-26T20:41:19Z and eight minutes later. Every node announces Granite, with Helicon and without it.
  const [HELICON_HERE, LATER] = [1_795_725_679, 1_795_726_168] as const;
  const [right, other, left] = ["head-l1-validator", "head-helicon-restarted-validator", "head-left-behind"] as const;
  const at = (recording: string, height: number, time: number = LATER) => {
    const { facts, answers } = member(recording, time, right);
    return { facts, answers: { ...answers, height: answered({ height }, time) } };
  };

  it("the node without it is not ready, and the others are", () => {
    const samples = read(LATER, at(right, 16), at(left, 9), at(other, 16));
    expect([right, left, other].map((node) => samples.get(ready(node)))).toEqual([1, 0, 1]);
    expect(samples.get(standing(left, "unknown_here"))).toBe(1);
    expect([right, left, other].map((node) => samples.get(parting(node)))).toEqual([Infinity, HELICON_HERE, Infinity]);
    expect(samples.get("avax_network_upgrade_timestamp_seconds")).toBe(HELICON_HERE);
    // The 3,000 of the one of 10,505,200. What the stake that is not polled has is unknown.
    expect(samples.get(MISSING_STAKE)).toBeCloseTo(3_000 / 10_505_200, 12);
    expect(samples.get(READY_STAKE)).toBeUndefined();
    expect(Object.keys(only(samples, "upgrade_info"))).toEqual([
      'avax_network_upgrade_info{upgrade="helicon",release="unknown"}',
    ]);
  });

  it("it is left behind once its blocks stand still, and a node that has it never, however far it is behind", () => {
    const first = nextState(
      upgradeReadiness,
      { members: [right, left, other].map((node) => at(node, 9, HELICON_HERE)) },
      contextOf({ time: HELICON_HERE }),
    );
    const data = { members: [at(right, 16), at(left, 9), at(other, 15)] };
    const second = nextState(upgradeReadiness, data, contextOf({ time: LATER }), first);
    const samples = readTopic(
      upgradeReadiness,
      { members: [at(right, 16, LATER + 15), at(left, 9, LATER + 15), at(other, 15, LATER + 15)] },
      contextOf({ time: LATER + 15 }),
      second,
    );
    expect([right, left, other].map((node) => samples.get(leftBehind(node)))).toEqual([0, 7, 0]);
  });

  it("a node alone is not compared: its peers announce nothing about that upgrade", () => {
    expect(only(read(LATER, at(right, 16)), "node_upgrade")).toEqual({});
    expect(read(LATER, at(right, 16), at(other, 16)).get(ready(right))).toBe(1);
  });

  it("an API node and one whose checks are unknown are compared too", () => {
    const api = { ...at(left, 9), facts: { ...contextOf({ node: left }), nodeId: undefined } };
    const silent = at(other, 16);
    const samples = read(LATER, at(right, 16), api, { ...silent, answers: { ...silent.answers, report: undefined } });
    expect([right, left, other].map((node) => samples.get(ready(node)))).toEqual([1, 0, 1]);
    expect(samples.get(MISSING_STAKE)).toBe(0);
  });

  it("most of the stake that announces the upgrade decides against a polled node that does not announce it", () => {
    const ahead = member("head115-upgrade-ahead", HELICON_HERE);
    const { upgrades, peers } = ahead.answers;
    const mute = { ...at(right, 16), answers: { ...at(right, 16).answers, upgrades, peers } };
    const samples = read(HELICON_HERE, ahead, mute);
    expect(samples.get(ready(right))).toBe(1);
    // It and the 1.14.2 validator announce Granite, which says nothing then.
    expect(samples.get(READY_STAKE)).toBe(0.8);
  });
});

describe("one of three nodes that reports another upgrade of the network", () => {
  const names = ["liar", "b", "c"] as const;
  const own = member("custom-upgrade-ahead", AHEAD_TIME);
  const at = (node: string, more: object = {}) => ({
    facts: { ...own.facts, ...contextOf({ node }), nodeId: own.facts.nodeId },
    answers: { ...own.answers, ...more },
  });
  const { peers, ...rest } = recordedPeers("custom-upgrade-ahead");
  const later = new Map(
    [...recordedUpgrades("custom-upgrade-ahead")].map(([name, time]) => [name, time + 60] as const),
  );

  it.each([
    ["of its peers", { peers: answered({ ...rest, peers: peers.map((peer) => ({ ...peer, upgradeTime: 1 })) }, 0) }],
    ["of its own schedule", { upgrades: answered(later, AHEAD_TIME) }],
  ])("%s makes no other one not ready", (_what, lie) => {
    const samples = read(AHEAD_TIME, at("liar", lie), at("b"), at("c"));
    expect(names.slice(1).map((node) => samples.get(ready(node)))).toEqual([1, 1]);
  });
});

describe("the release that announces Helicon", () => {
  const [ahead, unknown] = ["head115-upgrade-ahead", "head115-upgrade-unknown"] as const;
  const ACTIVE = 1_795_728_268; // 2026-11-26T21:24:28Z

  it("shows six minutes before it who lacks it", () => {
    const samples = read(ACTIVE - 338, member(ahead, ACTIVE - 338), member(unknown, ACTIVE - 338));
    expect([ahead, unknown].map((node) => samples.get(parting(node)))).toEqual([Infinity, ACTIVE]);
    expect([READY_STAKE, MISSING_STAKE].map((name) => samples.get(name))).toEqual([0.8, 0]);
  });

  it("shows a minute after it who was left behind, though its peers refuse it", () => {
    const [now, gone] = [ACTIVE + 62, "head115-left-behind"] as const;
    const samples = read(now, member("head115-at-transition", now), member(gone, now));
    expect([samples.get(ready("head115-at-transition")), samples.get(ready(gone))]).toEqual([1, 0]);
    expect(samples.get(MISSING_STAKE)).toBeCloseTo(0.2, 12);
  });
});

describe("with no upgrade ahead", () => {
  it("a node with a date of its own leaves the network", () => {
    const own = member("local-healthy-validator", LOCAL_TIME);
    const alone = {
      ...own,
      answers: { ...own.answers, upgrades: answered(recordedUpgrades("custom-upgrade-ahead"), LOCAL_TIME) },
    };
    const samples = read(HELICON - 3600, alone);
    expect(samples.get(ready("local-healthy-validator"))).toBe(0);
    expect(samples.get(standing("local-healthy-validator", "only_here"))).toBe(1);
    expect(samples.get(parting("local-healthy-validator"))).toBe(HELICON);
  });
});

describe("a standing", () => {
  const NOW = 1000;
  const NONE = 253_399_622_400;
  it.each([
    ["the same date", [10, 2000], 2000, { state: "in_line", parting: undefined }],
    ["no dates but past ones", [10, NONE], NONE, { state: "in_line", parting: undefined }],
    ["an older release where nothing is ahead", [10], NONE, { state: "in_line", parting: undefined }],
    [
      "a newer release without a date, the network's last upgrade in it",
      [10, 900, NONE],
      900,
      { state: "in_line", parting: undefined },
    ],
    ["a date that it does not know", [10, NONE], 2000, { state: "unknown_here", parting: 2000 }],
    ["a past date that it does not know", [10, NONE], 900, { state: "unknown_here", parting: 900 }],
    ["a date of its own", [10, 2000], NONE, { state: "only_here", parting: 2000 }],
    ["a later date than the network's, which it knows", [10, 2000, 3000], 2000, { state: "only_here", parting: 3000 }],
    ["an earlier date than the network's", [10, 2000], 3000, { state: "another_time", parting: 2000 }],
    ["a later date than the network's", [10, 3000], 2000, { state: "another_time", parting: 2000 }],
  ])("%s", (_what, own, network, expected) => {
    expect(standingOf(own, network, NOW)).toEqual(expected);
  });
});

describe("any announcements", () => {
  it("gives shares from 0 to 1 and few series", () => {
    fc.assert(
      fc.property(anyPeers, anyValidators, (peers, validators) => {
        const set = platformMethods.getCurrentValidators.result.parse(validators);
        const own = {
          facts: { ...contextOf(), nodeId: set.validators[0]?.nodeID },
          answers: {
            upgrades: answered(new Map([["helicon", 5]]), 1),
            report: undefined,
            peers: answered(infoMethods.peers.result.parse(peers), 1),
            sets: new Map([["primary", answered(set, 1)]]),
          },
        };
        const samples = read(LOCAL_TIME, own);
        const shares = Object.values(only(samples, "stake_ratio"));
        for (const value of shares) expect(value >= 0 && value <= 1).toBe(true);
        expect(shares.length).toBeLessThanOrEqual(12);
      }),
    );
  });

  it("a node is not compared without other nodes", () => {
    const own = member("custom-upgrade-ahead", AHEAD_TIME);
    const lonely = { ...own, answers: { ...own.answers, peers: undefined } };
    expect(only(read(AHEAD_TIME, lonely), "node_upgrade")).toEqual({});
  });
});

describe("a verdict", () => {
  const late = { state: "unknown_here", parting: 5000 } as const;
  const verdict = (forksAt: number, behind?: number) => ({ state: "unknown_here", forksAt, leftBehind: behind });
  it.each([
    [
      "of a ready node, whatever its lag",
      { state: "in_line", parting: undefined } as const,
      7,
      9000,
      { state: "in_line", forksAt: Infinity, leftBehind: 0 },
    ],
    ["before the upgrade", late, 7, 4999, verdict(5000, 0)],
    ["after it, without another node to compare", late, undefined, 9000, verdict(5000)],
    ["after it, behind", late, 7, 9000, verdict(5000, 7)],
    ["right after it, before the next block", late, 0, 5600, verdict(5000, 0)],
    ["long after it, though it follows the network", late, 0, 5601, verdict(Infinity, 0)],
  ])("%s", (_case, standing, lag, now, expected) => {
    expect(verdictOf(standing, lag, now)).toEqual(expected);
  });
});

describe("a node that is not ready", () => {
  const NODE = "custom-upgrade-unknown";
  const NETWORK = "custom-upgrade-ahead";
  const UP = { ...NEVER_DOWN, up: true };
  type Of = { readonly height?: number; readonly isDown?: boolean; readonly isMute?: boolean };
  const of = (recording: string, time: number, { height, isDown = false, isMute = isDown }: Of = {}) => {
    const { facts, answers } = member(recording, time, NETWORK);
    return {
      facts,
      answers: {
        ...(isMute ? {} : answers),
        height: height === undefined || isMute ? undefined : answered({ height }, time),
        reach: answered(isDown ? { up: false, outages: [{ from: time }], total: 1 } : UP, time),
      },
    };
  };
  const data = (time: number, own: Of, other: Of = {}) => ({
    members: [of(NETWORK, time, other), of(NODE, time, own)],
  });
  const next = (time: number, own: Of, other?: Of, before?: unknown) =>
    nextState(upgradeReadiness, data(time, own, other), contextOf({ time }), before);
  const seen = (time: number, own: Of, other?: Of, before?: unknown) => {
    const samples = readTopic(upgradeReadiness, data(time, own, other), contextOf({ time }), before);
    return [samples.get(parting(NODE)), samples.get(leftBehind(NODE))];
  };
  const restored = (state: unknown): unknown =>
    upgradeReadiness.saved?.restore(JSON.parse(JSON.stringify(upgradeReadiness.saved.save(state as never))));
  const DOWN = { isDown: true };

  it("forks off when the upgrade activates, and is behind from then on", () => {
    const before = next(HELICON - 60, { height: 100 }, { height: 150 });
    expect(seen(HELICON - 50, { height: 100 }, { height: 150 }, before)).toEqual([HELICON, 0]);
    expect(seen(HELICON + 10, { height: 100 }, { height: 160 }, before)).toEqual([HELICON, 50]);
  });

  it("stays not ready while it is down, also over a restart of the exporter", () => {
    const before = next(AHEAD_TIME, {});
    expect(seen(HELICON + 60, DOWN, {}, before)).toEqual([HELICON, 0]);
    expect(seen(HELICON + 60, DOWN, {}, restored(before))).toEqual([HELICON, 0]);
    expect(seen(HELICON + 60, DOWN, DOWN, before)).toEqual([HELICON, 0]);
  });

  it("stays left behind while it is down; after a restart of the exporter by a power of two at most", () => {
    const first = next(HELICON + 60, { height: 100 }, { height: 200 });
    const before = next(HELICON + 70, { height: 100 }, { height: 200 }, first);
    expect(seen(HELICON + 80, DOWN, { height: 300 }, before)).toEqual([HELICON, 100]);
    expect(seen(HELICON + 80, DOWN, { height: 300 }, restored(before))).toEqual([HELICON, 64]);
  });

  it("stays left behind until it is asked after a start of the exporter", () => {
    const before = restored(
      next(HELICON + 70, { height: 100 }, { height: 200 }, next(HELICON + 60, { height: 100 }, { height: 200 })),
    );
    const unasked = (recording: string, time: number) => {
      const { facts } = member(recording, time, NETWORK);
      return { facts, answers: { reach: answered(NEVER_DOWN, time) } };
    };
    const time = HELICON + 80;
    const state = nextState(
      upgradeReadiness,
      { members: [unasked(NETWORK, time), unasked(NODE, time)] },
      contextOf({ time }),
      before,
    );
    expect(seen(time + 10, DOWN, { height: 300 }, state)).toEqual([HELICON, 64]);
  });

  it("is unknown where it answers without its schedule, and where it was never seen", () => {
    expect(seen(HELICON + 60, { isMute: true }, {}, next(AHEAD_TIME, {}))).toEqual([undefined, undefined]);
    expect(seen(HELICON + 60, DOWN)).toEqual([undefined, undefined]);
  });

  it("is ready again with the upgrade", () => {
    const samples = readTopic(
      upgradeReadiness,
      { members: [of(NETWORK, AHEAD_TIME), { ...of(NETWORK, AHEAD_TIME), facts: of(NODE, AHEAD_TIME).facts }] },
      contextOf({ time: AHEAD_TIME }),
      next(AHEAD_TIME, {}),
    );
    expect([samples.get(parting(NODE)), samples.get(leftBehind(NODE))]).toEqual([Infinity, 0]);
  });
});

it("the stake that lacks the active upgrade is without that which announces nothing", () => {
  const count = {
    byTime: new Map([
      [5000, 7n],
      [10, 2n],
    ]),
    known: 9n,
    total: 10n,
  };
  expect([5000, 5001].map((now) => missingShare(count, 5000, 0.7, now))).toEqual([0, expect.closeTo(0.2, 12)]);
  expect(missingShare(count, 253_399_622_400, 0.7, 6000)).toBe(0);
});
