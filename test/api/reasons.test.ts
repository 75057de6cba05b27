import { expect, it } from "vitest";
import { HOSTED_REASONS, REASON_NAMES, reasonsOf } from "../../src/api/reasons.ts";

const missing = (of: { url: string; nodeId?: string }) =>
  REASON_NAMES.filter((reason) => !reasonsOf(of).includes(reason));

it.each([
  [{ url: "http://10.0.0.1:9650" }, ["dns", "tls", "host_forbidden", "wrong_node"]],
  [{ url: "http://[::1]:9650" }, ["dns", "tls", "host_forbidden", "wrong_node"]],
  [{ url: "http://node.example:9650" }, ["tls", "wrong_node"]],
  [{ url: "https://node.example", nodeId: "NodeID-a" }, []],
])("a node with %j never has the reasons %j, unsupported, internal, and those of the exporter", (of, more) => {
  expect(missing(of).sort()).toEqual([...more, "unsupported", "overloaded", "descriptors", "internal"].sort());
});

it("the reasons of a hosted service are those of an HTTPS API", () => {
  expect(HOSTED_REASONS).toContain("unauthorized");
  expect(HOSTED_REASONS).toContain("rate_limited");
  expect(HOSTED_REASONS).not.toContain("not_bootstrapped");
});
