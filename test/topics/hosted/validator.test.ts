import { expect, it } from "vitest";
import { hostedValidator } from "../../../src/topics/hosted/validator.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

const END = 1_800_000_000;
const FORTNIGHT = 14 * 86_400;

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
