import { expect, it } from "vitest";
import { peerShare } from "../../../src/topics/node/peer-share.ts";
import { answered } from "../../support/derived.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

/** The shares of nodes with these numbers of peers in a network of so many validators. */
function shares(peers: ReadonlyArray<number | undefined>, validators?: number): ReadonlyArray<number | undefined> {
  const list = Array.from({ length: validators ?? 0 }, (_, i) => ({ nodeID: `NodeID-${i}`, weight: 1n }));
  const sets = validators === undefined ? undefined : new Map([["primary", answered({ validators: list }, 1)]]);
  const members = peers.map((numPeers, i) => ({
    facts: contextOf({ node: String(i) }),
    answers: { answer: numPeers === undefined ? undefined : answered({ numPeers, peers: [] }, 1), sets },
  }));
  const samples = readTopic(peerShare, { members }, contextOf());
  return peers.map((_, i) => samples.get(`avax_node_peers_expected_ratio{node="${i}"}`));
}

it.each([
  ["the median of the fleet", [400, 1300, 1200], 1300, [1 / 3, 1300 / 1200, 1]],
  ["ten, where the fleet has fewer", [4], 1300, [0.4]],
  ["all others, in a small network", [4, 2], 5, [1, 0.5]],
  ["none, in a network of one", [0], 1, [undefined]],
  ["that of the others, where the validators are unknown", [0, 8], undefined, [0, 2]],
  ["unknown without an answer", [undefined, 8], undefined, [undefined, 1]],
])("the peers that a node should have: %s", (_case, peers, validators, expected) => {
  expect(shares(peers, validators)).toEqual(expected);
});
