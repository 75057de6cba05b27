import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { healthMethods } from "../../../src/api/node/health.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { platformMethods, type Validator } from "../../../src/api/node/platform.ts";
import type { Context } from "../../../src/topics/define/metric.ts";
import { quorumMargin } from "../../../src/topics/l1/quorum.ts";
import { NEVER_DOWN, type Reach } from "../../../src/topics/reach.ts";
import { anyPeers, anyValidators } from "../../support/arbitraries.ts";
import {
  answered,
  LOCAL_TIME,
  recordedNodeId,
  recordedPeers,
  recordedReport,
  recordedSets,
} from "../../support/derived.ts";
import { L1ONE, PERM1, S1, S2, SUBNETS } from "../../support/local-network.ts";
import { contextOf, only, readTopic } from "../../support/topics.ts";

const SPARE = (subnet: string) => `avax_subnet_quorum_spare_validators{subnet="${subnet}"}`;

const REQUIRED = (subnet: string) => `avax_subnet_quorum_requirement_ratio{subnet="${subnet}"}`;

const CONNECTED = (subnet: string) => `avax_subnet_connected_weight_ratio{subnet="${subnet}"}`;

const UP: Reach = { ...NEVER_DOWN, up: true };
const at = <A>(value: A) => answered(value, LOCAL_TIME);
const byKey = <A>(values: ReadonlyMap<string, A>) => new Map([...values].map(([key, value]) => [key, at(value)]));

/** The recorded node, which is configured to serve both subnets. */
const recordedMember = (recording: string, more: object = {}) => ({
  facts: contextOf({ node: recording, nodeId: recordedNodeId(recording), subnets: SUBNETS }),
  answers: {
    reach: at(UP),
    sets: byKey(recordedSets(recording)),
    peers: at(recordedPeers(recording)),
    report: at(recordedReport(recording)),
    ...more,
  },
});
type AnyMember = { readonly facts: Context; readonly answers: object };
const compared = (members: readonly AnyMember[], reference?: string, state?: unknown) =>
  readTopic(
    quorumMargin,
    { members },
    { ...contextOf({ subnets: SUBNETS }), reference: reference ?? members[0]?.facts.node },
    state,
  );
const recordedSpare = (recording: string) => compared([recordedMember(recording)]);

const member = (sets: ReadonlyMap<string, unknown>, peers: unknown, report?: unknown): AnyMember => ({
  facts: contextOf({ nodeId: "NodeID-none", subnets: SUBNETS }),
  answers: { reach: at(UP), sets: byKey(sets), peers: at(peers), report },
});
const failing = (checks: object) => healthMethods.health.result.parse({ healthy: false, checks });
/** What AvalancheGo answers. */
const lacking = (percent: string) =>
  `not connected to enough stake: connected to 50.000000%; required at least ${percent}%`;

/** A subnet of validators with these weights; the reference node is connected to the first `connected`. */
function spareOf(
  weights: readonly number[],
  connected: number,
  balances: readonly number[] = [],
  required?: string,
): number | undefined {
  const ids = weights.map((_, i) => `NodeID-${i}`);
  const validators = weights.map((weight, i): Validator => ({
    nodeID: ids[i] ?? "",
    weight: BigInt(weight),
    startTime: 1,
    ...(balances[i] === undefined ? {} : { validationID: `v${i}`, balance: balances[i] }),
  }));
  const peers = ids
    .slice(0, connected)
    .map((nodeID) => ({
      nodeID,
      version: "avalanchego/1.15.0",
      lastSent: undefined,
      lastReceived: undefined,
      observedUptime: undefined,
      trackedSubnets: [S1],
      benched: [],
    }));
  const report = required === undefined ? undefined : at(failing({ [PERM1]: { error: required } }));
  return compared([member(new Map([[S1, { validators }]]), { peers }, report)]).get(SPARE(S1));
}

describe("validators that can go offline", () => {
  it("are those of the recorded Primary Network", () => {
    // 10,006,202 AVAX, all connected: 8,006,125 without the heaviest are enough, 6,006,125 without the next are not.
    expect(recordedSpare("local-healthy-validator").get(SPARE("primary"))).toBe(1);
    // 60 % is connected.
    expect(recordedSpare("custom-stake-lost").get(SPARE("primary"))).toBeUndefined();
  });

  it("are counted from the heaviest, down to 75 % of all weight", () => {
    const ten = [10, 10, 10, 10, 10, 10, 10, 10, 10, 10];
    expect(spareOf(ten, 10)).toBe(2);
    expect(spareOf(ten, 9)).toBe(1);
    expect(spareOf([21, 40, 39], 3)).toBe(0);
    expect(spareOf([33, 1, 66], 3)).toBe(0);
    expect(spareOf([1, 1, 1, 97], 4)).toBe(0);
    expect(spareOf([20, 20, 20, 20, 20, 0], 6)).toBe(1);
  });

  it("are counted down to where queries stop, by what a check requires", () => {
    const ten = [10, 10, 10, 10, 10, 10, 10, 10, 10, 10];
    const spares = ["67.000000", "70", "90.000000", "90.000001", "100"].map((percent) =>
      spareOf(ten, 10, [], lacking(percent)),
    );
    expect(spares).toEqual([4, 3, 1, 1, 0]);
    expect(spareOf(ten, 9, [], lacking("100"))).toBeUndefined();
  });

  it("are 0 at exactly 75 %, and unknown below", () => {
    expect(spareOf([75, 25], 1)).toBe(0);
    expect(spareOf([74, 26], 1)).toBeUndefined();
    expect(spareOf([], 0)).toBeUndefined();
  });

  it("exclude members without balance, whose weight stays in the total", () => {
    expect(spareOf([20, 20, 20, 20, 10, 10], 6, [5, 5, 5, 5, 5, 5])).toBe(1);
    expect(spareOf([20, 20, 20, 20, 10, 10], 6, [5, 5, 5, 5, 5, 0])).toBe(0);
  });

  it("are those of the reference node, else of another one, and absent without peers or validators", () => {
    const members = [recordedMember("local-healthy-validator"), recordedMember("local-l1-drained")];
    for (const reference of ["local-healthy-validator", "nobody"])
      expect(compared(members, reference).get(SPARE(S1))).toBeDefined();
    expect(only(compared([recordedMember("local-l1-drained", { peers: undefined })]), "spare")).toEqual({});
    expect(only(compared([recordedMember("local-l1-drained", { sets: undefined })]), "spare")).toEqual({});
  });

  it("are known exactly where the connected weight is a quorum, and never exceed the size of the subnet", () => {
    fc.assert(
      fc.property(anyPeers, anyValidators, (said, list) => {
        const answer = platformMethods.getCurrentValidators.result.parse(list);
        const data = { sets: new Map([[S1, answer]]), peers: infoMethods.peers.result.parse(said) };
        const own = member(data.sets, data.peers);
        const samples = compared([own]);
        const [spare, ratio] = [samples.get(SPARE(S1)), samples.get(CONNECTED(S1))];
        if (ratio === undefined || Math.abs(ratio - 0.75) > 1e-9)
          expect(spare !== undefined).toBe((ratio ?? 0) >= 0.75);
        expect(ratio ?? 0).toBeLessThanOrEqual(1);
        expect(spare ?? 0).toBeLessThanOrEqual(answer.validators.length);
      }),
    );
  });
});

describe("the requirement of consensus", () => {
  const L1_FAILS = failing({ [L1ONE]: { error: lacking("90.000000") } });
  const saying = (node: string, checks: object, facts: object = {}): AnyMember => ({
    facts: { ...contextOf({ node, subnets: SUBNETS }), ...facts },
    answers: { report: at(failing(checks)) },
  });
  const DEFAULTS = { [REQUIRED("primary")]: 0.8, [REQUIRED(S1)]: 0.8, [REQUIRED(S2)]: 0.8 };

  it("is read from any polled node, whichever is the reference node", () => {
    const silent = { facts: contextOf({ node: "a", subnets: SUBNETS }), answers: {} };
    const members = [silent, { facts: contextOf({ node: "b", subnets: SUBNETS }), answers: { report: at(L1_FAILS) } }];
    for (const reference of ["a", "b", "nobody"])
      expect(only(compared(members, reference), "requirement")).toEqual({ ...DEFAULTS, [REQUIRED(S2)]: 0.9 });
  });

  it("is the highest that the nodes name, and gone with the failure", () => {
    const members = ["75.000000", "67.500000"].map((percent, index) =>
      saying(`n${index}`, { X: { error: lacking(percent) }, C: { error: lacking("70.000000") } }),
    );
    expect(only(compared(members), REQUIRED("primary"))).toEqual({ [REQUIRED("primary")]: 0.75 });
    expect(only(compared([saying("n0", { X: {} })]), "requirement")).toEqual(DEFAULTS);
  });

  it("is found among other failures, and in a nested error", () => {
    const both = `engine: too many processing blocks: 301 > 256\nblock processing too long: 54m > 30s; networking: ${lacking("85.000000")}`;
    for (const check of [{ error: both }, { error: { message: both } }, { error: "other", message: both }])
      expect(compared([saying("a", { [PERM1]: check })]).get(REQUIRED(S1))).toBe(0.85);
  });

  it("is that of the alias and of the ID of a chain, and not of a chain that is not known", () => {
    const ids = new Map([["dex", at({ blockchainID: L1ONE })]]);
    const aliased = saying("a", { dex: { error: lacking("90.000000") }, unknown: { error: lacking("99.000000") } });
    expect(only(compared([{ ...aliased, answers: { ...aliased.answers, ids } }]), "requirement")).toEqual({
      ...DEFAULTS,
      [REQUIRED(S2)]: 0.9,
    });
  });

  it.each([
    ["another text", "connected to 60.018392% of the stake"],
    ["none", "required at least 0.000000%"],
    ["more than all", "required at least 180.000000%"],
    ["no number", "required at least NaN%"],
    ["no text", { required: 90 }],
    ["a list", ["required at least 90%"]],
    ["null", null],
  ])("is the default where a check names %s", (_name, error) => {
    expect(only(compared([saying("a", { P: { error, message: error } })]), "requirement")).toEqual(DEFAULTS);
  });

  it("is only of the subnets of the network", () => {
    const facts = contextOf();
    const members = [{ facts, answers: {} }];
    expect([...readTopic(quorumMargin, { members }, facts)]).toEqual([[REQUIRED("primary"), 0.8]]);
  });
});
