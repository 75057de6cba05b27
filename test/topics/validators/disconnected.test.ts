import { describe, expect, it } from "vitest";
import { NEVER_DOWN, type Reach } from "../../../src/topics/reach.ts";
import { disconnected } from "../../../src/topics/validators/disconnected.ts";
import { answered } from "../../support/derived.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";

const NOW = 1_800_000_000;
const X = "NodeID-X";
const UP: Reach = { ...NEVER_DOWN, up: true };
const downAt = (from: number): Reach => ({ up: false, outages: [{ from }], total: 1 });
const backAt = (to: number): Reach => ({ up: true, outages: [{ from: to - 60, to }], total: 1 });

type Given = { readonly reach?: Reach; readonly stake?: number; readonly says?: boolean };

/** A polled node that says of X whether it is connected. @param stake that it is connected to, in percent */
function node(name: string, { reach = UP, stake, says }: Given) {
  const message = { engine: { consensus: {} }, networking: { percentConnected: (stake ?? 0) / 100 } };
  const validators = [{ nodeID: X, weight: 1n, connected: says }];
  return {
    facts: { ...contextOf({ node: name, nodeId: `NodeID-${name}` }), watch: [X] },
    answers: {
      reach: answered(reach, NOW),
      report: stake === undefined ? undefined : answered({ healthy: true, checks: { P: { message } } }, NOW),
      watched: says === undefined ? undefined : new Map([["primary", answered({ validators }, NOW)]]),
    },
  };
}
type Nodes = ReadonlyArray<ReturnType<typeof node>>;

const context = (time: number) => ({ ...contextOf(), watchNetwork: [X], time });
const after = (members: Nodes, time: number, before?: unknown): unknown =>
  nextState(disconnected, { members }, context(time), before);
const observers = (members: Nodes, time = NOW, before?: unknown): number | undefined =>
  readTopic(disconnected, { members }, context(time), before).get(
    `avax_validator_disconnected_observers{subnet="primary",node_id="${X}"}`,
  );
const [yes, no] = [{ says: true }, { says: false }];
const both = [node("a", no), node("b", no)];

describe("a watched validator", () => {
  it.each([
    ["that all report as disconnected", 2, both],
    ["that one is connected to", 0, [node("a", no), node("b", yes)]],
    ["of which no record came", undefined, [node("a", {})]],
    ["that reports itself as connected", 1, [node("a", no), node("X", yes)]],
    ["that one of three reports as disconnected", 0, [node("a", no), node("b", {}), node("c", {})]],
    ["that one of two reports as disconnected", 1, [node("a", no), node("b", {})]],
    ["that only it itself reports", undefined, [node("X", no)]],
    ["that a node reports which is cut off", 1, [node("a", no), node("b", { ...yes, stake: 20 })]],
    ["that a node reports which is down", 1, [node("a", no), node("b", { ...yes, reach: downAt(NOW) })]],
    ["whose own node is down", 0, [...both, node("X", { reach: downAt(NOW - 900) })]],
    ["whose own node has just returned", 0, [...both, node("X", { reach: backAt(NOW - 599) })]],
    ["whose own node returned ten minutes ago", 2, [...both, node("X", { reach: backAt(NOW - 600) })]],
  ])("%s: %s", (_case, expected, members) => {
    expect(observers(members)).toBe(expected);
  });

  it("stays disconnected when its node dies after ten minutes of it, over a restart of the exporter too", () => {
    const before = after([...both, node("X", {})], NOW);
    const died = (at: number) => [...both, node("X", { reach: downAt(at) })];
    expect(observers(died(NOW + 599), NOW + 599, before)).toBe(0);
    expect(observers(died(NOW + 600), NOW + 600, before)).toBe(2);
    const restored = disconnected.saved?.restore(disconnected.saved.save(before as never));
    const unheard = [node("a", {}), node("X", { reach: downAt(NOW + 600) })];
    expect(observers(unheard, NOW + 700, restored)).toBeUndefined();
    expect(observers(died(NOW + 600), NOW + 720, after(unheard, NOW + 700, restored))).toBe(2);
    expect(observers([node("a", yes), node("X", { reach: downAt(NOW + 600) })], NOW + 720, restored)).toBe(0);
  });
});
