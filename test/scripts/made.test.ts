import { expect, test } from "vitest";
import { madeNow } from "../../scripts/made.ts";

test("SOURCE_DATE_EPOCH is the time of the build", () => {
  expect(madeNow({ SOURCE_DATE_EPOCH: "1767600000" }).date).toBe("2026-01-05T08:00:00Z");
  expect(madeNow({}).date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

test.for(["", "yesterday", "1.5", "-1"])("SOURCE_DATE_EPOCH %j is refused with what to set", (given) => {
  expect(() => madeNow({ SOURCE_DATE_EPOCH: given })).toThrow(`SOURCE_DATE_EPOCH is "${given}": set Unix seconds`);
});
