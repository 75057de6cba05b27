import { afterEach, describe, expect, it } from "vitest";
import type { Client } from "../../src/api/transport/client.ts";
import type { Api } from "../../src/api/endpoint.ts";
import { healthMethods, healthResources } from "../../src/api/node/health.ts";
import { infoMethods } from "../../src/api/node/info.ts";
import { platformMethods } from "../../src/api/node/platform.ts";
import type { Reason } from "../../src/api/reasons.ts";
import { SCENARIO_NAMES, type ScenarioName } from "../../simulator/world/scenarios.ts";
import { simulate, type SimulatedDialect, type Simulation } from "../../simulator/simulate.ts";
import { clientOf, failureOf } from "../support/clients.ts";

/** Requests of the exporter to the simulated network: every release, both dialects, every scenario. */

let simulation: Simulation | undefined;
afterEach(async () => {
  await simulation?.close();
  simulation = undefined;
});

async function start(options: Parameters<typeof simulate>[0]): Promise<Simulation> {
  simulation = await simulate(options);
  return simulation;
}

/** Every request of the Health, Info and P-Chain files, with its name. */
function requests({ subnets }: Simulation): ReadonlyArray<readonly [string, (api: Api) => Promise<unknown>]> {
  const [first, second] = subnets;
  const { isBootstrapped, getBlockchainID, ...plain } = infoMethods;
  const chain = first?.chainId ?? "";
  return [
    ...Object.entries(healthResources).map(
      ([name, resource]) => [`GET ${name}`, (api: Api) => api.get(resource)] as const,
    ),
    ["GET tag", (api) => api.get(healthResources.health, [["tag", first?.id ?? ""]])],
    ...Object.values(healthMethods).map((method) => [method.name, (api: Api) => api.call(method, {})] as const),
    ...Object.values(plain).map(
      (method) => [method.name, (api: Api) => api.call(method as typeof infoMethods.getNodeID, {})] as const,
    ),
    ["info.isBootstrapped P", (api) => api.call(isBootstrapped, { chain: "P" })],
    ["info.isBootstrapped perm1", (api) => api.call(isBootstrapped, { chain })],
    ["info.getBlockchainID", (api) => api.call(getBlockchainID, { alias: "C" })],
    ["platform.getHeight", (api) => api.call(platformMethods.getHeight, {})],
    ["primary", (api) => api.call(platformMethods.getCurrentValidators, {})],
    ["permissioned", (api) => api.call(platformMethods.getCurrentValidators, { subnetID: first?.id ?? "" })],
    ["L1", (api) => api.call(platformMethods.getCurrentValidators, { subnetID: second?.id ?? "" })],
  ];
}

/** Reasons of the failed requests, by name. */
async function failures(client: Client, of: Simulation, timeout = 10): Promise<Readonly<Record<string, Reason>>> {
  const rows = await Promise.all(
    requests(of).map(async ([name, ask]) => {
      const failed = await client.within(timeout, ask).then(
        () => undefined,
        (error: unknown) => failureOf(Promise.reject(error as Error)),
      );
      return [name, failed?.reason] as const;
    }),
  );
  return Object.fromEntries(rows.filter((row): row is [string, Reason] => row[1] !== undefined));
}

/** Scenarios in which some requests fail. */
const NOT_BOOTSTRAPPED: Readonly<Record<string, Reason>> = {
  "info.uptime": "rpc_error",
  "info.isBootstrapped perm1": "rpc_error",
  "platform.getHeight": "not_bootstrapped",
  primary: "not_bootstrapped",
  permissioned: "not_bootstrapped",
  L1: "not_bootstrapped",
};

const PARTLY: Readonly<Record<string, Readonly<Record<string, Reason>>>> = {
  bootstrapping: NOT_BOOTSTRAPPED,
  "wrong-bls-key": NOT_BOOTSTRAPPED,
  "no-health": Object.fromEntries(
    [...["GET health", "GET alias", "GET readiness", "GET liveness", "GET tag"], ...Object.values(healthMethods)].map(
      (each) => [typeof each === "string" ? each : each.name, "http_status"],
    ),
  ),
  "not-a-validator": { "info.uptime": "rpc_error" },
  "validator-gone": { "info.uptime": "rpc_error" },
  "plugin-failed": { "info.isBootstrapped perm1": "rpc_error" },
  "sets-refused": { primary: "rpc_error", permissioned: "rpc_error", L1: "rpc_error" },
};

/** Scenarios in which all requests fail, with the reason. */
const FAULTS: Readonly<Record<string, Reason>> = {
  "offline-validator": "refused",
  slow: "timeout",
  hanging: "timeout",
  truncated: "reset",
  garbage: "not_json",
  "http-403": "unauthorized",
  "http-404": "http_status",
  "http-429": "rate_limited",
  "http-503": "http_status",
  huge: "too_large",
  reset: "reset",
  redirect: "redirect",
};

const clientFor = (of: Simulation) => clientOf(of.nodes[0]?.url ?? "", { connections: 8 });
const TOTAL = 26;

/** The specification has no such method. */
const missing = (dialect: SimulatedDialect): Readonly<Record<string, Reason>> =>
  dialect === "spec" ? { "platform.getHeight": "unsupported" } : {};

describe.each<SimulatedDialect>(["avalanchego", "spec"])("dialect %s", (dialect) => {
  it.each(["1.11.13", "1.12.2", "1.13.5", "1.14.2", "1.15.0"])("release %s answers everything", async (version) => {
    const network = await start({ dialect, version, nodes: 2 });
    expect(requests(network)).toHaveLength(TOTAL);
    expect(await failures(clientFor(network), network)).toEqual(missing(dialect));
  });

  it.each(SCENARIO_NAMES.filter((name) => !(name in FAULTS) && !(name in PARTLY)))(
    "%s is answered",
    async (scenario) => {
      const network = await start({ dialect, nodes: 2, scenario: [{ node: 1, name: scenario }] });
      expect(await failures(clientFor(network), network)).toEqual(missing(dialect));
    },
  );

  it.each(Object.entries(PARTLY))("%s fails for some requests", async (scenario, expected) => {
    const network = await start({ dialect, nodes: 2, scenario: [{ node: 1, name: scenario as ScenarioName }] });
    expect(await failures(clientFor(network), network)).toEqual({ ...missing(dialect), ...expected });
  });

  it.each(Object.entries(FAULTS))("%s fails with %s", async (scenario, reason) => {
    const network = await start({
      dialect,
      nodes: 2,
      scenario: [{ node: 1, name: scenario as ScenarioName }],
      slowSeconds: 30,
    });
    const timeout = reason === "timeout" ? 0.3 : 10;
    const got = await failures(clientFor(network), network, timeout);
    expect(got).toEqual(Object.fromEntries(requests(network).map(([name]) => [name, reason])));
  });
});

it("another node than the expected one is detected", async () => {
  const network = await start({ nodes: 2, scenario: [{ node: 1, name: "wrong-node-id" }] });
  const [node] = network.nodes;
  const client = clientOf(node?.url ?? "", { expectNodeId: node?.nodeId ?? "" });
  const failure = await failureOf(client.within(10, (api) => api.get(healthResources.health)));
  expect(failure.reason).toBe("wrong_node");
});
