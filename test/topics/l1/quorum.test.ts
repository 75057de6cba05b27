import { describe, expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";
import { quorum, quorumMargin } from "../../../src/topics/l1/quorum.ts";
import { NEVER_DOWN } from "../../../src/topics/reach.ts";
import { answered, DRAINED_TIME, recordedNodeId, recordedPeers, recordedSets, timed } from "../../support/derived.ts";
import { S1, S2, SUBNETS } from "../../support/local-network.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";

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

describe("a server that leaves open what peers track", () => {
  const MINUTE = 60;
  /** A node with two peers, which track what is given, and L1 validators a (the node itself), b and c. */
  const asked = (
    connected: ReadonlyArray<boolean | undefined>,
    { tracked, subnet = S1, nodeId = "NodeID-a" }: { tracked?: readonly string[]; subnet?: string; nodeId?: string },
  ) => {
    const ids = ["a", "b", "c"].map((name) => `NodeID-${name}`);
    const validators = connected.map((isConnected, at) => ({
      ...{ nodeID: ids[at] ?? "", weight: at === 0 ? 497n : 503n / 2n, startTime: 1 },
      ...(isConnected === undefined ? {} : { connected: isConnected }),
    }));
    const list = ids.slice(1).map((nodeID) => ({ ...{ nodeID, version: "v" }, trackedSubnets: tracked }));
    const peers = infoMethods.peers.result.parse({ numPeers: 2, peers: list });
    const made = contextOf({ nodeId, subnets: SUBNETS });
    const facts = nodeId === "" ? { ...made, nodeId: undefined } : made;
    const sets = new Map([[subnet, answered({ validators }, 1)]]);
    const reach = answered({ ...NEVER_DOWN, up: true }, 1);
    const data = { members: [{ facts, answers: { reach, sets, peers: answered(peers, 1) } }] };
    const before = nextState(quorumMargin, data, facts);
    const later = { ...facts, time: facts.time + MINUTE };
    return readTopic(quorumMargin, data, later, before);
  };
  const found = (samples: ReadonlyMap<string, number>, subnet = S1) => [
    samples.get(connected(subnet)),
    [...samples].find(([name]) => name.startsWith(`avax_subnet_quorum_lost{subnet="${subnet}"`))?.[1],
  ];

  it.each([[undefined], [[]]])("by %j is judged by the records of the validators", (tracked) => {
    const more = tracked === undefined ? {} : { tracked };
    expect(found(asked([true, true, true], more))).toEqual([1, 0]);
    expect(found(asked([false, false, false], more))).toEqual([497 / 999, 1]);
    expect(found(asked([true, true, undefined], more))).toEqual([undefined, undefined]);
    expect(found(asked([true, true, true], { tracked: [S2] }))).toEqual([497 / 999, 1]);
  });

  it("without an ID is possibly the validator that is not among its peers", () => {
    const own = { subnet: "primary", nodeId: "" };
    expect(found(asked([undefined, undefined, undefined], own), "primary")).toEqual([undefined, undefined]);
    expect(found(asked([true, true, true], own), "primary")).toEqual([1, 0]);
    expect(found(asked([false, true, true], own), "primary")).toEqual([502 / 999, 1]);
  });

  it("has lost its quorum where the set of a configured subnet is empty", () => {
    expect(found(asked([], { tracked: [S1] }))).toEqual([0, 1]);
    expect(found(asked([], { subnet: "primary" }), "primary")).toEqual([undefined, undefined]);
  });
});

describe("active weight of a subnet", () => {
  it("is that with a balance, and absent for a subnet without validators", () => {
    const samples = readTopic(quorum, { sets: recordedSets(RECORDING) }, timed({ time: DRAINED_TIME }));
    expect([samples.get(active(S2)), samples.get(active("primary"))]).toEqual([300 / 360, 1]);
    expect([...readTopic(quorum, { sets: new Map([[S1, { validators: [] }]]) }, timed({ time: 1 }))]).toEqual([]);
  });
});
