import { describe, expect, it } from "vitest";
import { nativeTargets, probeTargets } from "../../../src/http/routes/sd.ts";
import type { FleetNode } from "../../../src/http/dependencies.ts";

const node = (over: Partial<FleetNode> = {}): FleetNode => ({
  name: "validator-1",
  url: "http://10.0.0.1:9650",
  network: undefined,
  reportedNetwork: undefined,
  labels: {},
  credentials: [],
  ...over,
});

describe("the nodes' own metrics", () => {
  it("have the labels of the exporter's series", () => {
    expect(nativeTargets([node({ network: "fuji", labels: { site: "fra1" } })])).toEqual([
      {
        targets: ["10.0.0.1:9650"],
        labels: {
          site: "fra1",
          node: "validator-1",
          network: "fuji",
          __scheme__: "http",
          __metrics_path__: "/ext/metrics",
          __meta_avax_node: "validator-1",
          __meta_avax_url: "http://10.0.0.1:9650",
          __meta_avax_network: "fuji",
          __meta_avax_credentials: "none",
        },
      },
    ]);
  });

  it.each([
    ["https://node.example.org/fuji", "node.example.org:443", "https", "/fuji/ext/metrics"],
    ["http://node.example.org", "node.example.org:80", "http", "/ext/metrics"],
    ["http://[::1]:9650", "[::1]:9650", "http", "/ext/metrics"],
  ])("of %s are at %s", (url, target, scheme, path) => {
    const [group] = nativeTargets([node({ url })]);
    expect(group).toMatchObject({ targets: [target], labels: { __scheme__: scheme, __metrics_path__: path } });
  });

  it("keep their labels when the reported network changes; it is only a meta label", () => {
    const [before] = nativeTargets([node()]);
    const [after] = nativeTargets([node({ reportedNetwork: "mainnet" })]);
    const kept = (labels: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(Object.entries(labels).filter(([name]) => !name.startsWith("__meta_")));
    expect(kept(after?.labels)).toEqual(kept(before?.labels));
    expect(after?.labels["__meta_avax_network"]).toBe("mainnet");
    expect(before?.labels).not.toHaveProperty("__meta_avax_network");
  });

  it("have a label with the kinds of credentials, without any credential", () => {
    const [group] = nativeTargets([node({ credentials: ["bearer_token", "client_certificate"] })]);
    expect(group?.labels["__meta_avax_credentials"]).toBe("bearer_token,client_certificate");
  });
});

describe("targets of /probe", () => {
  it("have this exporter's address, once for each node", () => {
    expect(probeTargets([node(), node({ name: "b", network: "fuji" })], "exporter:9750", "validator")).toEqual([
      {
        targets: ["exporter:9750"],
        labels: {
          instance: "validator-1",
          __metrics_path__: "/probe",
          __param_target: "validator-1",
          __param_module: "validator",
          __meta_avax_node: "validator-1",
          __meta_avax_url: "http://10.0.0.1:9650",
          __meta_avax_credentials: "none",
        },
      },
      {
        targets: ["exporter:9750"],
        labels: {
          instance: "b",
          __metrics_path__: "/probe",
          __param_target: "b",
          __param_module: "validator",
          __meta_avax_node: "b",
          __meta_avax_url: "http://10.0.0.1:9650",
          __meta_avax_network: "fuji",
          __meta_avax_credentials: "none",
        },
      },
    ]);
  });

  it("have no module unless one is requested", () => {
    expect(probeTargets([node()], "e:1", undefined)[0]?.labels).not.toHaveProperty("__param_module");
  });
});
