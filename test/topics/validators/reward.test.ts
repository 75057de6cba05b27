import { describe, expect, it } from "vitest";
import { NEVER_DOWN, type Reach } from "../../../src/topics/reach.ts";
import { outageCost } from "../../../src/topics/validators/outage-cost.ts";
import { reward } from "../../../src/topics/validators/reward.ts";
import {
  answered,
  LOCAL_TIME,
  recordedNodeId,
  recordedPeers,
  recordedSets,
  recordedUpgrades,
} from "../../support/derived.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";

const DAY = 86_400;
const NOW = 1_800_000_000;
/** A period of a hundred days, half of which is over: its budget is 20 days. */
const [START, END] = [NOW - 50 * DAY, NOW + 50 * DAY];

const UP: Reach = { up: true, outages: [], total: 0 };
const downFor = (seconds: number): Reach => ({ up: false, outages: [{ from: NOW - seconds }], total: 1 });
const DOWN = downFor(120);

type Given = {
  readonly reach?: Reach;
  /** The uptime that it observes of `NodeID-v`, in percent. */
  readonly uptime?: number;
  readonly connected?: boolean;
  readonly renews?: boolean;
  readonly period?: readonly [start: number, end: number];
  readonly peers?: readonly string[];
};

/** A polled node with the ID `NodeID-<name>`. */
function node(
  name: string,
  { reach = UP, uptime, connected = true, renews, period = [START, END], peers }: Given = {},
) {
  const [startTime, endTime] = period;
  const record = {
    ...{ nodeID: "NodeID-v", weight: 1n, startTime, endTime, connected, uptime: (uptime ?? 0) / 100 },
    ...(renews === true ? { nextPeriod: DAY } : {}),
  };
  return {
    facts: { ...contextOf({ node: name, nodeId: `NodeID-${name}`, validators: ["NodeID-v"] }) },
    answers: {
      reach: answered(reach, NOW),
      report: undefined,
      ids: undefined,
      sets: undefined,
      upgrades: answered(new Map(), NOW),
      peers: peers && answered({ peers: peers.map((of) => ({ nodeID: `NodeID-${of}` })) }, NOW),
      watched: uptime === undefined ? undefined : new Map([["primary", answered({ validators: [record] }, NOW)]]),
    },
  };
}

type Nodes = ReadonlyArray<ReturnType<typeof node>>;
const context = { ...contextOf({ validators: ["NodeID-v"] }), time: NOW };
type Compared = typeof reward | typeof outageCost;
const after = (members: Nodes, topic: Compared = reward): unknown => nextState(topic, { members }, context);
const restarted = (state: unknown, { saved }: Compared = reward): unknown => saved?.restore(saved.save(state as never));

/** The figures of `NodeID-v`, or of its node, without their prefix. */
function read(members: Nodes, before?: unknown, topic: Compared = reward) {
  const about = topic === reward ? 'node_id="NodeID-v"' : 'node="v"';
  return Object.fromEntries(
    [...readTopic(topic, { members }, context, before)]
      .filter(([name]) => name.includes(about))
      .map(([name, value]) => [/^avax_(?:validator|node)_(\w+)/.exec(name)?.[1] ?? "", value]),
  );
}

describe("the verdict about a validator", () => {
  it("is the median of the nodes that observe it", () => {
    const members = [node("a", { uptime: 100 }), node("b", { uptime: 70 }), node("c", { uptime: 90 })];
    expect(read(members)).toMatchObject({
      // 0.9 · 50 + 50 - 80 days
      downtime_left_seconds: 15 * DAY,
      downtime_scarce_seconds: Infinity,
      downtime_excess_seconds: 0,
      observed_uptime_ratio: 0.9,
      attainable_uptime_ratio: 0.95,
      uptime_margin: 0.1,
      uptime_shortfall_ratio: 0,
    });
  });

  it("names what is scarce, what is too much and what is short", () => {
    expect(read([node("a", { uptime: 70 })])).toMatchObject({
      downtime_left_seconds: 5 * DAY,
      downtime_scarce_seconds: 5 * DAY,
      downtime_excess_seconds: 0,
      uptime_shortfall_ratio: 0.1,
    });
    expect(read([node("a", { uptime: 50 })])).toMatchObject({
      downtime_left_seconds: -5 * DAY,
      downtime_scarce_seconds: Infinity,
      downtime_excess_seconds: 5 * DAY,
    });
  });

  it("of an auto-renewed one has the time of its removal, in the last quarter of its cycle", () => {
    const removal = (given: Given) => read([node("a", given)])["removal_timestamp_seconds"];
    const last = [NOW - 80 * DAY, NOW + 20 * DAY] as const;
    expect([
      removal({ uptime: 50, renews: true }),
      removal({ uptime: 50, renews: true, period: last }),
      removal({ uptime: 90, renews: true, period: last }),
      removal({ uptime: 50, period: last }),
    ]).toEqual([Infinity, last[1], Infinity, undefined]);
  });

  it("by recorded answers: 71.9572 % of 1,028 s of two days, by another node", () => {
    const recording = "local-healthy-validator";
    const young = "NodeID-8svdcPMG3GiLuyy5675h2BUNaXdrNCujA";
    const facts = { ...contextOf({ nodeId: recordedNodeId(recording), validators: [young] }) };
    const sets = new Map([...recordedSets(recording)].map(([subnet, set]) => [subnet, answered(set, LOCAL_TIME)]));
    const answers = {
      ...{ reach: answered(UP, LOCAL_TIME), report: undefined, ids: undefined, sets, watched: sets },
      peers: answered(recordedPeers(recording), LOCAL_TIME),
      upgrades: answered(recordedUpgrades(recording), LOCAL_TIME),
    };
    const samples = readTopic(
      reward,
      { members: [{ facts, answers }] },
      { ...facts, ...context, watchNetwork: [young] },
    );
    const of = (name: string) => samples.get(`avax_validator_${name}{subnet="primary",node_id="${young}"}`);
    expect(of("downtime_left_seconds")).toBe(34_271.52);
    expect(of("uptime_margin")).toBe(-0.080428);
    expect(of("attainable_uptime_ratio")).toBeCloseTo(172_510.720016 / 172_799, 11);
  });

  it("is unknown without an observer, and held while all of its observers are silent", () => {
    expect(read([node("a")])).toEqual({});
    const before = after([node("a", { uptime: 70 }), node("b", { uptime: 70 })]);
    expect(read([node("a", { reach: DOWN }), node("b", { reach: DOWN })], before)).toMatchObject({
      downtime_scarce_seconds: 5 * DAY,
    });
    // One answers, and no longer has it.
    expect(read([node("a", { reach: DOWN }), node("b")], before)).toEqual({});
    // Both have left the configuration.
    expect(read([node("c")], before)).toEqual({});
  });

  it("outlives the exporter where it can page: in whole minutes", () => {
    const before = restarted(after([node("v", { peers: [], uptime: 0 }), node("a", { uptime: 70 })]));
    expect(read([node("a", { reach: NEVER_DOWN })], before)).toMatchObject({ downtime_scarce_seconds: 5 * DAY });
    const safe = restarted(after([node("a", { uptime: 90 })]));
    expect(read([node("a", { reach: NEVER_DOWN })], safe)).toEqual({});
  });
});

describe("how long the validator's own node can stay away", () => {
  const tolerance = (members: Nodes, before?: unknown) => read(members, before, outageCost)["outage_tolerance_seconds"];
  const away = node("v", { reach: DOWN });

  it("is what is left, once it has not answered for two minutes and no other one is connected to it", () => {
    const observer = (given: Given) => node("a", { connected: false, ...given });
    expect(tolerance([away, observer({ uptime: 70 })])).toBe(5 * DAY);
    expect(tolerance([node("v"), observer({ uptime: 70 })])).toBe(Infinity);
    expect(tolerance([node("v", { reach: downFor(119) }), observer({ uptime: 70 })])).toBe(Infinity);
    expect(tolerance([away, observer({ uptime: 70, connected: true })])).toBe(Infinity);
    expect(tolerance([away, observer({ uptime: 90 })])).toBe(Infinity);
    expect(tolerance([away, observer({ uptime: 50 })])).toBe(Infinity);
    expect(tolerance([away, observer({})])).toBeUndefined();
  });

  it("holds the last known budget while nobody observes it, also over a restart of the exporter", () => {
    const before = after([node("v"), node("a", { uptime: 70, connected: false })], outageCost);
    const alone = [away, node("a", { reach: DOWN })];
    expect(tolerance(alone, before)).toBe(5 * DAY);
    expect(tolerance(alone, restarted(before, outageCost))).toBe(5 * DAY);
  });
});

describe("how long its crash loop can go on", () => {
  /** Down for two minutes, each time so many seconds ago. */
  const looping = (...ago: readonly number[]): Reach => ({
    up: true,
    outages: ago.map((seconds) => ({ from: NOW - seconds, to: NOW - seconds + 120 })),
    total: ago.length,
  });
  const tolerance = (reach: Reach, uptime = 70, period?: Given["period"]) =>
    read(
      [node("v", { reach }), node("a", { uptime, ...(period === undefined ? {} : { period }) })],
      undefined,
      outageCost,
    )["crash_loop_tolerance_seconds"];

  it("is what is left at the pace of the last half hour", () => {
    // 360 of 1,800 s.
    expect(tolerance(looping(1_500, 900, 300))).toBe(25 * DAY);
    // The first one is older than half an hour: 240 s.
    expect(tolerance(looping(2_400, 900, 300))).toBe(5 * DAY * 7.5);
  });

  it("is endless without a loop, once it is over, and where the stake ends before", () => {
    expect([
      tolerance(UP),
      tolerance(looping(900, 300)),
      tolerance(looping(3_400, 3_000, 2_600)),
      tolerance(looping(1_500, 900, 300), 70, [NOW - 80 * DAY, NOW + 20 * DAY]),
      tolerance(looping(1_500, 900, 300), 50),
    ]).toEqual([Infinity, Infinity, Infinity, Infinity, Infinity]);
  });

  it("stays while the node is down after a loop: nothing is over then", () => {
    const down: Reach = { up: false, outages: [...looping(3_300, 2_800).outages, { from: NOW - 2_400 }], total: 3 };
    expect(tolerance(down)).toBe(5 * DAY);
  });
});
