import { expect, it } from "vitest";
import { quorumMargin } from "../../../src/topics/l1/quorum.ts";
import { NEVER_DOWN, type Reach } from "../../../src/topics/reach.ts";
import { answered } from "../../support/derived.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";

const NOW = 1_800_000_000;
const UP: Reach = { ...NEVER_DOWN, up: true };
const DOWN: Reach = { up: false, outages: [{ from: NOW - 60 }], total: 1 };
const UNASKED: Reach = { ...DOWN, up: undefined };
const STARTED: Reach = { up: true, outages: [{ from: NOW - 300, to: NOW - 120 }], total: 1 };

const WEIGHTS = { a: 33, b: 30, c: 13, d: 12, e: 12 };
type Name = keyof typeof WEIGHTS;
const validators = Object.entries(WEIGHTS).map(([name, weight]) => ({
  nodeID: `NodeID-${name}`,
  weight: BigInt(weight),
  startTime: 1,
}));
const sets = new Map([["primary", answered({ validators }, NOW)]]);

/** A polled validator with these peers. @param stake that it reports as connected, in percent */
function node(name: Name, reach: Reach, peers?: string, stake?: number) {
  const message = { engine: { consensus: {} }, networking: { percentConnected: (stake ?? 0) / 100 } };
  const list = [...(peers ?? "")].map((of) => ({ nodeID: `NodeID-${of}`, trackedSubnets: [] }));
  return {
    facts: contextOf({ node: `val-${name}`, nodeId: `NodeID-${name}` }),
    answers: {
      ...{ reach: answered(reach, NOW), sets, ids: undefined },
      peers: peers === undefined ? undefined : answered({ peers: list }, NOW),
      report: stake === undefined ? undefined : answered({ healthy: true, checks: { P: { message } } }, NOW),
    },
  };
}
type Nodes = ReadonlyArray<ReturnType<typeof node>>;

const at = (time: number) => ({ ...contextOf(), time, reference: "val-c" });
const step = (members: Nodes, time: number, before?: unknown): unknown =>
  nextState(quorumMargin, { members }, at(time), before);
const read = (members: Nodes, time: number, before?: unknown) => readTopic(quorumMargin, { members }, at(time), before);
/** Names and value of the series. */
const lost = (samples: ReadonlyMap<string, number>) =>
  Object.entries(only(samples, "quorum_lost")).map(([name, value]) => [/down="(.*)"/.exec(name)?.[1], value]);

const WELL = [node("a", UP, "bcde"), node("b", UP, "acde"), node("c", UP, "abde", 100)];
/** The two heaviest have stopped: three are left, and each is connected to the other two. */
const HALTED = [
  node("a", DOWN),
  node("b", DOWN),
  node("c", UP, "de", 37),
  node("d", UP, "ce", 37),
  node("e", UP, "cd", 37),
];

it("a loss names who is down when it has lasted for a minute, and keeps the names to its end and ten minutes on", () => {
  const well = step(WELL, NOW - 10);
  expect(lost(read(WELL, NOW - 10))).toEqual([["", 0]]);
  const begun = step(HALTED, NOW, well);
  expect(lost(read(HALTED, NOW, well))).toEqual([["", 0]]);
  expect(lost(read(HALTED, NOW + 59, begun))).toEqual([["", 0]]);
  const settled = step(HALTED, NOW + 60, begun);
  expect(lost(read(HALTED, NOW + 60, begun))).toEqual([["val-a, val-b", 1]]);
  const more = [...HALTED.slice(0, 2), node("c", DOWN), ...HALTED.slice(3)];
  expect(lost(read(more, NOW + 90, settled))).toEqual([["val-a, val-b", 1]]);
  const over = step(WELL, NOW + 120, settled);
  expect(lost(read(WELL, NOW + 719, over))).toEqual([["val-a, val-b", 0]]);
  expect(lost(read(WELL, NOW + 720, over))).toEqual([["", 0]]);
});

it("a loss goes on over a restart of the exporter, and while no node can say", () => {
  const settled = step(HALTED, NOW + 60, step(HALTED, NOW));
  const restored = quorumMargin.saved?.restore(quorumMargin.saved.save(settled as never));
  const unasked = [node("a", UNASKED), node("c", { ...NEVER_DOWN, up: undefined })];
  expect(lost(read(unasked, NOW + 90, restored))).toEqual([["val-a, val-b", 1]]);
  expect(lost(read([node("a", DOWN), node("c", DOWN)], NOW + 90, settled))).toEqual([["val-a, val-b", 1]]);
  expect(lost(read(unasked, NOW))).toEqual([]);
});

const CUT_OFF = node("c", UP, "d", 20);
const JUST_STARTED = node("c", STARTED, "de", 37);
it.each([
  ["a reference node that is cut off is none", [CUT_OFF], []],
  ["a reference node that has just started is none", [JUST_STARTED], []],
  ["a reference node without peers is none", [node("c", UP, "")], []],
  ["another one is asked where the reference node is cut off", [CUT_OFF, node("d", UP, "abce", 100)], [["", 0]]],
  ["one that has just started and sees the quorum is one", [node("c", STARTED, "abde", 100)], [["", 0]]],
])("witnesses of a quorum: %s", (_case, members, expected) => {
  expect(lost(read(members, NOW + 60, step(members, NOW)))).toEqual(expected);
});

it("three are named, and how many more there are", () => {
  const members = [...(["a", "b", "d", "e"] as const).map((name) => node(name, DOWN)), node("c", UP, "x", 13)];
  expect(lost(read(members, NOW + 60, step(members, NOW)))).toEqual([["val-a, val-b, val-d and 1 more", 1]]);
});

it("a loss names no node where none that is polled is down", () => {
  const members = HALTED.slice(2);
  const unpolled = members.map((each) => ({ ...each, answers: { ...each.answers, report: undefined } }));
  expect(lost(read(unpolled, NOW + 60, step(unpolled, NOW)))).toEqual([["no polled node", 1]]);
});

it("a quorum is at risk where weight is missing and the heaviest connected validator is needed", () => {
  const risk = (peers: string) =>
    read([node("c", UP, peers, 100)], NOW).get('avax_subnet_quorum_at_risk{subnet="primary"}');
  expect([risk("abde"), risk("abd"), risk("ab")]).toEqual([0, 1, 1]);
});
