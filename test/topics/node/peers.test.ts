import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";

import { topByName } from "../../../src/topics/labels.ts";
import { peers } from "../../../src/topics/node/peers.ts";

import { anyName, anyPeers } from "../../support/arbitraries.ts";
import { PERM1, SUBNETS } from "../../support/local-network.ts";
import { contextOf, only, readTopic } from "../../support/topics.ts";

const context = contextOf({ subnets: SUBNETS });
/** Answers of info.getBlockchainID: a server of the specification lists benched chains by ID. */
const C_ID = new Map([["C", { blockchainID: "cId" }]]);
const object = (samples: ReadonlyMap<string, number>) => Object.fromEntries(samples);

describe("peers", () => {
  it("that are benched, silent, never heard from, or watched", () => {
    const peer = (nodeID: string, more: object) => ({
      nodeID,
      version: "v",
      lastSent: "2026-08-22T15:23:02Z",
      lastReceived: "2026-08-22T11:23:01-04:00",
      observedUptime: "80",
      benched: [],
      ...more,
    });
    const answer = infoMethods.peers.result.parse({
      numPeers: "4",
      peers: [
        peer("NodeID-w", { benched: ["C", PERM1] }),
        peer("b", { benched: ["C"], lastReceived: "2026-08-22T15:21:02Z" }),
        peer("c", { lastReceived: "0001-01-01T00:00:00Z" }),
        peer("d", { benched: ["cId"], trackedSubnets: null, observedUptime: "90" }),
      ],
    });
    const samples = object(
      readTopic(peers, { answer, ids: C_ID }, contextOf({ subnets: SUBNETS, validators: ["NodeID-w"] })),
    );
    // Three do not tell which subnets they track.
    expect(only(new Map(Object.entries(samples)), "tracking")).toEqual({});
    expect(samples).toMatchObject({
      'avax_node_peers_benched{chain="C"}': 3,
      'avax_node_peers_benched{chain="perm1"}': 1,
      avax_node_peers_silent: 2,
      'avax_node_peers_by_observed_uptime{range="0.8-0.9"}': 3,
      'avax_node_peers_by_observed_uptime{range="0.9-0.95"}': 1,
      'avax_peer_last_received_timestamp_seconds{node_id="NodeID-w"}': Date.parse("2026-08-22T15:23:01Z") / 1000,
    });
  });

  it.each([
    ["lastReceived", "avax_node_peers_silent"],
    ["trackedSubnets", "avax_node_peers_tracking_subnet"],
    ["benched", "avax_node_peers_benched"],
  ])("of which one has an odd `%s`: the sum over it is unknown, the others are not", (field, lost) => {
    const peer = (nodeID: string) => ({
      nodeID,
      version: "v",
      lastSent: "2026-08-22T15:23:02Z",
      lastReceived: "2026-08-22T15:23:01Z",
      trackedSubnets: [PERM1],
      benched: ["C"],
    });
    const samples = (more: object) => {
      const answer = infoMethods.peers.result.parse({ numPeers: "2", peers: [peer("a"), { ...peer("b"), ...more }] });
      return readTopic(peers, { answer, ids: C_ID }, context);
    };
    const [usual, odd] = [samples({}), samples({ [field]: 7 })];
    const left = [...usual.keys()].filter((key) => !key.startsWith(lost));
    expect([...odd.keys()]).toEqual(left);
    expect(left.length).toBeLessThan(usual.size);
  });

  it("with any version texts: bounded, and each counted once", () => {
    fc.assert(
      fc.property(anyPeers, (raw) => {
        const answer = infoMethods.peers.result.parse(raw);
        const samples = readTopic(peers, { answer }, context);
        const versions = Object.values(only(samples, "by_version"));
        expect(versions.length).toBeLessThanOrEqual(31);
        expect(versions.reduce((sum, value) => sum + value, 0)).toBe(answer.peers.length);
      }),
    );
  });
});

describe("topByName", () => {
  it("keeps the largest and sums the rest as `other`, once, even when a name is `other`", () => {
    expect(
      topByName(
        [
          ["a", 1],
          ["b", 3],
          ["a", 1],
          ["c", 1],
        ],
        2,
      ),
    ).toEqual([
      ["b", 3],
      ["a", 2],
      ["other", 1],
    ]);
    expect(topByName([["other", 1]], 2)).toEqual([["other", 1]]);
  });
  it("keeps the sum and repeats no name", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyName, fc.nat(1000)), { maxLength: 80 }),
        fc.integer({ min: 1, max: 40 }),
        (entries, most) => {
          const rows = topByName(entries, most);
          expect(rows.reduce((sum, [, value]) => sum + value, 0)).toBe(
            entries.reduce((sum, [, value]) => sum + value, 0),
          );
          expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
          expect(rows.length).toBeLessThanOrEqual(most + 1);
        },
      ),
    );
  });
});
