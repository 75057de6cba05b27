import { describe, expect, it } from "vitest";
import { PlatformBalances } from "../../../src/api/node/platform-balances.ts";
import { stateMethods, ValidatorFeeState } from "../../../src/api/node/platform-state.ts";
import { SUBNETS } from "../../support/local-network.ts";
import { recorded } from "../../support/recordings.ts";
import { scriptedApi, unsupported } from "../../support/scripted-api.ts";
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

describe("a balance", () => {
  const AVAX = "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe";
  const OTHER = "U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK";
  const read = (unlockeds: object, more: object = {}, assetID: string | undefined = AVAX, network = "local") =>
    PlatformBalances.ask(
      scriptedApi(({ name }) => {
        if (name === "platform.getBalance")
          return { balances: {}, unlockeds, lockedStakeables: {}, lockedNotStakeables: {}, utxoIDs: null, ...more };
        if (assetID === "none") throw unsupported();
        return { assetID };
      }),
      "P-local1x",
      contextOf({ network }),
      undefined,
    );

  it("is that of AVAX, which is found by its asset ID", async () => {
    expect(await read({ [OTHER]: "7000000000" })).toMatchObject({ unlocked: 0, lockedStakeable: 0 });
    expect(await read({ [OTHER]: "7000000000", [AVAX]: "3000000000" })).toMatchObject({ unlocked: 3 });
    expect(await read({ [AVAX]: "3000000000" }, {}, "none")).toMatchObject({ unlocked: 3 });
  });

  it("is unknown where the asset ID of AVAX is, and 0 of no assets", async () => {
    expect(await read({ [OTHER]: "7000000000" }, {}, "none", "network-7")).toMatchObject({
      unlocked: undefined,
      lockedStakeable: 0,
    });
  });

  it("is the total where the answer has it, without a request for the asset ID", async () => {
    const totals = { unlocked: "1", lockedStakeable: "0", lockedNotStakeable: "0" };
    expect(await read({ [OTHER]: "7" }, totals)).toMatchObject({ unlocked: 1e-9, asset: undefined });
  });
});
