import { expect, it } from "vitest";
import { peerList } from "../../../src/api/peer.ts";
import { nodeIdShared } from "../../../src/topics/node/node-id-shared.ts";
import { answered } from "../../support/derived.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";

const seen = "2026-11-24T10:00:00Z";
const context = (time: number) => ({ ...contextOf({ validators: ["NodeID-X"] }), time });
/** A polled node that reports addresses of NodeID-X, or does not answer. */
const node = (name: string, nodeId: string, address?: string, time = 0) => ({
  facts: { ...contextOf({ node: name }), nodeId },
  answers: {
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

it("two polled nodes that answer with one node ID share it, one that has stopped does not", () => {
  const members = [
    node("a", "NodeID-A", "1:1"),
    node("b", "NodeID-A", "1:1"),
    node("c", "NodeID-C", "1:1"),
    node("d", "NodeID-C"),
  ];
  expect([...readTopic(nodeIdShared, { members }, context(0)).keys()]).toEqual([
    'avax_node_id_shared_info{node="a",others="b"}',
    'avax_node_id_shared_info{node="b",others="a"}',
  ]);
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
