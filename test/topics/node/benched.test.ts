import { describe, expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { benched, benching } from "../../../src/topics/node/benched.ts";
import { answered, timed } from "../../support/derived.ts";
import { L1ONE, SUBNETS } from "../../support/local-network.ts";
import { contextOf, only, readTopic } from "../../support/topics.ts";

/** Four polled validators of 10, 20, 30 and 40 and one of 100 that is not polled. */
const set = platformMethods.getCurrentValidators.result.parse({
  validators: Object.entries({ a: "10", b: "20", c: "30", d: "40", e: "100" }).map(([id, weight]) => ({
    nodeID: `NodeID-${id}`,
    weight,
    startTime: "1",
  })),
});
const sets = new Map([["primary", answered(set, 1)]]);
const peersWith = (benches: Readonly<Record<string, readonly string[]>>) =>
  infoMethods.peers.result.parse({
    numPeers: "4",
    peers: ["a", "b", "c", "d", "e"].map((id) => ({
      nodeID: `NodeID-${id}`,
      version: "v",
      lastSent: "2026-11-21T11:00:00Z",
      lastReceived: "2026-11-21T11:00:00Z",
      benched: benches[id] ?? [],
    })),
  });
const member = (
  node: string,
  benches: Readonly<Record<string, readonly string[]>> = {},
  nodeId = `NodeID-${node}`,
) => ({
  facts: contextOf({ node, nodeId, subnets: SUBNETS }),
  answers: {
    peers: answered(peersWith(benches), 1),
    sets,
    ids: new Map([["C", answered({ blockchainID: "cId" }, 1)]]),
  },
});
const read = (...members: ReadonlyArray<{ readonly facts: object; readonly answers: object }>) =>
  readTopic(benched, { members }, contextOf());
const stake = (node: string, chain: string) => `avax_node_benched_stake_ratio{node="${node}",chain="${chain}"}`;
describe("stake that benches a node", () => {
  const samples = read(
    member("a", { d: ["C"] }),
    member("b", { a: ["C", "P"] }),
    member("c", { a: ["cId", L1ONE] }),
    member("d"),
  );

  it("is a share of the other nodes' stake where two bench it, else of all stake", () => {
    // b and c, 20 and 30, of 90 of all observers; b alone of 200 in all.
    expect(samples.get(stake("a", "C"))).toBeCloseTo(50 / 90, 12);
    expect(samples.get(stake("a", "P"))).toBe(0.1);
    // A node that a benches does not bench a.
    expect(samples.get(stake("d", "C"))).toBe(0.05);
  });

  it("is 0 without a bench, and has the alias of a chain where there is one", () => {
    expect(samples.get(stake("a", "X"))).toBe(0);
    expect(samples.get(stake("b", "C"))).toBe(0);
    expect(samples.get(stake("a", "l1one"))).toBe(0.15);
  });

  it("is unknown without observers", () => {
    expect([...read(member("a", { a: ["C"] }))]).toEqual([]);
    expect(
      [...read(member("a"), member("api", { a: ["C"] }, "NodeID-no-validator"))].filter(([name]) =>
        name.includes('"a"'),
      ),
    ).toEqual([]);
  });

  it("counts a node that is configured twice once", () => {
    const twice = read(member("a"), member("b", { a: ["C"] }), member("again", { a: ["C"] }, "NodeID-b"));
    expect(twice.get(stake("a", "C"))).toBe(0.1);
  });
});

describe("stake that a node benches", () => {
  it("is that of the peers that its own list reports as benched", () => {
    const samples = readTopic(
      benching,
      {
        peers: peersWith({ d: ["cId"], e: ["C", "C", L1ONE] }),
        sets: new Map([["primary", set]]),
        ids: new Map([["C", { blockchainID: "cId" }]]),
      },
      timed({ time: 1, nodeId: "NodeID-a", subnets: SUBNETS, validators: ["NodeID-e"] }),
    );
    expect(samples.get('avax_node_benching_stake_ratio{chain="l1one"}')).toBe(0.5);
    expect(samples.get('avax_node_benching_stake_ratio{chain="P"}')).toBe(0);
    expect(samples.get('avax_node_benching_stake_ratio{chain="C"}')).toBe(0.7);
    expect(only(samples, "peer_benched")).toEqual({
      'avax_peer_benched{node_id="NodeID-e",chain="C"}': 1,
      'avax_peer_benched{node_id="NodeID-e",chain="l1one"}': 1,
    });
  });
});
