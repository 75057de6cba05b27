import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { outdated } from "../../../src/topics/node/outdated.ts";
import { anyPeers, anyValidators } from "../../support/arbitraries.ts";
import { LOCAL_TIME, recordedPeers, recordedSets, timed } from "../../support/derived.ts";
import { readTopic } from "../../support/topics.ts";

const NEWER = "avax_node_newer_version_stake_ratio";
const context = timed({ time: LOCAL_TIME }, "version", "peers", "sets");

const peers = recordedPeers("local-healthy-validator");
const sets = recordedSets("local-healthy-validator");
const stakes = new Map(
  (sets.get("primary")?.validators ?? []).map((each) => [
    each.nodeID,
    Number(each.weight) + Number(each.delegatorWeight ?? 0n),
  ]),
);
const total = [...stakes.values()].reduce((sum, stake) => sum + stake, 0);
const read = (version: string, of = peers) => readTopic(outdated, { version: { version }, peers: of, sets }, context);

describe("stake on a newer release", () => {
  it("is that of every connected validator where the node is older, without its own stake", () => {
    const connected = peers.peers.reduce((sum, { nodeID }) => sum + (stakes.get(nodeID) ?? 0), 0);
    expect(connected).toBeGreaterThan(0);
    expect(connected).toBeLessThan(total);
    for (const older of ["AvalancheGo/v1.14.2-rc.1", "avalanchego/1.14.9", "avalanchego/1.9.0", "avalanchego/0.99.99"])
      expect(read(older).get(NEWER)).toBeCloseTo(connected / total, 12);
  });

  it("compares numbers, not digits, including patches", () => {
    const [first] = peers.peers.filter(({ nodeID }) => stakes.has(nodeID));
    const with_ = (version: string) => ({
      ...peers,
      peers: peers.peers.map((peer) => (peer === first ? { ...peer, version } : peer)),
    });
    const one = (stakes.get(first?.nodeID ?? "") ?? 0) / total;
    expect(read("avalanchego/1.15.0", with_("avalanchego/1.15.1")).get(NEWER)).toBeCloseTo(one, 12);
    expect(read("avalanchego/1.15.0", with_("avalanchego/1.100.0")).get(NEWER)).toBeCloseTo(one, 12);
    expect(read("avalanchego/1.15.0", with_("avalanchego/1.9.9")).get(NEWER)).toBe(0);
    expect(read("avalanchego/1.15.0", with_("somethingelse/9.9.9")).get(NEWER)).toBe(0);
    expect(read("avalanchego/1.15.0", with_("")).get(NEWER)).toBe(0);
  });

  it("is absent for a node whose own version cannot be compared", () => {
    for (const version of ["", "avalanchego", "avalanchego/1.15", "1.15.0", "avalanchego/1.15.0.1"])
      expect(read(version).size).toBe(0);
  });

  it("is from 0 to 1, or absent, for any answers", () => {
    fc.assert(
      fc.property(anyPeers, anyValidators, fc.string(), (said, validators, version) => {
        const data = {
          version: { version },
          peers: infoMethods.peers.result.parse(said),
          sets: new Map([["primary", platformMethods.getCurrentValidators.result.parse(validators)]]),
        };
        for (const value of readTopic(outdated, data, context).values()) expect(value >= 0 && value <= 1).toBe(true);
      }),
    );
  });
});
