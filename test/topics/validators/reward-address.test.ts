import { describe, expect, it } from "vitest";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { rewardAddress } from "../../../src/topics/validators/reward-address.ts";
import { contextOf, only, readTopic } from "../../support/topics.ts";

const schema = platformMethods.getCurrentValidators.result;
const record = (more: object) => ({ nodeID: "NodeID-x", weight: "1000000000", startTime: "1", ...more });
const made = (more: object, subnet = "primary") => ({
  sets: new Map([[subnet, schema.parse({ validators: [record(more)] })]]),
});
const watching = (nodeId: string, ...rewardAddresses: readonly string[]) =>
  contextOf({ validators: [nodeId], validatorDetails: [{ nodeId, rewardAddresses }] });
const paid = (...addresses: readonly unknown[]) => ({ validationRewardOwner: { addresses } });

describe("reward addresses", () => {
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
