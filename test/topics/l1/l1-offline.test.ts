import { expect, it } from "vitest";
import { l1Offline } from "../../../src/topics/l1/l1-offline.ts";
import { NEVER_DOWN, type Reach } from "../../../src/topics/reach.ts";
import { answered, recordedNodeId, recordedPeers, recordedSets } from "../../support/derived.ts";
import { S1, S2, SUBNETS } from "../../support/local-network.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

const OWN = recordedNodeId("local-l1-drained");
const HEAVY = "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5";
const all = recordedPeers("local-l1-drained").peers;
const sets = recordedSets("local-l1-drained");
const without = all.filter(({ nodeID }) => nodeID !== HEAVY);
const untracked = all.map((peer) => (peer.nodeID === HEAVY ? { ...peer, trackedSubnets: [S1] } : peer));

/** A polled node with these peers. */
const node = (nodeId: string, peers: typeof all, subnets = SUBNETS, reach: Reach = { ...NEVER_DOWN, up: true }) => ({
  facts: { ...contextOf({ subnets }), nodeId },
  answers: {
    reach: answered(reach, 1),
    peers: answered({ peers }, 1),
    sets: new Map([...sets].map(([key, set]) => [key, answered(set, 1)])),
  },
});
const read = (watched: readonly string[], ...members: ReadonlyArray<ReturnType<typeof node>>) =>
  Object.fromEntries(readTopic(l1Offline, { members }, { ...contextOf({ subnets: SUBNETS }), watchNetwork: watched }));
const offline = (id: string) => `avax_l1_validator_offline{subnet="${S2}",node_id="${id}"}`;
const others = `avax_l1_offline_validators{subnet="${S2}"}`;

it.each([
  ["a member that tracks the L1", all, { [offline(HEAVY)]: 0 }],
  ["a member that is not connected", without, { [offline(HEAVY)]: 1 }],
  ["a member that does not track the L1", untracked, { [offline(HEAVY)]: 1 }],
])("a watched validator: %s", (_case, peers, expected) => {
  // The own node is watched, but nobody else observes it, and one member has no balance.
  expect(read([OWN, HEAVY], node(OWN, peers))).toMatchObject({ ...expected, [others]: 0 });
  expect(read([OWN, HEAVY], node(OWN, peers))[offline(OWN)]).toBeUndefined();
});

it("is online where one of two nodes is connected, and others are counted", () => {
  const idle = node(HEAVY, []);
  expect(read([HEAVY], node(OWN, without), node("NodeID-2", all))[offline(HEAVY)]).toBe(0);
  expect(read([], node(OWN, without))).toMatchObject({ [others]: 1 });
  expect(read([HEAVY], idle, node(OWN, all, []))[offline(HEAVY)]).toBeUndefined();
});

it("is not missed while its own polled node is down", () => {
  const down = node(HEAVY, [], SUBNETS, { up: false, outages: [{ from: 1 }], total: 1 });
  expect(read([HEAVY], down, node(OWN, without))[offline(HEAVY)]).toBe(0);
  expect(read([HEAVY], node(HEAVY, []), node(OWN, without))[offline(HEAVY)]).toBe(1);
});

it("is judged by its own record where a peer does not say what it tracks", () => {
  const open = all.map((peer) => ({ ...peer, trackedSubnets: undefined }));
  const said = (connected: boolean | undefined) => {
    const own = node(OWN, open);
    const set = sets.get(S2)?.validators.map((each) => ({ ...each, connected })) ?? [];
    const answers = { ...own.answers, sets: new Map([[S2, answered({ validators: set }, 1)]]) };
    return Object.fromEntries(
      readTopic(
        l1Offline,
        { members: [{ ...own, answers }] },
        { ...contextOf({ subnets: SUBNETS }), watchNetwork: [HEAVY] },
      ),
    )[offline(HEAVY)];
  };
  expect([said(true), said(false), said(undefined)]).toEqual([0, 1, 0]);
});
