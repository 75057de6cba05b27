import { expect, it } from "vitest";
import { fleetNodes } from "../../src/daemon/fleet-nodes.ts";
import type { NodeConfig } from "../../src/config/config.ts";
import type { Status, TargetStatus } from "../../src/poller/poll/status.ts";
import { configOf, nodeConfig } from "../support/engines.ts";

const target = (name: string, network: string | undefined): TargetStatus => ({
  name,
  url: "",
  network,
  nodeId: undefined,
  up: undefined,
  endpoints: [],
});
const STATUS: Status = { now: 0, startedAt: 0, networks: [], targets: [target("a", "mainnet"), target("b", "fuji")] };

it("lists every configured node, polled here or not, with its configured and its reported network", () => {
  const nodes = [nodeConfig("a", { labels: { site: "fra1" } }), nodeConfig("b", { network: "fuji" }), nodeConfig("c")];
  expect(fleetNodes(configOf([], { nodes }), STATUS)).toEqual([
    {
      name: "a",
      url: "http://a:9650",
      network: undefined,
      reportedNetwork: "mainnet",
      labels: { site: "fra1" },
      credentials: [],
    },
    { name: "b", url: "http://b:9650", network: "fuji", reportedNetwork: "fuji", labels: {}, credentials: [] },
    { name: "c", url: "http://c:9650", network: undefined, reportedNetwork: undefined, labels: {}, credentials: [] },
  ]);
});

it.each([
  [{ headers: { authorization: "Basic s3cret" } }, ["basic_auth"]],
  [{ headers: { authorization: "Bearer s3cret" } }, ["bearer_token"]],
  [{ headers: { Authorization: "ApiKey s3cret" } }, ["headers"]],
  [{ headers: { "X-Api-Key": "s3cret" } }, ["headers"]],
  [{ headers: { authorization: "Bearer s3cret", "X-Api-Key": "s3cret" } }, ["bearer_token", "headers"]],
  [{ tls: { cert: "s3cret", key: "s3cret" } }, ["client_certificate"]],
  [{ tls: { ca: "public" } }, []],
] satisfies ReadonlyArray<readonly [Partial<NodeConfig>, readonly string[]]>)(
  "lists only the kind of credentials of %j",
  (more, credentials) => {
    const shown = fleetNodes(configOf([], { nodes: [nodeConfig("a", more)] }), STATUS);
    expect(shown[0]?.credentials).toEqual(credentials);
    expect(JSON.stringify(shown)).not.toContain("s3cret");
  },
);
