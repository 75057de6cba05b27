import { describe, expect, it } from "vitest";
import { feeMethods, ValidatorFeeState } from "../../../src/api/node/platform-fee.ts";
import { S2, SUBNETS } from "../../support/local-network.ts";
import { recorded } from "../../support/recordings.ts";
import { contextOf } from "../../support/topics.ts";

describe("the state of the validator fee", () => {
  it("is read in AVAX per second and the P-Chain time: from a real node, and 512 nAVAX per second on mainnet", () => {
    const { result } = feeMethods.getValidatorFeeState;
    const real = recorded("local-young-validator", "platform.getValidatorFeeState", result);
    expect(real).toEqual({ excess: 0, price: 1e-9, timestamp: 1_795_258_735 });
    expect(result.parse({ excess: 26956, price: 512, timestamp: "2026-08-22T15:19:07Z" })).toEqual({
      excess: 26956,
      price: 0.000000512,
      timestamp: 1_787_411_947,
    });
  });

  it("is polled if subnets are configured", () => {
    expect(ValidatorFeeState.keys(contextOf({ subnets: SUBNETS }))).toEqual([""]);
    expect(ValidatorFeeState.keys(contextOf())).toEqual([]);
  });
});

it("one L1 validator is read with its subnet and balance", () => {
  const parsed = feeMethods.getL1Validator.result.parse({
    nodeID: "NodeID-a",
    weight: "49463",
    startTime: "1731445206",
    validationID: "V",
    minNonce: "0",
    balance: "1000000000",
    subnetID: S2,
    height: "24117820",
  });
  expect(parsed).toMatchObject({ subnetID: S2, weight: 49_463, balance: 1, height: 24_117_820 });
});
