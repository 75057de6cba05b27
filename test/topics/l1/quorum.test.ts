import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { quorum } from "../../../src/topics/l1/quorum.ts";
import { anyPeers, anyValidators } from "../../support/arbitraries.ts";
import { DRAINED_TIME, recordedNodeId, recordedPeers, recordedSets, timed } from "../../support/derived.ts";
import { S1, S2, SUBNETS } from "../../support/local-network.ts";
import { readTopic } from "../../support/topics.ts";

const read = (recording: string, time: number, peers = recordedPeers(recording)) =>
  readTopic(
    quorum,
    { sets: recordedSets(recording), peers },
    timed({ nodeId: recordedNodeId(recording), subnets: SUBNETS, time }, "sets", "peers"),
  );
const connected = (subnet: string) => `avax_subnet_connected_weight_ratio{subnet="${subnet}"}`;
const active = (subnet: string) => `avax_subnet_active_weight_ratio{subnet="${subnet}"}`;

describe("connected weight of a subnet", () => {
  it("is unknown where the subnets of a peer are, but for the Primary Network, which every node tracks", () => {
    const all = recordedPeers("local-l1-drained");
    const peers = { ...all, peers: all.peers.map((peer) => ({ ...peer, trackedSubnets: undefined })) };
    const samples = read("local-l1-drained", DRAINED_TIME, peers);
    expect([samples.get(connected(S2)), samples.get(connected("primary"))]).toEqual([undefined, 1]);
  });

  it("counts only peers that track the subnet", () => {
    const all = recordedPeers("local-l1-drained");
    const HEAVY = "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5";
    const gone = { ...all, peers: all.peers.filter(({ nodeID }) => nodeID !== HEAVY) };
    const elsewhere = {
      ...all,
      peers: all.peers.map((peer) => (peer.nodeID === HEAVY ? { ...peer, trackedSubnets: [S1] } : peer)),
    };
    // Only the reference node's 100 of 360 remain.
    for (const peers of [gone, elsewhere]) {
      const samples = read("local-l1-drained", DRAINED_TIME, peers);
      expect(samples.get(connected(S2))).toBeCloseTo(100 / 360, 15);
      expect(samples.get(active(S2))).toBeCloseTo(300 / 360, 15);
    }
  });

  it("is absent for a subnet without validators, and from 0 to 1 for any answers", () => {
    const empty = new Map([[S1, { validators: [] }]]);
    expect([...readTopic(quorum, { sets: empty, peers: { peers: [] } }, timed({ time: 1 }))]).toEqual([]);
    fc.assert(
      fc.property(anyPeers, anyValidators, (peers, validators) => {
        const sets = new Map([[S1, platformMethods.getCurrentValidators.result.parse(validators)]]);
        const samples = readTopic(quorum, { sets, peers: infoMethods.peers.result.parse(peers) }, timed({ time: 1 }));
        expect(samples.get(connected(S1)) ?? 0).toBeLessThanOrEqual(samples.get(active(S1)) ?? 0);
        for (const value of samples.values()) expect(value >= 0 && value <= 1).toBe(true);
      }),
    );
  });
});
