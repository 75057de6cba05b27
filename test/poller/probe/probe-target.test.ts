import { describe, expect, it } from "vitest";
import type { HostPattern } from "../../../src/config/config.ts";
import { defaultConfig } from "../../../src/config/default-config.ts";
import { probeTarget } from "../../../src/poller/probe/probe-target.ts";
import { configOf, nodeConfig } from "../../support/engines.ts";

const NODES = [
  nodeConfig("validator-1", { url: "http://10.0.0.1:9650", headers: { authorization: "Bearer s3cret" } }),
  nodeConfig("fuji", { url: "https://node.example.org/fuji" }),
  nodeConfig("http://odd.example.org", { url: "http://10.0.0.2:9650" }),
];

function find(target: string, ...targets: readonly HostPattern[]) {
  const found = probeTarget(configOf([], { nodes: NODES, probe: { ...defaultConfig().probe, targets } }), target);
  return "node" in found ? found.node.name : found.refused;
}

describe("a target of a probe", () => {
  it.each([
    ["validator-1", "validator-1"],
    ["http://10.0.0.1:9650", "validator-1"],
    ["http://10.0.0.1:9650/", "validator-1"],
    ["HTTP://10.0.0.1:9650", "validator-1"],
    ["https://node.example.org/fuji/", "fuji"],
    ["https://node.example.org:443/fuji", "fuji"],
    ["http://odd.example.org", "http://odd.example.org"],
  ])("%s is the configured node %s", (target, name) => {
    expect(find(target)).toBe(name);
  });

  it("comes with the credentials of its configuration, by name or by URL", () => {
    for (const target of ["validator-1", "http://10.0.0.1:9650"]) {
      const found = probeTarget(configOf([], { nodes: NODES }), target);
      expect("node" in found && found.node).toBe(NODES[0]);
    }
  });

  it.each([
    "",
    "validator",
    "Validator-1",
    "10.0.0.1:9650",
    "http://10.0.0.1",
    "https://10.0.0.1:9650",
    "http://10.0.0.1:9651",
    "http://10.0.0.1:9650/ext/info",
    "https://node.example.org",
    "https://node.example.org/fuji/../",
    "http://127.0.0.1:22",
    "http://169.254.169.254",
    "file:///etc/passwd",
    "gopher://10.0.0.1:9650",
    "javascript:alert(1)",
    "http://",
    "//10.0.0.1:9650",
    "constructor",
    "__proto__",
  ])("%j is forbidden, because it is not a configured node", (target) => {
    expect(find(target)).toBe("forbidden");
  });

  it.each([
    "http://user:s3cret@10.0.0.1:9650",
    "http://user@10.0.0.1:9650",
    "http://10.0.0.1:9650/?x=1",
    "http://10.0.0.1:9650/#x",
  ])("%s is malformed", (target) => {
    expect(find(target)).toBe("malformed");
  });

  it("is refused without repeating any part of it", () => {
    const found = probeTarget(configOf([], { nodes: NODES }), "http://user:s3cret@elsewhere");
    expect(found).toEqual({
      refused: "malformed",
      why: "The URL of a target has no user name, password, query or fragment.",
    });
  });
});

describe("a target that the configuration allows by a pattern", () => {
  const numbers: HostPattern = { host: "10.0.0.*", port: 9650 };
  const names: HostPattern = { host: "node-*.example.org", port: 443 };

  it.each([
    ["http://10.0.0.7:9650", "10.0.0.7:9650"],
    ["https://10.0.0.7:9650/", "10.0.0.7:9650"],
    ["https://node-3.example.org", "node-3.example.org"],
    ["https://NODE-3.example.org:443", "node-3.example.org"],
    ["http://0x0a000007:9650", "10.0.0.7:9650"],
  ])("%s is a node with the name %s", (target, name) => {
    expect(find(target, numbers, names)).toBe(name);
  });

  it.each([
    "http://10.0.0.7",
    "http://10.0.0.7:9651",
    "http://10.0.1.7:9650",
    "http://10.0.0.7.evil.example:9650",
    "http://x10.0.0.7:9650",
    "http://node-3.example.org",
    "https://node-3.evil.example.org",
    "https://node-3.example.org.evil.example",
    "https://node-.example.org",
    "https://node-3xexample.org",
    "https://node-3.example.org/ext",
  ])("%s is forbidden", (target) => {
    expect(find(target, numbers, names)).toBe("forbidden");
  });

  it("is polled without credentials, about every subnet without a configured network", () => {
    const subnets = [
      { id: "S1", name: "s1", chains: [] },
      { id: "S2", name: "s2", network: "fuji", chains: [] },
    ];
    const config = configOf([], { nodes: NODES, subnets, probe: { ...defaultConfig().probe, targets: [numbers] } });
    const found = probeTarget(config, "http://10.0.0.7:9650");
    expect("node" in found && found.node).toMatchObject({
      name: "10.0.0.7:9650",
      url: "http://10.0.0.7:9650",
      headers: {},
      subnets: ["S1"],
      labels: {},
    });
  });

  it("may be an IPv6 address", () => {
    expect(find("http://[::1]:9650", { host: "[::1]", port: 9650 })).toBe("[::1]:9650");
    expect(find("http://[::2]:9650", { host: "[::1]", port: 9650 })).toBe("forbidden");
  });
});
