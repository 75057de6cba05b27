import { expect, it } from "vitest";
import { healthMethods } from "../../../src/api/node/health.ts";
import { stateMethods } from "../../../src/api/node/platform-state.ts";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { moment } from "../../../src/api/hosted/data-fields.ts";

/** Times that were never set: 0, and what is left of a number that is too long to be one. */
const UNIX = ["0", 0, "123", 1_420_070_399] as const;
const RFC = ["1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "1999-12-31T23:59:59Z"] as const;

it.each(UNIX)("validators, and a hosted service, have no time at %s", (time) => {
  const validator = { nodeID: "NodeID-a", weight: "1", startTime: time, endTime: time };
  const primary = platformMethods.getCurrentValidators.result.parse({ validators: [validator] });
  expect(primary.validators).toMatchObject([{ startTime: undefined, endTime: undefined }]);
  expect(moment.parse(time)).toBeUndefined();
});

it.each(RFC)("the clock and the fees of the P-Chain, and a health check, have no time at %s", (timestamp) => {
  expect(stateMethods.getTimestamp.result.parse({ timestamp })).toEqual({ timestamp: undefined });
  const state = { excess: "0", price: "1", timestamp };
  expect(stateMethods.getValidatorFeeState.result.parse(state)).toMatchObject({ timestamp: undefined });
  const check = { timestamp, timeOfFirstFailure: timestamp };
  const report = healthMethods.health.result.parse({ healthy: true, checks: { C: check } });
  expect(report.checks["C"]).toEqual({ timestamp: undefined, timeOfFirstFailure: undefined });
});
