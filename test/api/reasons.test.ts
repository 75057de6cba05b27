import { expect, it } from "vitest";
import { HOSTED_REASONS, REASON_NAMES, reasonsOf } from "../../src/api/reasons.ts";

const missing = (of: { url: string; nodeId?: string }) =>
  REASON_NAMES.filter((reason) => !reasonsOf(of).includes(reason));

it("the reasons of a node are those that its address and configuration allow", () => {
  const never = ["unsupported", "overloaded", "internal"];
  expect(missing({ url: "http://10.0.0.1:9650" })).toEqual([
    "dns",
    "tls",
    "host_forbidden",
    ...never.slice(0, 1),
    "wrong_node",
    ...never.slice(1),
  ]);
  expect(missing({ url: "http://[::1]:9650" })).toEqual(missing({ url: "http://10.0.0.1:9650" }));
  expect(missing({ url: "http://node.example:9650" })).toEqual([
    "tls",
    "unsupported",
    "wrong_node",
    "overloaded",
    "internal",
  ]);
  expect(missing({ url: "https://node.example", nodeId: "NodeID-a" })).toEqual(never);
});

it("the reasons of a hosted service are those of an HTTPS API", () => {
  expect(HOSTED_REASONS).toContain("unauthorized");
  expect(HOSTED_REASONS).toContain("rate_limited");
  expect(HOSTED_REASONS).not.toContain("not_bootstrapped");
});
