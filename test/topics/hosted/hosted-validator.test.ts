import { expect, it } from "vitest";
import { hostedValidator } from "../../../src/topics/hosted/hosted-validator.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

const END = 1_800_000_000;
const FORTNIGHT = 14 * 86_400;

it.each([
  ["staked again in the next cycle", END, 0],
  ["denied before a new period", END + 1, 1],
])("a last reward that was %s", (_what, startTimestamp, denied) => {
  const last = { status: "completed", primary: true, endTimestamp: END, rewards: { validationRewardAmount: 0 } };
  const running = { status: "active", primary: true, startTimestamp, endTimestamp: END + FORTNIGHT };
  const answers = new Map([["NodeID-A", { at: END + 3_600, validations: [running, last] }]]);
  const samples = readTopic(hostedValidator, { answers }, contextOf());
  const of = (name: string) => samples.get(`avax_hosted_validator_${name}{network="local",node_id="NodeID-A"}`);
  expect([of("reward_denied"), of("unrewarded_periods"), of("last_completed_rewarded")]).toEqual([
    denied,
    denied,
    1 - denied,
  ]);
});

it.each([
  ["denied", 0, END + 3_600, 1],
  ["denied two weeks ago", 0, END + FORTNIGHT, 0],
  ["paid", 2.5, END + 3_600, 0],
  ["unknown", undefined, END + 3_600, undefined],
])("a last reward that was %s", (_what, paid, at, denied) => {
  const period = { status: "completed", primary: true, endTimestamp: END };
  const rewards = paid === undefined ? undefined : { validationRewardAmount: paid };
  const answers = new Map([["NodeID-A", { at, validations: [{ ...period, rewards }] }]]);
  const samples = readTopic(hostedValidator, { answers }, contextOf());
  expect(samples.get('avax_hosted_validator_reward_denied{network="local",node_id="NodeID-A"}')).toBe(denied);
});
