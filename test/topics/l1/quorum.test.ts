import { describe, expect, it } from "vitest";
import { quorum, quorumMargin } from "../../../src/topics/l1/quorum.ts";
import { NEVER_DOWN } from "../../../src/topics/reach-record.ts";
import { answered, DRAINED_TIME, recordedNodeId, recordedPeers, recordedSets, timed } from "../../support/derived.ts";
import { S1, S2, SUBNETS } from "../../support/local-network.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

const RECORDING = "local-l1-drained";
const connected = (subnet: string) => `avax_subnet_connected_weight_ratio{subnet="${subnet}"}`;
const active = (subnet: string) => `avax_subnet_active_weight_ratio{subnet="${subnet}"}`;

function read(peers = recordedPeers(RECORDING)): ReadonlyMap<string, number> {
  const facts = contextOf({ nodeId: recordedNodeId(RECORDING), subnets: SUBNETS });
  const sets = new Map([...recordedSets(RECORDING)].map(([key, set]) => [key, answered(set, 1)] as const));
  const reach = answered({ ...NEVER_DOWN, up: true }, 1);
  const members = [{ facts, answers: { reach, sets, peers: answered(peers, 1) } }];
  return readTopic(quorumMargin, { members }, facts);
}

describe("connected weight of a subnet", () => {
  it("is unknown where the subnets of a peer are, but for the Primary Network, which every node tracks", () => {
    const all = recordedPeers(RECORDING);
    const samples = read({ ...all, peers: all.peers.map((peer) => ({ ...peer, trackedSubnets: undefined })) });
    expect([samples.get(connected(S2)), samples.get(connected("primary"))]).toEqual([undefined, 1]);
  });

  it("counts only peers that track the subnet", () => {
    const all = recordedPeers(RECORDING);
    const HEAVY = "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5";
    const gone = { ...all, peers: all.peers.filter(({ nodeID }) => nodeID !== HEAVY) };
    const elsewhere = {
      ...all,
      peers: all.peers.map((peer) => (peer.nodeID === HEAVY ? { ...peer, trackedSubnets: [S1] } : peer)),
    };
    // Only the reference node's 100 of 360 remain.
    for (const peers of [gone, elsewhere]) expect(read(peers).get(connected(S2))).toBeCloseTo(100 / 360, 15);
  });
});

describe("active weight of a subnet", () => {
  it("is that with a balance, and absent for a subnet without validators", () => {
    const samples = readTopic(quorum, { sets: recordedSets(RECORDING) }, timed({ time: DRAINED_TIME }));
    expect([samples.get(active(S2)), samples.get(active("primary"))]).toEqual([300 / 360, 1]);
    expect([...readTopic(quorum, { sets: new Map([[S1, { validators: [] }]]) }, timed({ time: 1 }))]).toEqual([]);
  });
});
