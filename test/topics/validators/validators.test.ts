import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { l1Validator } from "../../../src/topics/l1/l1-validator.ts";
import { rewardAddress } from "../../../src/topics/validators/reward-address.ts";
import { validator } from "../../../src/topics/validators/validator.ts";
import { validators } from "../../../src/topics/validators/validators.ts";
import { anyPeers, anyValidators } from "../../support/arbitraries.ts";
import { S1, SUBNETS } from "../../support/local-network.ts";
import { recorded } from "../../support/recordings.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";
import { rewardVerdict } from "../../../src/topics/validators/reward-verdict.ts";

const schema = platformMethods.getCurrentValidators.result;
const set = (recording: string, name: string) => recorded(recording, `platform.getCurrentValidators.${name}`, schema);
const peersOf = (recording: string) => recorded(recording, "info.peers", infoMethods.peers.result);
const made = (...records: object[]) => new Map([["primary", schema.parse({ validators: records })]]);
const YOUNG = "NodeID-8svdcPMG3GiLuyy5675h2BUNaXdrNCujA";
const record = (more: object) => ({ nodeID: "NodeID-x", weight: "1000000000", startTime: "1", ...more });
/** 2026-11-21T11:06:48Z, when the recording was made. */
const TIME = 1_795_259_208;
const MAX = "18446744073709551615";

describe("records with wrong fields", () => {
  const usual = { connected: true, delegatorCount: "1", delegatorWeight: "0", delegationFee: "2", uptime: "99" };
  const answer = (more: object) =>
    schema.safeParse({ validators: [record(usual), record({ ...usual, nodeID: "NodeID-y", ...more })] });

  it.each([
    ["uptime", "much", "avax_validators_by_uptime"],
    ["uptime", "999", "avax_validators_by_uptime"],
    ["connected", "yes", "avax_validators_connected"],
    ["delegatorCount", -1, "avax_validators_delegators"],
    ["delegatorWeight", "many", 'avax_validators_stake_avax{staker="delegator"}'],
    ["potentialReward", {}, undefined],
    ["minNonce", "x", undefined],
  ])("`%s` %j: the record stays, and a sum over all is unknown", (field, value, lost) => {
    const found = answer({ [field]: value }).data;
    expect(found?.validators).toMatchObject([{ uptime: 0.99 }, { nodeID: "NodeID-y" }]);
    expect(found?.validators[1]).not.toHaveProperty(field);
    expect(found?.invalidRows).toEqual({
      count: 1,
      problem: expect.stringMatching(new RegExp(`^1\\.${field}: `)) as string,
    });
    const names = (sets: ReturnType<typeof made>) => [
      ...readTopic(validators, { sets, peers: undefined, own: undefined }, contextOf()).keys(),
    ];
    const odd = names(new Map([["primary", found ?? { validators: [], invalidRows: undefined }]]));
    expect(names(made(record(usual), record(usual))).filter((name) => !odd.includes(name))).toEqual(
      lost === undefined ? [] : (expect.arrayContaining([expect.stringContaining(lost)]) as unknown),
    );
  });

  it.each([["nodeID"], ["weight"], ["startTime"], ["endTime"], ["delegationFee"], ["balance"], ["validationID"]])(
    "`%s` decides about sums and memberships: the answer fails, by the row's path",
    (field) => {
      expect(answer({ [field]: {}, uptime: "much" }).error?.issues).toMatchObject([{ path: ["validators", 1, field] }]);
    },
  );
});

describe("validators", () => {
  it("by version, with those that are not peers of the reference node apart", () => {
    const nodeId = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
    const data = {
      sets: made(record({ nodeID: nodeId }), record({ nodeID: YOUNG }), record({ nodeID: "NodeID-stranger" })),
      peers: peersOf("local-healthy-validator"),
    };
    const own = { version: "avalanchego/9.0.0", vmVersions: {} };
    const read = (more: object) =>
      Object.fromEntries<number>(
        Object.entries(only(readTopic(validators, { ...data, ...more }, contextOf({ nodeId })), "by_version")).map(
          ([name, value]) => [/"(.*)"/.exec(name)?.[1] ?? "", value],
        ),
      );
    expect(read({ own })).toEqual({ "avalanchego/9.0.0": 1, "avalanchego/1.15.0": 1, "not connected": 1 });
    expect(read({ own: undefined })).toEqual({ "avalanchego/1.15.0": 1, "not connected": 2 });
  });

  it("with odd records", () => {
    const read = (...records: object[]) =>
      readTopic(validators, { sets: made(...records), peers: undefined, own: undefined }, contextOf());
    expect(Object.fromEntries(read())).toMatchObject({
      'avax_validators{subnet="primary"}': 0,
      'avax_validators_stake_avax{staker="validator"}': 0,
    });
    expect(only(read(), "delegator")).toEqual({});
    const huge = read(record({ weight: MAX, delegatorWeight: MAX }), record({ weight: MAX }));
    expect(huge.get('avax_validators_stake_avax{staker="validator"}')).toBe(36893488147.41910323);
    // One record without the field: the sum is unknown.
    expect(only(huge, "delegator")).toEqual({});
    // One record whose period ends before it begins: it is of no range of ends.
    const end = { endTime: "1900000000" };
    expect(only(read(record(end)), "ending")).not.toEqual({});
    expect(only(read(record(end), record({ startTime: "1800000000", endTime: "1700000000" })), "ending")).toEqual({});
    const all = read(record({ delegatorWeight: MAX }), record({ delegatorWeight: "0" }));
    expect(all.get('avax_validators_stake_avax{staker="delegator"}')).toBe(18446744073.709551615);
    expect(only(read(record({ endTime: "2000000000", delegationFee: "2" })), "ending")).toEqual({});
    const five = read(record({ endTime: "2000000000" }));
    expect(only(five, "connected")).toEqual({});
    expect(only(five, "by_uptime")).toEqual({});
  });
});

describe("validator", () => {
  it("has its configured name, else that of the polled node, and the name of this node", () => {
    const configured = contextOf({
      node: "mine",
      nodeId: "NodeID-own",
      validators: ["NodeID-whale", "NodeID-nameless", "NodeID-missing"],
      validatorDetails: [{ nodeId: "NodeID-whale", name: 'the "whale"', rewardAddresses: [] }],
    });
    const ids = ["NodeID-whale", "NodeID-nameless", "NodeID-own", "NodeID-stranger"];
    const data = { sets: made(...ids.map((nodeID) => record({ nodeID }))) };
    expect(only(readTopic(validator, data, configured), "avax_validator_info")).toEqual({
      'avax_validator_info{node_id="NodeID-whale",name="the \\"whale\\"",node=""}': 1,
      'avax_validator_info{node_id="NodeID-nameless",name="",node=""}': 1,
      'avax_validator_info{node_id="NodeID-missing",name="",node=""}': 1,
      'avax_validator_info{node_id="NodeID-own",name="mine",node="mine"}': 1,
    });
    const both = contextOf({
      node: "mine",
      nodeId: "NodeID-x",
      validatorDetails: [{ nodeId: "NodeID-x", name: "x", rewardAddresses: [] }],
    });
    const sets = new Map([...made(record({})), [S1, schema.parse({ validators: [record({})] })] as const]);
    expect(only(readTopic(validator, { sets }, both), "avax_validator_info")).toEqual({
      'avax_validator_info{node_id="NodeID-x",name="x",node="mine"}': 1,
    });
    // A polled node that is no validator.
    expect(only(readTopic(validator, { sets: made() }, both), "avax_validator_info")).toEqual({});
  });

  it("takes delegations up to five times its stake and three million, and none beyond", () => {
    const capacityOf = (sets: ReturnType<typeof made>) =>
      Object.values(
        only(readTopic(validator, { sets }, contextOf({ validators: ["NodeID-x"] })), "delegation_capacity"),
      );
    const capacity = (weight: number, delegatorWeight?: string) =>
      capacityOf(made(record({ weight: `${weight}000000000`, delegatorWeight })));
    expect(capacity(2000, "0")).toEqual([8000]);
    expect(capacity(2000, "1")).toEqual([7999.999999999]);
    expect(capacity(600_000, "0")).toEqual([2_400_000]);
    expect(capacity(700_000, "300000000000000")).toEqual([2_000_000]);
    expect(capacity(3_000_000, "0")).toEqual([0]);
    // A later upgrade than Helicon has another limit.
    const since = (time: number) =>
      Object.values(
        only(
          readTopic(
            validator,
            {
              sets: made(record({ weight: "1000000000", delegatorWeight: "0" })),
              upgrades: new Map([
                ["helicon", 5],
                ["igloo", 9],
              ]),
            },
            contextOf({ validators: ["NodeID-x"], time }),
          ),
          "delegation_capacity",
        ),
      );
    expect([since(8), since(9)]).toEqual([[4], []]);
    // No delegation can begin less than a day before the end.
    const left = (seconds: number) =>
      capacityOf(
        made(record({ weight: "2000000000000", delegatorWeight: "0", endTime: String(contextOf().time + seconds) })),
      );
    expect([left(86_400), left(86_399)]).toEqual([[8000], [0]]);
    expect(capacity(2000, "9000000000000")).toEqual([0]);
    expect(capacity(2000, MAX)).toEqual([0]);
    expect(capacity(2000)).toEqual([]);
    expect(capacityOf(new Map([[S1, schema.parse({ validators: [record({ delegatorWeight: "0" })] })]]))).toEqual([]);
  });

  it("without a signer, with a null signer, with the largest weight", () => {
    const nodeId = "NodeID-x";
    const read = (more: object) =>
      only(readTopic(validator, { sets: made(record(more)) }, contextOf({ validators: [nodeId] })), "primary");
    expect(read({})['avax_validator_bls_registered{subnet="primary",node_id="NodeID-x"}']).toBeUndefined();
    expect(read({ signer: null })['avax_validator_bls_registered{subnet="primary",node_id="NodeID-x"}']).toBe(0);
    expect(read({ weight: MAX })['avax_validator_stake_avax{subnet="primary",node_id="NodeID-x"}']).toBe(
      18446744073.709551615,
    );
  });

  it("is 0 when it left, or was configured and never found; a polled node that never validated is absent", () => {
    const context = contextOf({ validators: ["NodeID-x"], nodeId: "NodeID-api" });
    const active = (data: object, state?: unknown) => only(readTopic(validator, data, context, state), "in_set");
    const name = 'avax_validator_in_set{subnet="primary",node_id="NodeID-x"}';
    expect(active({ sets: made() })).toEqual({ [name]: 0 });
    expect(active({ sets: made(record({})) })).toEqual({ [name]: 1 });
    const state = nextState(validator, { sets: made(record({}), record({ nodeID: "NodeID-api" })) }, context);
    expect(active({ sets: made() }, state)).toEqual({
      [name]: 0,
      'avax_validator_in_set{subnet="primary",node_id="NodeID-api"}': 0,
    });
    expect(active({ sets: new Map([[S1, schema.parse({ validators: [] })]]) })).toEqual({});
  });

  it("of a subnet that is no longer configured is dropped too", () => {
    const records = new Map([[S1, schema.parse({ validators: [record({})] })]]);
    const state = nextState(
      validator,
      { sets: records },
      contextOf({ nodeId: "NodeID-x", subnets: SUBNETS, time: TIME }),
    );
    expect([...(state as ReadonlyMap<string, unknown>).keys()]).toEqual([`${S1} NodeID-x`]);
    const without = contextOf({ nodeId: "NodeID-x", time: TIME + 3600 });
    expect(nextState(validator, { sets: made() }, without, state)).toEqual(new Map());
  });
});

describe("validator-view", () => {
  it("leaves out validators that are not watched", () => {
    const answers = new Map([["primary", set("custom-stake-lost", "primary")]]);
    expect(readTopic(rewardVerdict, { answers }, contextOf({ validators: ["NodeID-stranger"] }))).toEqual(new Map());
  });
});

describe("l1-validator", () => {
  it("has one series per validation, several for one node ID, at most five hundred", () => {
    const member = (index: number) => record({ validationID: `v${index}`, weight: MAX, balance: "1", minNonce: "3" });
    const data = {
      sets: new Map([
        [
          "L1",
          schema.parse({
            validators: [record({ endTime: "9" }), ...Array.from({ length: 600 }, (_, index) => member(index))],
          }),
        ],
      ]),
    };
    const samples = readTopic(l1Validator, data, contextOf());
    expect(Object.keys(only(samples, "avax_l1_validator_weight"))).toHaveLength(500);
    expect(samples.get('avax_l1_validator_weight{subnet="L1",node_id="NodeID-x",validation_id="v0"}')).toBe(2 ** 64);
  });
});

describe("any set", () => {
  const topics = [validators, validator, rewardVerdict, l1Validator, rewardAddress];
  it.each(topics)("is read by $id without a defect", (topic) => {
    fc.assert(
      fc.property(anyValidators, anyValidators, anyPeers, (primary, other, peers) => {
        const sets = new Map([
          ["primary", schema.parse(primary)],
          ["L1", schema.parse(other)],
        ]);
        const watch = (primary.validators ?? []).slice(0, 10).map(({ nodeID }) => nodeID);
        const data = {
          sets,
          answers: sets,
          peers: infoMethods.peers.result.parse(peers),
          own: { version: "v", vmVersions: {} },
        };
        const validatorDetails = watch.map((nodeId) => ({ nodeId, rewardAddresses: ["P-local1x"] }));
        for (const [name, value] of readTopic(topic, data, contextOf({ validators: watch, validatorDetails }))) {
          // What a period attains has no bounds after its end.
          if (/(?<!attainable_uptime)_ratio\{/.test(name)) expect(value >= 0 && value <= 1, name).toBe(true);
        }
      }),
    );
  });
});
