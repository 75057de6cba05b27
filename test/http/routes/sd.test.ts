import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FleetNode } from "../../../src/http/dependencies.ts";
import { nativeTargets } from "../../../src/http/routes/sd.ts";
import { startServer, type Running } from "../../../src/http/server/server.ts";
import { ask } from "../ask.ts";
import { dependencies } from "../fixtures.ts";

const NODE: FleetNode = {
  name: "validator-1",
  url: "http://10.0.0.1:9650",
  network: "fuji",
  reportedNetwork: "fuji",
  labels: { site: "fra1" },
  credentials: ["basic_auth"],
};
let running: Running;
let fleet: readonly FleetNode[] = [NODE];

beforeAll(async () => {
  running = await startServer({ listen: "127.0.0.1:0" }, dependencies({ fleet: () => fleet }).deps);
});
afterAll(() => running.close());

const groups = async (query: string, headers = {}) => {
  const { status, headers: got, body } = await ask(`${running.address}/sd${query}`, { headers });
  return {
    status,
    type: got["content-type"],
    body: status === 200 ? (JSON.parse(body.toString()) as unknown) : body.toString(),
  };
};

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
    const kept = (labels: Readonly<Record<string, string | undefined>> = {}) =>
      Object.fromEntries(Object.entries(labels).filter(([name]) => !name.startsWith("__meta_")));
    expect(kept(after?.labels)).toEqual(kept(before?.labels));
    expect(after?.labels["__meta_avax_network"]).toBe("mainnet");
    expect(before?.labels["__meta_avax_network"]).toBeUndefined();
  });

  it("have a label with the kinds of credentials, without any credential", () => {
    const [group] = nativeTargets([node({ credentials: ["bearer_token", "client_certificate"] })]);
    expect(group?.labels["__meta_avax_credentials"]).toBe("bearer_token,client_certificate");
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
    fleet = [];
    expect(await groups("")).toEqual({ status: 200, type: "application/json", body: [] });
    expect(await groups("?for=probe")).toEqual({ status: 200, type: "application/json", body: [] });
    fleet = [NODE];
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
