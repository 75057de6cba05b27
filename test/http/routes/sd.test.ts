import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FleetNode } from "../../../src/http/dependencies.ts";
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
    expect(body).toMatchObject([
      {
        targets: ["exporter.example.org:9750"],
        labels: { __param_target: "validator-1", __param_module: "validator" },
      },
    ]);
    expect((await groups("?for=probe", { host: "[fd00::1]:9750" })).body).toMatchObject([
      { targets: ["[fd00::1]:9750"] },
    ]);
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
