import { z } from "zod";
import { methodEndpoint } from "../endpoint.ts";
import { platformMethod } from "./platform.ts";
import { count, navax, timestamp, unixTime } from "../wire.ts";

/** P-Chain API: the continuous fee that L1 validators pay. Beyond the specification. */

const feeState = z.object({
  /** AVAX per second and validator (nAVAX on the wire). */
  price: navax,
  excess: count.optional(),
  /** Chain time of the P-Chain, at which the balances apply. Unix seconds. */
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
  getValidatorFeeState: platformMethod(
    "platform.getValidatorFeeState",
    "Current fee of an L1 validator per second, and the chain time at which balances apply.",
    z.object({}),
    feeState,
    { beyond: true },
  ),
  getL1Validator: platformMethod(
    "platform.getL1Validator",
    "One validation of an L1 with its balance.",
    z.object({ validationID: z.string() }),
    l1Validator,
    { beyond: true },
  ),
};

/** Polled only if a subnet is configured: only L1 validators pay this fee. */
export const ValidatorFeeState = methodEndpoint(feeMethods.getValidatorFeeState, {
  scope: "network",
  every: 60,
  optional: true,
  when: ({ subnets }) => subnets.length > 0,
});
