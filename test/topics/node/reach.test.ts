import { describe, expect, it } from "vitest";
import { reach } from "../../../src/topics/node/reach.ts";
import { NEVER_DOWN, reachAfter, type Reach } from "../../../src/topics/reach.ts";
import { answered } from "../../support/derived.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";

const NOW = 1_800_000_000;

const DOWN: Reach = { up: false, outages: [{ from: NOW - 60 }], total: 1 };
const UP: Reach = { up: true, outages: [], total: 0 };
const UNASKED: Reach = { ...DOWN, up: undefined };

type Given = {
  readonly reach?: Reach;
  readonly network?: string | undefined;
  /** Node IDs of its peers. */
  readonly peers?: readonly string[];
  /** What its validator records say of others. */
  readonly connected?: Readonly<Record<string, boolean>>;
  /** Share of stake that it is connected to, in percent. */
  readonly stake?: number;
  /** Node IDs of the Primary Network's set, with their weights. */
  readonly set?: Readonly<Record<string, number>>;
};

/** A polled node with the ID `NodeID-<name>`. */
function node(name: string, given: Given = {}) {
  const { reach: record = UP, peers, connected = {}, stake, set } = given;
  const network = "network" in given ? given.network : "n";
  const id = (of: string): string => `NodeID-${of}`;
  const validators = Object.entries(connected).map(([of, is]) => ({ nodeID: id(of), weight: 1n, connected: is }));
  const members = Object.entries(set ?? {}).map(([of, weight]) => ({ nodeID: id(of), weight: BigInt(weight) }));
  const message = { engine: { consensus: {} }, networking: { percentConnected: (stake ?? 0) / 100 } };
  return {
    facts: { ...contextOf({ node: name, nodeId: id(name) }), network },
    answers: {
      reach: answered(record, NOW),
      report: stake === undefined ? undefined : answered({ healthy: true, checks: { P: { message } } }, NOW),
      ids: undefined,
      peers: peers === undefined ? undefined : answered({ peers: peers.map((of) => ({ nodeID: id(of) })) }, NOW),
      watched: validators.length === 0 ? undefined : new Map([["primary", answered({ validators }, NOW)]]),
      sets: set === undefined ? undefined : new Map([["primary", answered({ validators: members }, NOW)]]),
    },
  };
}

type Nodes = ReadonlyArray<ReturnType<typeof node>>;
const context = { ...contextOf(), time: NOW };
const after = (members: Nodes, before?: unknown, time = NOW): unknown =>
  nextState(reach, { members }, { ...context, time }, before);
const read = (members: Nodes, before?: unknown, time = NOW) =>
  readTopic(reach, { members }, { ...context, time }, before);
/** The present outage of a node; "none" while it answers. */
function outage(name: string, members: Nodes, before?: unknown): string | undefined {
  const found = Object.entries(only(read(members, before), "avax_node_outage{", `node="${name}"`));
  if (found.length === 0) return undefined;
  const [is] = found.filter(([, value]) => value === 1);
  return is === undefined ? "none" : /outage="(\w+)"/.exec(is[0])?.[1];
}

describe("the outage of a node", () => {
  const set = { a: 1, b: 1, c: 1 };
  const down = node("a", { reach: DOWN, set });

  it.each([
    ["that answers", "none", [node("a", { set })]],
    ["alone", "unseen", [down]],
    ["that no other one is connected to", "unseen", [down, node("b", { peers: ["c"], set })]],
    ["that another one has among its peers", "seen", [down, node("b", { peers: ["a"], set })]],
    ["that another one observes as a connected validator", "seen", [down, node("b", { connected: { a: true }, set })]],
    [
      "that another one observes as disconnected, though its peers are older",
      "unseen",
      [down, node("b", { connected: { a: false }, peers: ["a"], set })],
    ],
    ["that a node of another network has among its peers", "unseen", [down, node("b", { network: "m", peers: ["a"] })]],
    ["that a node has among its peers which is cut off", "unseen", [down, node("b", { peers: ["a"], stake: 10 })]],
    ["that a node has among its peers which is down", "unseen", [down, node("b", { reach: DOWN, peers: ["a"] })]],
    ["that is in no set", "not_validating", [node("a", { reach: DOWN, set: { b: 1 } })]],
    ["whose network is unknown: it counts as a validator", "unseen", [node("a", { reach: DOWN, network: undefined })]],
    ["about which nothing is known", undefined, [node("a", { reach: NEVER_DOWN })]],
    ["that did not answer before the exporter started", "unseen", [node("a", { reach: UNASKED })]],
  ])("%s: %s", (_case, kind, members) => {
    expect(outage("a", members)).toBe(kind);
  });

  it("is not that of a validator where the last answer said so", () => {
    const before = after([node("a", { set: { b: 1 } })]);
    expect(outage("a", [node("a", { reach: DOWN })], before)).toBe("not_validating");
    const saved = reach.saved?.restore(reach.saved.save(before as never));
    expect(outage("a", [node("a", { reach: UNASKED })], saved)).toBe("not_validating");
  });

  it("goes on as it was over a restart of the exporter until the others are heard", () => {
    const before = after([down, node("b", { peers: ["a"], set })]);
    const saved = reach.saved?.restore(reach.saved.save(before as never));
    const asked = node("a", { reach: UNASKED, set });
    expect(outage("a", [asked, node("b", { reach: NEVER_DOWN })], saved)).toBe("seen");
    expect(outage("a", [asked, node("b", { set })], saved)).toBe("seen");
    expect(outage("a", [asked, node("b", { peers: [], set })], saved)).toBe("unseen");
    expect(outage("a", [asked, node("b", { reach: DOWN })], saved)).toBe("unseen");
  });
});

it("a node is restarting while it is down, and for ten minutes after", () => {
  const restarting = (record: Reach) =>
    read([node("a", { reach: record })]).get('avax_node_restarting{node="a",node_id="NodeID-a"}');
  const back = (seconds: number): Reach => ({ up: true, outages: [{ from: NOW - 900, to: NOW - seconds }], total: 1 });
  expect([DOWN, back(599), back(600), UP, NEVER_DOWN].map(restarting)).toEqual([1, 1, 0, 0, undefined]);
});

describe("outages of a crash loop", () => {
  const loop = (up: boolean, ...outages: ReadonlyArray<readonly [from: number, to?: number]>) =>
    read([
      node("a", {
        reach: {
          up,
          total: outages.length,
          outages: outages.map(([from, to]) => ({ from: NOW - from, ...(to === undefined ? {} : { to: NOW - to }) })),
        },
      }),
    ]).get('avax_node_crash_loop_outages{node="a",node_id="NodeID-a"}');

  it("are those of an hour, with less than half an hour in between", () => {
    expect(loop(true, [1200, 1140], [600, 540], [120, 60])).toBe(3);
    expect(loop(true, [4000, 3900], [3000, 2900], [1500, 1400], [120, 60])).toBe(3);
    expect(loop(true, [3500, 3400], [300, 200])).toBe(1);
  });

  it("are none once the node has run for half an hour; a plain death after a loop is one", () => {
    expect(loop(true, [3500, 3400], [3300, 3200], [2000, 1900])).toBe(0);
    expect(loop(false, [3500, 3400], [3300, 3200], [3000, 2900], [60])).toBe(1);
  });

  it("stay while the node is down after a loop", () => {
    expect(loop(false, [8000, 7900], [7600, 7500], [7200])).toBe(3);
  });
});

describe("the stake within reach", () => {
  const reachable = (name: string, members: Nodes, before?: unknown) =>
    read(members, before).get(`avax_node_reachable_stake_ratio{node="${name}",node_id="NodeID-${name}"}`);
  const set = { a: 30, b: 33, c: 37 };

  it("is what a validator is connected to", () => {
    expect(reachable("a", [node("a", { stake: 37, set })])).toBe(0.37);
    expect(reachable("a", [node("a", { stake: 37, set: { b: 1 } })])).toBeUndefined();
  });

  it("has the stake of polled nodes that are down: those that are left are not cut off", () => {
    const members = [node("a", { reach: DOWN, set }), node("b", { reach: DOWN, set }), node("c", { stake: 37, set })];
    expect(reachable("c", members)).toBe(1);
    expect(
      reachable(
        "c",
        members.map((each, i) => (i === 1 ? node("b", { stake: 60, set }) : each)),
      ),
    ).toBeCloseTo(0.67);
  });

  it("stays while the node is down, and over a restart of the exporter", () => {
    const before = after([node("a", { stake: 20, set })]);
    expect(reachable("a", [node("a", { reach: DOWN, set })], before)).toBe(0.2);
    const saved = reach.saved?.restore(reach.saved.save(before as never));
    expect(reachable("a", [node("a", { reach: UNASKED })], saved)).toBe(0.2);
    expect(reachable("a", [node("a", { set })], before)).toBeUndefined();
  });
});

it("the exporter is blind while none of several nodes answers, and until the others are asked again", () => {
  const blind = (members: Nodes, before?: unknown, time = NOW) =>
    read(members, before, time).get("avax_nodes_all_down");
  const none = [node("a", { reach: DOWN }), node("b", { reach: DOWN })];
  const one = [node("a", { reach: DOWN }), node("b")];
  expect([blind([node("a", { reach: DOWN })]), blind(one), blind(none)]).toEqual([undefined, 0, 1]);
  const dark = after(none);
  const reached = after(one, dark, NOW + 100);
  expect([blind(one, dark, NOW + 100), blind(one, reached, NOW + 129), blind(one, reached, NOW + 130)]).toEqual([
    1, 1, 0,
  ]);
});

describe("the record of outages", () => {
  const record = (...looks: ReadonlyArray<readonly [up: boolean | undefined, at: number]>) =>
    looks.reduce((before, [up, at]) => reachAfter(before, up, at), NEVER_DOWN);

  it("has each outage with its end, and keeps those of an hour", () => {
    expect(record([true, 1], [false, 10], [true, 20], [false, 30])).toEqual({
      up: false,
      outages: [{ from: 10, to: 20 }, { from: 30 }],
      total: 2,
    });
    expect(record([true, 1], [false, 10], [true, 20], [false, 3620]).outages).toEqual([{ from: 3620 }]);
  });

  it("goes on while nothing is known, and stays the same object while nothing changes", () => {
    const down = record([true, 1], [false, 10]);
    expect(reachAfter(down, false, 20)).toBe(down);
    const unknown = reachAfter(down, undefined, 20);
    expect(reachAfter(unknown, false, 30)).toEqual({ up: false, outages: [{ from: 10 }], total: 1 });
    expect(reachAfter(unknown, true, 30).outages).toEqual([{ from: 10, to: 30 }]);
  });
});
