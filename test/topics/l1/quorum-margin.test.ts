import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";
import { platformMethods, type Validator } from "../../../src/api/node/platform.ts";
import { quorumMargin } from "../../../src/topics/l1/quorum-margin.ts";
import { quorum } from "../../../src/topics/l1/quorum.ts";
import { anyPeers, anyValidators } from "../../support/arbitraries.ts";
import { DRAINED_TIME, LOCAL_TIME, recordedNodeId, recordedPeers, recordedSets, timed } from "../../support/derived.ts";
import { S1, S2, SUBNETS } from "../../support/local-network.ts";
import { readTopic } from "../../support/topics.ts";

const SPARE = (subnet: string) => `avax_subnet_quorum_spare_validators{subnet="${subnet}"}`;

const recordedSpare = (recording: string, time: number) =>
  readTopic(
    quorumMargin,
    { sets: recordedSets(recording), peers: recordedPeers(recording) },
    timed({ nodeId: recordedNodeId(recording), subnets: SUBNETS, time }, "sets", "peers"),
  );

/** A subnet of validators with these weights; the reference node is connected to the first `connected`. */
function spareOf(weights: readonly number[], connected: number, balances: readonly number[] = []): number | undefined {
  const ids = weights.map((_, i) => `NodeID-${i}`);
  const validators = weights.map((weight, i): Validator => ({
    nodeID: ids[i] ?? "",
    weight: BigInt(weight),
    startTime: 1,
    ...(balances[i] === undefined ? {} : { validationID: `v${i}`, balance: balances[i] }),
  }));
  const peers = ids.slice(0, connected).map((nodeID) => ({
    nodeID,
    version: "avalanchego/1.15.0",
    lastSent: undefined,
    lastReceived: undefined,
    observedUptime: undefined,
    trackedSubnets: [S1],
    benched: [],
  }));
  const sets = new Map([[S1, { validators }]]);
  return readTopic(quorumMargin, { sets, peers: { peers } }, timed({ nodeId: "NodeID-none", time: 1 })).get(SPARE(S1));
}

describe("validators that can go offline", () => {
  it("are those of the recorded L1s", () => {
    // Weights 100, 200 connected and 10, 50 without balance: 300 of 360; without the 200 it would be 100.
    expect(recordedSpare("local-l1-drained", DRAINED_TIME).get(SPARE(S2))).toBe(0);
    // One member of 10 has no balance: 350 of 360; without the 200 it would be 150.
    expect(recordedSpare("local-young-validator", LOCAL_TIME).get(SPARE(S2))).toBe(0);
  });

  it("are counted from the heaviest, down to 67 % of all weight", () => {
    expect(spareOf([10, 10, 10, 10, 10, 10, 10, 10, 10, 10], 10)).toBe(3);
    expect(spareOf([10, 10, 10, 10, 10, 10, 10, 10, 10, 10], 8)).toBe(1);
    expect(spareOf([34, 33, 33], 3)).toBe(0);
    expect(spareOf([33, 33, 34], 3)).toBe(0);
    expect(spareOf([33, 1, 66], 3)).toBe(0);
    expect(spareOf([1, 1, 1, 97], 4)).toBe(0);
    expect(spareOf([33, 34, 33, 0], 4)).toBe(0);
  });

  it("are 0 at exactly 67 %, and unknown below", () => {
    expect(spareOf([67, 33], 1)).toBe(0);
    expect(spareOf([66, 34], 1)).toBeUndefined();
    expect(spareOf([], 0)).toBeUndefined();
  });

  it("exclude members without balance, whose weight stays in the total", () => {
    expect(spareOf([30, 30, 30, 10], 4, [5, 5, 5, 5])).toBe(1);
    expect(spareOf([30, 30, 30, 10], 4, [5, 5, 5, 0])).toBe(0);
  });

  it("are known exactly where the connected weight is a quorum, and never exceed the size of the subnet", () => {
    fc.assert(
      fc.property(anyPeers, anyValidators, (said, list) => {
        const answer = platformMethods.getCurrentValidators.result.parse(list);
        const data = { sets: new Map([[S1, answer]]), peers: infoMethods.peers.result.parse(said) };
        const spare = readTopic(quorumMargin, data, timed({ time: 1 })).get(SPARE(S1));
        const ratio = readTopic(quorum, data, timed({ time: 1 })).get(
          `avax_subnet_connected_weight_ratio{subnet="${S1}"}`,
        );
        if (ratio === undefined || Math.abs(ratio - 0.67) > 1e-9)
          expect(spare !== undefined).toBe((ratio ?? 0) >= 0.67);
        expect(spare ?? 0).toBeLessThanOrEqual(answer.validators.length);
      }),
    );
  });
});
