import { expect, it } from "vitest";
import { peerList } from "../../../src/api/peer.ts";
import { nodeIdShared } from "../../../src/topics/node/node-id-shared.ts";
import { NEVER_DOWN, type Reach } from "../../../src/topics/reach.ts";
import { answered } from "../../support/derived.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";

const seen = "2026-11-24T10:00:00Z";
const context = (time: number) => ({ ...contextOf({ validators: ["NodeID-X"] }), time });
/** A polled node that reports addresses of NodeID-X, or does not answer. */
const node = (name: string, nodeId: string, address?: string, time = 0) => ({
  facts: { ...contextOf({ node: name }), nodeId },
  answers: {
    reach: undefined,
    peers:
      address === undefined
        ? undefined
        : answered(
            peerList.parse([
              { nodeID: "NodeID-X", version: "v", publicIP: address, lastSent: seen, lastReceived: seen },
              { nodeID: "NodeID-Y", version: "v", publicIP: `${time}:1`, lastSent: seen, lastReceived: seen },
            ]),
            time,
          ),
  },
});

const UP: Reach = { ...NEVER_DOWN, up: true };
const DOWN: Reach = { up: false, outages: [{ from: 0 }], total: 1 };
const UNASKED: Reach = { ...NEVER_DOWN, up: undefined };
const polled = (name: string, nodeId: string, reach: Reach) => ({
  facts: { ...contextOf({ node: name }), nodeId },
  answers: { reach: answered(reach, 0), peers: undefined },
});
const [a, b, c] = [polled("a", "NodeID-A", UP), polled("b", "NodeID-A", UP), polled("c", "NodeID-C", UP)];
const shared = (members: readonly object[], time = 0, before?: unknown) =>
  Object.fromEntries(readTopic(nodeIdShared, { members }, context(time), before));
const series = (name: string, others: string) => `avax_node_id_shared{node="${name}",others="${others}"}`;

it("two polled nodes that answer with one node ID share it", () => {
  expect(shared([a, b, c])).toEqual({ [series("a", "b")]: 1, [series("b", "a")]: 1, [series("c", "")]: 0 });
  // The words of a page do not change while it lasts.
  const before = nextState(nodeIdShared, { members: [a, b] }, context(0));
  expect(shared([a, b, polled("d", "NodeID-A", UP)], 1, before)).toMatchObject({ [series("a", "b")]: 1 });
});

it("one that has stopped does not share its ID, and whether one shares it that was not asked is not known", () => {
  const before = nextState(nodeIdShared, { members: [a, b] }, context(0));
  const stopped = [a, polled("b", "NodeID-A", DOWN)];
  const over = nextState(nodeIdShared, { members: stopped }, context(10), before);
  expect(shared(stopped, 10, before)).toEqual({ [series("a", "b")]: 0, [series("b", "a")]: 0 });
  expect(shared(stopped, 609, over)).toEqual({ [series("a", "b")]: 0, [series("b", "a")]: 0 });
  expect(shared(stopped, 610, over)).toEqual({ [series("a", "")]: 0, [series("b", "")]: 0 });
  expect(shared([a, polled("b", "NodeID-A", UNASKED)])).toEqual({});
});

it.each([
  ["to and fro", [["1:1"], ["2:1"], ["1:1"], ["2:1"]], 'addresses="1:1, 2:1"'],
  [
    "at once, by two peers",
    [
      ["1:1", "2:1"],
      ["1:1", "2:1"],
    ],
    'addresses="1:1, 2:1"',
  ],
  [
    "a migration",
    [
      ["1:1", "1:1"],
      ["1:1", "2:1"],
      ["2:1", "2:1"],
      ["2:1", "2:1"],
    ],
    undefined,
  ],
  [
    "an address in the answer of the validator itself",
    [
      ["1:1", "1:1", "3:1"],
      ["1:1", "1:1", "3:1"],
    ],
    undefined,
  ],
  ["long ago", [["1:1"], ["2:1"], ["1:1"], ...Array.from({ length: 16 }, () => ["1:1"])], undefined],
])("the addresses of a watched validator: %s", (_case, rounds, expected) => {
  const ids = ["NodeID-A", "NodeID-B", "NodeID-X"];
  let state: unknown;
  let samples: ReadonlyMap<string, number> = new Map();
  rounds.forEach((addresses, round) => {
    const members = addresses.map((address, i) => node(String(i), ids[i] ?? "", address, 1000 + 180 * round));
    samples = readTopic(nodeIdShared, { members }, context(1000 + 180 * round), state);
    state = nextState(nodeIdShared, { members }, context(1000 + 180 * round), state);
  });
  const name = `avax_validator_addresses_info{node_id="NodeID-X",${expected}}`;
  expect([...samples.keys()]).toEqual(expected === undefined ? [] : [name]);
});
