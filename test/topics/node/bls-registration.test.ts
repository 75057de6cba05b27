import { expect, it } from "vitest";
import { healthMethods, healthResources } from "../../../src/api/node/health.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { blsRegistration } from "../../../src/topics/node/bls-registration.ts";
import { makeNodeId } from "../../../simulator/encoding/ids.ts";
import { recorded } from "../../support/recordings.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

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

it.each([
  [
    "the text of the check has both keys",
    { report: wrong, id },
    ['primary",key="0x85bb0000…",registered_key="0x80480000…'],
  ],
  ["the check passes, a set is older", { report: right, id, sets: primary("0xbb") }, []],
  [
    "without a check the set has another key",
    { id, sets: primary("0xbb") },
    ['primary",key="0xAA110000…",registered_key="0xbb…'],
  ],
  ["an L1 has the same key", { report: right, id, sets: l1({ publicKey: "0xaa110000" }) }, []],
  [
    "an L1 has another key",
    { report: right, id, sets: l1({ publicKey: "0xcc" }) },
    ['S",key="0xAA110000…",registered_key="0xcc…'],
  ],
  ["the validation is newer than the key", { id, sets: l1({ publicKey: "0xcc", startTime: "1795259209" }) }, []],
  ["the key of an L1 is unknown", { id, sets: l1({ publicKey: null }) }, []],
  ["the key of the node is unknown", { id: { nodeID }, sets: l1({ publicKey: "0xcc" }) }, []],
  ["a recording", { report: recorded("local-healthy-validator", "health.get", healthResources.health.result) }, []],
])("the wrong key: %s", (_case, data, expected) => {
  expect([...readTopic(blsRegistration, data, contextOf({ nodeId: nodeID })).keys()]).toEqual(
    expected.map((labels) => `avax_node_bls_key_wrong_info{subnet="${labels}"}`),
  );
});
