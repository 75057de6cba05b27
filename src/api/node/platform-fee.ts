import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { platformMethod } from "./platform-method.ts";
import { count, navax, timestamp, unixTime } from "../wire.ts";

/** P-Chain API: the continuous fee that L1 validators pay. Beyond the specification. */

const feeState = z.object({
  /** AVAX per second and validator (nAVAX on the wire). */
  price: navax,
  excess: count.optional(),
  /** The P-Chain's own clock, which moves with its blocks alone: balances are of this time. Unix seconds. */
  timestamp,
});
export type ValidatorFee = z.infer<typeof feeState>;

const l1Validator = z.object({
  validationID: z.string(),
  nodeID: z.string(),
  subnetID: z.string(),
  weight: count,
  startTime: unixTime,
  /** AVAX. */
  balance: navax.optional(),
  minNonce: count.optional(),
  height: count.optional(),
});

export const feeMethods = {
  getValidatorFeeState: {
    ...platformMethod(
      "platform.getValidatorFeeState",
      "Present price of an L1 validator's second, and the P-Chain's own clock.",
      z.object({}),
      feeState,
    ),
    beyond: true,
  },
  getL1Validator: {
    ...platformMethod(
      "platform.getL1Validator",
      "One validation of an L1 with its balance.",
      z.object({ validationID: z.string() }),
      l1Validator,
    ),
    beyond: true,
  },
};

/** Asked where subnets are configured: nobody else pays by the second. */
export const ValidatorFeeState = endpoint({
  id: "platform.getValidatorFeeState",
  about: "Present price of an L1 validator's second, and the clock that its balance is counted by.",
  scope: "network",
  methods: ["platform.getValidatorFeeState"],
  every: 60,
  timeout: 10,
  optional: true,
  when: ({ subnets }) => subnets.length > 0,
  ask: (api) => api.call(feeMethods.getValidatorFeeState, {}),
});
