import { describe, expect, it } from "vitest";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { rewardAddress } from "../../../src/topics/validators/reward-address.ts";
import { recorded } from "../../support/recordings.ts";
import { contextOf, only, readTopic } from "../../support/topics.ts";

const schema = platformMethods.getCurrentValidators.result;
const RECORDED = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
const OWNER = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u";
const record = (more: object) => ({ nodeID: "NodeID-x", weight: "1000000000", startTime: "1", ...more });
const made = (more: object, subnet = "primary") => ({
  sets: new Map([[subnet, schema.parse({ validators: [record(more)] })]]),
});
const watching = (nodeId: string, ...rewardAddresses: readonly string[]) =>
  contextOf({ validators: [nodeId], validatorDetails: [{ nodeId, rewardAddresses }] });
const paid = (...addresses: readonly unknown[]) => ({ validationRewardOwner: { addresses } });

describe("reward addresses", () => {
  const data = {
    sets: new Map([
      ["primary", recorded("local-healthy-validator", "platform.getCurrentValidators.primary", schema)],
      ["S1", recorded("local-healthy-validator", "platform.getCurrentValidators.s1", schema)],
      ["S2", recorded("local-healthy-validator", "platform.getCurrentValidators.s2", schema)],
    ]),
  };
  const labels = `subnet="primary",node_id="${RECORDED}"`;

  it("of a recorded validator, where it is staked", () => {
    expect(Object.fromEntries(readTopic(rewardAddress, data, watching(RECORDED)))).toEqual({
      [`avax_validator_reward_address_info{${labels},kind="validation",address="${OWNER}"}`]: 1,
      [`avax_validator_reward_address_info{${labels},kind="delegation",address="${OWNER}"}`]: 1,
    });
  });

  it("of a recorded validator are compared with the configured ones", () => {
    const matches = (...addresses: readonly string[]) =>
      only(readTopic(rewardAddress, data, watching(RECORDED, ...addresses)), "matches");
    expect(matches("P-local1other", OWNER)).toEqual({ [`avax_validator_reward_address_matches{${labels}}`]: 1 });
    expect(matches("P-local1other")).toEqual({ [`avax_validator_reward_address_matches{${labels}}`]: 0 });
    expect(matches()).toEqual({});
  });

  it("are five of each owner at most, each once", () => {
    const addresses = ["a", "a", "b", "c", "d", "e", "f", "g"].map((each) => `P-${each}`);
    const samples = readTopic(
      rewardAddress,
      made({ ...paid(...addresses), delegationRewardOwner: { addresses: ["x".repeat(200), "x".repeat(300)] } }),
      watching("NodeID-x"),
    );
    const shown = (kind: string) =>
      Object.keys(only(samples, `kind="${kind}"`)).map((name) => /address="(.*)"/.exec(name)?.[1]);
    expect(shown("validation")).toEqual(["P-a", "P-b", "P-c", "P-d", "P-e"]);
    expect(shown("delegation")).toEqual(["x".repeat(100)]);
  });

  it("match when all of them are configured, beyond the fifth too", () => {
    const addresses = ["a", "b", "c", "d", "e", "f"];
    const matches = (context: ReturnType<typeof watching>) =>
      Object.values(only(readTopic(rewardAddress, made(paid(...addresses)), context), "matches"));
    expect(matches(watching("NodeID-x", ...addresses))).toEqual([1]);
    expect(matches(watching("NodeID-x", ...addresses.slice(0, 5)))).toEqual([0]);
    expect(matches(watching("NodeID-x", "a"))).toEqual([0]);
  });

  it("do not match when nobody is paid, and the delegation owner does not matter", () => {
    const read = (more: object) => Object.fromEntries(readTopic(rewardAddress, made(more), watching("NodeID-x", "a")));
    const name = 'avax_validator_reward_address_matches{subnet="primary",node_id="NodeID-x"}';
    expect(read(paid())).toEqual({ [name]: 0 });
    expect(read({ ...paid("a"), delegationRewardOwner: { addresses: ["b"] } })[name]).toBe(1);
  });

  it.each([
    ["missing", {}],
    ["null", { validationRewardOwner: null, delegationRewardOwner: null }],
    ["of the name that other releases use", { rewardOwner: { addresses: ["a"] } }],
    ["a text", { validationRewardOwner: "P-local1x" }],
    ["without addresses", { validationRewardOwner: { threshold: "1" }, delegationRewardOwner: { addresses: null } }],
    ["with an address that is no text", paid("a", 5)],
  ])("are absent when the owner is %s", (_, more) => {
    expect(readTopic(rewardAddress, made(more), watching("NodeID-x", "a"))).toEqual(new Map());
  });

  it("are those of watched validators alone, in elastic subnets too", () => {
    expect(readTopic(rewardAddress, made(paid("a")), watching("NodeID-y", "a"))).toEqual(new Map());
    const elastic = readTopic(rewardAddress, made(paid("a"), "E"), watching("NodeID-x", "a"));
    expect(elastic.get('avax_validator_reward_address_matches{subnet="E",node_id="NodeID-x"}')).toBe(1);
  });
});
