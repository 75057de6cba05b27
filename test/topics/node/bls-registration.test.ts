import { describe, expect, it } from "vitest";
import { healthMethods, healthResources } from "../../../src/api/node/health.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { blsRegistration } from "../../../src/topics/node/bls-registration.ts";
import { makeNodeId } from "../../../simulator/encoding/ids.ts";
import { NEVER_DOWN, type Reach } from "../../../src/topics/reach.ts";
import { answered } from "../../support/derived.ts";
import { recorded } from "../../support/recordings.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";

const nodeID = makeNodeId(1, "own", 0);
const checks = (bls: object) => healthMethods.health.result.parse({ checks: { bls }, healthy: false });
const ran = { timestamp: "2026-11-24T10:00:00Z", duration: 1 };
const wrong = checks({
  ...ran,
  error: "node has BLS key 0x85bb0000aa, but is registered to the validator set with 0x80480000bb",
});
const right = checks({ ...ran, message: "node has the correct BLS key" });
const id = infoMethods.getNodeID.result.parse({ nodeID, nodePOP: { publicKey: "0xAA110000" } });
const set = (record: object) =>
  platformMethods.getCurrentValidators.result.parse({
    validators: [{ nodeID, weight: "1", startTime: "5", ...record }],
  });
const primary = (publicKey: string) => new Map([["primary", set({ signer: { publicKey } })]]);
const l1 = (record: object) => new Map([["S", set({ validationID: "V", ...record })]]);

const UP: Reach = { up: true, outages: [], total: 0 };
const DOWN: Reach = { up: false, outages: [{ from: 1 }], total: 1 };
const TIME = 1_795_259_208;

type Given = {
  readonly reach?: Reach;
  readonly report?: object;
  readonly id?: object;
  readonly sets?: ReadonlyMap<string, object>;
};
const members = ({ reach = UP, report, id: own, sets }: Given) => [
  {
    facts: contextOf({ nodeId: nodeID }),
    answers: {
      reach: answered(reach, TIME),
      report: report && answered(report, TIME),
      id: own && answered(own, TIME),
      sets: sets && new Map([...sets].map(([subnet, each]) => [subnet, answered(each, TIME)])),
    },
  },
];
const after = (given: Given, before?: unknown): unknown =>
  nextState(blsRegistration, { members: members(given) }, contextOf(), before);
/** By subnet, 1 where the key is wrong. */
function verdicts(given: Given, before?: unknown): Readonly<Record<string, number>> {
  const samples = readTopic(blsRegistration, { members: members(given) }, contextOf(), before);
  return Object.fromEntries([...samples].map(([name, value]) => [/subnet="(.*)"/.exec(name)?.[1] ?? "", value]));
}

it.each<[string, Given, Readonly<Record<string, number>>]>([
  ["the text of the check has both keys", { report: wrong, id }, { primary: 1 }],
  ["the check passes, a set is older", { report: right, id, sets: primary("0xbb") }, { primary: 0 }],
  ["without a check the set has another key", { id, sets: primary("0xbb") }, { primary: 1 }],
  ["an L1 has the same key", { report: right, id, sets: l1({ publicKey: "0xaa110000" }) }, { primary: 0, S: 0 }],
  ["an L1 has another key", { report: right, id, sets: l1({ publicKey: "0xcc" }) }, { primary: 0, S: 1 }],
  ["the validation is newer than the key", { id, sets: l1({ publicKey: "0xcc", startTime: "1795259209" }) }, {}],
  ["the key of an L1 is unknown", { id, sets: l1({ publicKey: null }) }, {}],
  ["the key of the node is unknown", { id: { nodeID }, sets: l1({ publicKey: "0xcc" }) }, {}],
  ["nothing is known", {}, {}],
  [
    "a recording",
    { report: recorded("local-healthy-validator", "health.get", healthResources.health.result) },
    { primary: 0 },
  ],
])("the wrong key: %s", (_case, given, expected) => {
  expect(verdicts(given)).toEqual(expected);
});

describe("a wrong key", () => {
  const wrongOnBoth = { report: wrong, id, sets: l1({ publicKey: "0xcc" }) };
  const before = after(wrongOnBoth);

  it("is over once the check passes, and once the validation is registered with the key or has ended", () => {
    expect(verdicts({ report: right, id, sets: l1({ publicKey: "0xAA110000" }) }, before)).toEqual({
      primary: 0,
      S: 0,
    });
    expect(verdicts({ report: right, id, sets: new Map([["S", { validators: [] }]]) }, before)).toEqual({
      primary: 0,
      S: 0,
    });
  });

  it("stays while the node is down, and is unknown while it answers without its key", () => {
    expect(verdicts({ reach: DOWN, sets: l1({ publicKey: "0xcc" }) }, before)).toEqual({ primary: 1, S: 1 });
    expect(verdicts({}, before)).toEqual({});
  });

  it("goes on over a restart of the exporter", () => {
    const saved = blsRegistration.saved?.restore(
      JSON.parse(JSON.stringify(blsRegistration.saved.save(before as never))),
    );
    expect(verdicts({ reach: NEVER_DOWN }, saved)).toEqual({ primary: 1, S: 1 });
    expect(blsRegistration.saved?.save(after({ report: right, id }) as never)).toEqual([]);
  });
});
