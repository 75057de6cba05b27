import { describe, expect, it } from "vitest";
import { stateMethods, ValidatorFeeState } from "../../../src/api/node/platform-state.ts";
import { SUBNETS } from "../../support/local-network.ts";
import { recorded } from "../../support/recordings.ts";
import { contextOf } from "../../support/topics.ts";

describe("the state of the validator fee", () => {
  it("is read in AVAX per second and the P-Chain time: from a real node, and 512 nAVAX per second on mainnet", () => {
    const { result } = stateMethods.getValidatorFeeState;
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
