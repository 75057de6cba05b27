import { expect, it } from "vitest";
import { HOSTED_REASONS } from "../../src/api/reasons.ts";

it("the reasons of a hosted service are those of an HTTPS API", () => {
  expect(HOSTED_REASONS).toContain("unauthorized");
  expect(HOSTED_REASONS).toContain("rate_limited");
  expect(HOSTED_REASONS).not.toContain("not_bootstrapped");
});
