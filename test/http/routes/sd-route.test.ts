import { describe, expect, it } from "vitest";
import type { FleetNode } from "../../../src/http/http-dependencies.ts";
import { nativeTargets } from "../../../src/http/routes/sd-route.ts";
import { serving } from "../serving.ts";

const { get } = serving();
const node = (over: Partial<FleetNode> = {}): FleetNode => ({
  name: "validator-1",
  url: "http://10.0.0.1:9650",
  network: undefined,
  reportedNetwork: undefined,
  labels: {},
  credentials: [],
  ...over,
});
const NODE = node({ network: "fuji", labels: { site: "fra1" }, credentials: ["basic_auth"] });

async function groups(query: string, headers = {}, fleet: readonly FleetNode[] = [NODE]) {
  const { status, headers: got, text } = await get(`/sd${query}`, { fleet: () => fleet }, {}, { headers });
  const body: unknown = status === 200 ? JSON.parse(text) : text;
  return { status, type: got["content-type"], body };
}

describe("the nodes' own metrics", () => {
  it("have the labels of the exporter's series", () => {
    expect(nativeTargets([{ ...NODE, credentials: ["bearer_token", "client_certificate"] }])).toEqual([
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
          __meta_avax_credentials: "bearer_token,client_certificate",
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
    const kept = (labels: Readonly<Record<string, string | undefined>> = {}) =>
      Object.fromEntries(Object.entries(labels).filter(([name]) => !name.startsWith("__meta_")));
    expect(kept(after?.labels)).toEqual(kept(before?.labels));
    expect(after?.labels["__meta_avax_network"]).toBe("mainnet");
    expect(before?.labels["__meta_avax_network"]).toBeUndefined();
  });
});

describe("/sd", () => {
  it("lists the nodes' own metrics in Prometheus's format", async () => {
    const { status, type, body } = await groups("");
    expect([status, type]).toEqual([200, "application/json"]);
    expect(body).toMatchObject([{ targets: ["10.0.0.1:9650"], labels: { node: "validator-1", site: "fra1" } }]);
    expect(await groups("?for=node")).toEqual({ status, type, body });
  });

  it("is an empty list without nodes", async () => {
    for (const query of ["", "?for=probe"])
      expect(await groups(query, {}, [])).toEqual({ status: 200, type: "application/json", body: [] });
  });

  it("lists probes with the address of the request", async () => {
    const { body } = await groups("?for=probe&module=validator", { host: "exporter.example.org:9750" });
    expect(body).toEqual([
      {
        targets: ["exporter.example.org:9750"],
        labels: {
          instance: "validator-1",
          __metrics_path__: "/probe",
          __param_target: "validator-1",
          __param_module: "validator",
          __meta_avax_node: "validator-1",
          __meta_avax_url: "http://10.0.0.1:9650",
          __meta_avax_network: "fuji",
          __meta_avax_credentials: "basic_auth",
        },
      },
    ]);
    const plain = (await groups("?for=probe", { host: "[fd00::1]:9750" })).body;
    expect(plain).toMatchObject([{ targets: ["[fd00::1]:9750"] }]);
    expect(plain).not.toHaveProperty("0.labels.__param_module");
  });

  it.each([
    ["?for=everything", {}, "for must be node (the nodes' own metrics) or probe.\n"],
    ["?for=probe&module=none", {}, "Unknown module. Modules: node, validator\n"],
    ["?for=probe", { host: "a b" }, "The Host header, the address of the probes, is missing or malformed.\n"],
    ["?for=probe", { host: "a/b" }, "The Host header, the address of the probes, is missing or malformed.\n"],
  ])("rejects %s with %j and a reason", async (query, headers, words) => {
    expect(await groups(query, headers)).toEqual({ status: 400, type: "text/plain; charset=utf-8", body: words });
  });
});
