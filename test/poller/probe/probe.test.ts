import { describe, expect, it } from "vitest";
import type { Config, ProbeModule } from "../../../src/config/config.ts";
import { defaultConfig } from "../../../src/config/default-config.ts";
import { PROBE_MODULES } from "../../../src/config/schema/probe-section.ts";
import { catalogueOf } from "../../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import { probe, type Probed, type ProbeOptions } from "../../../src/poller/probe/probe.ts";
import { configOf, coreCatalogue, nodeConfig } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { fakeConnect, fakeNode, REFUSED, validatorOf, type FakeNode } from "../../support/fake-client.ts";

const NODE = nodeConfig("a", { network: "local" });
const module = (...endpoints: readonly string[]): ProbeModule => ({ endpoints, network: false });
const builtIn = (name: string): ProbeModule => PROBE_MODULES[name] ?? module();

type ProbeCase = {
  readonly config?: Config;
  readonly limit?: number;
  readonly module?: ProbeModule;
  readonly log?: ProbeOptions["log"];
};

/** Probes a fake node until the probe ends; `series` is its exposition. */
async function probeOf(
  node: FakeNode,
  { config = configOf([], { nodes: [NODE] }), limit = 9, ...rest }: ProbeCase = {},
) {
  const clock = fakeClock();
  const logged: string[] = [];
  const note = (_data: object, message: string) => void logged.push(message);
  let ended = false;
  const done = probe({
    config,
    node: config.nodes[0] ?? NODE,
    module: rest.module ?? builtIn("node"),
    limit,
    catalogue: coreCatalogue(),
    clock,
    log: rest.log ?? { debug: () => undefined, info: note, warn: note, error: note },
    events: {
      polled: () => undefined,
      defect: note.bind(undefined, {}, "defect"),
      duplicates: note.bind(undefined, {}, "duplicate"),
    },
    connect: fakeConnect(new Map([["a", node]]), clock),
  }).finally(() => (ended = true));
  while (!ended) await clock.pass(0.1);
  const probed = await done;
  return { probed, logged, series: seriesOf(probed), waiting: clock.waiting() };
}

function seriesOf({ exposition }: Probed): ReadonlyMap<string, number> {
  const body = exposition.scrape({ format: "text", gzip: false });
  const lines = body.toString().split("\n");
  return new Map(
    lines
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
}

const names = (series: ReadonlyMap<string, number>) => new Set([...series.keys()].map((key) => key.replace(/{.*/, "")));

describe("a probe", () => {
  it("of a standby with the ID of its main node succeeds, and that of a stranger does not", async () => {
    const nodes = [nodeConfig("a", { network: "local", nodeId: "NodeID-a" }), nodeConfig("b", { nodeId: "NodeID-b" })];
    const config = configOf([], { nodes });
    const standby = await probeOf(fakeNode("a", { nodeId: "NodeID-b" }), { config });
    expect(standby.probed).toMatchObject({ success: true, failures: [] });
    const stranger = await probeOf(fakeNode("a", { nodeId: "NodeID-c" }), { config });
    expect(new Set(stranger.probed.failures.map(({ reason }) => reason))).toEqual(new Set(["wrong_node"]));
  });

  it("exports the current answers of the node", async () => {
    const { probed, series, logged } = await probeOf(fakeNode("a", { height: 123 }));
    expect({ success: probed.success, failures: probed.failures }).toEqual({ success: true, failures: [] });
    expect(series.get('avax_node_up{node="a",network="local"}')).toBe(1);
    expect(series.get('avax_chain_height{node="a",network="local",chain="P"}')).toBe(123);
    expect(series.get('avax_endpoint_up{node="a",network="local",api_endpoint="info.peers"}')).toBe(1);
    expect(probed.seconds).toBeLessThan(0.5);
    expect(logged).toEqual([]);
  });

  it("sends each question of the module once, and no other", async () => {
    const node = fakeNode("a");
    await probeOf(node, { module: module("health", "info.peers") });
    const asked = node.asked.map(({ name, params }) => `${name} ${params}`);
    expect(new Set(asked).size).toBe(asked.length);
    expect(new Set(node.asked.map(({ name }) => name))).toEqual(
      new Set([
        ...["GET /ext/health", "info.peers", "info.isBootstrapped"],
        ...["info.getNodeID", "info.getNodeVersion", "info.getNetworkID", "info.getNetworkName"],
      ]),
    );
  });

  it("leaves neither a timer nor state of the last probe behind", async () => {
    const node = fakeNode("a", { height: 7 });
    expect((await probeOf(node)).waiting).toBe(0);
    node.instead.set("platform.getHeight", {});
    const { series } = await probeOf(node);
    expect(series.get('avax_endpoint_up{node="a",network="local",api_endpoint="platform.getHeight"}')).toBe(0);
    // It is the height of the node's health check.
    expect(series.get('avax_chain_height{node="a",network="local",chain="P"}')).toBe(7);
  });

  it("exports no counter and nothing that needs a second poll or another node", async () => {
    const { series } = await probeOf(fakeNode("a"), { module: builtIn("validator") });
    expect(
      [...names(series)].filter((name) => /_total$|lag|interval|disagreement|views|height_changed/.test(name)),
    ).toEqual([]);
    expect(names(series)).toContain("avax_validator_stake_end_timestamp_seconds");
  });

  it("does not poll endpoints that the configuration disables", async () => {
    const node = fakeNode("a");
    const config = configOf([], { nodes: [NODE], endpoints: { "info.peers": { enabled: false } } });
    await probeOf(node, { config });
    expect(node.asked.map(({ name }) => name)).not.toContain("info.peers");
  });
});

describe("a probe that fails", () => {
  it("reports that a node is down", async () => {
    const node = fakeNode("a");
    node.failing.set("*", REFUSED);
    const { probed, series } = await probeOf(node, { module: module("health") });
    expect(probed.success).toBe(false);
    expect(series.get('avax_node_up{node="a",network="local"}')).toBe(0);
    expect(probed.failures).toContainEqual({ endpoint: "health", reason: "refused", polls: 1 });
    expect(probed.failures).toContainEqual({ endpoint: "info.isBootstrapped", reason: "refused", polls: 3 });
  });

  it("reports which question failed and why, and exports the rest", async () => {
    const node = fakeNode("a");
    node.failing.set("info.peers", { reason: "rpc_error", message: "no" });
    const { probed, series } = await probeOf(node);
    expect(probed).toMatchObject({
      success: false,
      failures: [{ endpoint: "info.peers", reason: "rpc_error", polls: 1 }],
    });
    expect(series.get('avax_node_up{node="a",network="local"}')).toBe(1);
    expect(series.get('avax_node_healthy{node="a",network="local"}')).toBe(1);
    expect([...names(series)].filter((name) => name.startsWith("avax_node_peers"))).toEqual([]);
  });

  it("ends at its limit, and hanging polls fail with a timeout", async () => {
    const { probed, series } = await probeOf(fakeNode("a", { hanging: true }), { limit: 3 });
    expect(probed.seconds).toBeGreaterThan(2.9);
    expect(probed.seconds).toBeLessThan(3.3);
    expect(probed.failures).not.toEqual([]);
    expect(new Set(probed.failures.map(({ reason }) => reason))).toEqual(new Set(["timeout"]));
    expect(series.get('avax_node_up{node="a",network="local"}')).toBe(0);
    expect([...series.keys()].filter((name) => name.startsWith("avax_endpoint_up"))).toEqual([]);
  });

  it("counts a question that was too late to be sent", async () => {
    // The validators are polled once the identity of the node is known.
    const { probed } = await probeOf(fakeNode("a", { latency: 2 }), { limit: 3, module: builtIn("validator") });
    expect(probed.success).toBe(false);
    expect(probed.seconds).toBeLessThan(3.3);
    expect(probed.failures).toContainEqual({ endpoint: "platform.getCurrentValidators", reason: "timeout", polls: 1 });
  });

  it("does not fail on an optional endpoint that is missing", async () => {
    const node = fakeNode("a");
    node.failing.set("info.getVMs", { reason: "unsupported", message: "no such method" });
    const { probed, series } = await probeOf(node);
    expect(probed.success).toBe(true);
    expect(series.get('avax_endpoint_unsupported{node="a",network="local",api_endpoint="info.getVMs"}')).toBe(1);
  });

  it("is incomplete when the node cannot be a reference node yet", async () => {
    const { probed, series } = await probeOf(fakeNode("a", { bootstrapped: false }), { module: builtIn("validator") });
    expect(probed).toMatchObject({
      success: false,
      failures: [{ endpoint: "platform.getCurrentValidators", reason: "not_bootstrapped", polls: 1 }],
    });
    expect(series.get('avax_chain_bootstrapped{node="a",network="local",chain="P"}')).toBe(0);
  });

  it("reports the wrong node", async () => {
    const config = configOf([], { nodes: [{ ...NODE, nodeId: "NodeID-x" }] });
    const { probed } = await probeOf(fakeNode("a"), { config });
    expect(new Set(probed.failures.map(({ reason }) => reason))).toEqual(new Set(["wrong_node"]));
  });
});

describe("the validators of a probe", () => {
  const validators = [validatorOf("NodeID-a"), validatorOf("NodeID-w"), validatorOf("NodeID-other")];
  const config = configOf([], {
    nodes: [NODE, nodeConfig("b", { network: "local" })],
    watch: { ...defaultConfig().watch, validators: ["NodeID-w"] },
  });
  const weights = (series: ReadonlyMap<string, number>) =>
    [...series.keys()].flatMap((key) => /^avax_validator_stake_avax.*node_id="([^"]+)"/.exec(key)?.[1] ?? []);

  it("are the node's own, with its observation of the watched ones", async () => {
    const { probed, series } = await probeOf(fakeNode("a", { validators }), { config, module: builtIn("validator") });
    expect(probed.success).toBe(true);
    expect(weights(series)).toEqual(["NodeID-a"]);
    expect(
      series.get('avax_validator_uptime_ratio{node="a",network="local",subnet="primary",node_id="NodeID-w"}'),
    ).toBe(0.995);
    expect(names(series)).not.toContain("avax_validators");
  });

  it("are the configured ones and the set with the module network, without series of the node", async () => {
    const { probed, series } = await probeOf(fakeNode("a", { validators }), { config, module: builtIn("network") });
    expect(probed.success).toBe(true);
    expect(weights(series)).toEqual(["NodeID-w"]);
    expect(series.get('avax_validators{network="local",subnet="primary"}')).toBe(3);
    expect([...series.keys()].filter((key) => key.includes('node="a"'))).toEqual([
      'avax_network_reference_node{network="local",node="a"}',
    ]);
  });
});

it("the built-in modules name endpoints that exist and can be probed", () => {
  const { endpoints } = catalogueOf(TOPICS);
  for (const { endpoints: wanted } of Object.values(PROBE_MODULES)) {
    const scopes = wanted.map((id) => endpoints.find((each) => each.id === id)?.scope);
    expect(scopes).not.toContain(undefined);
    expect(scopes).not.toContain("hosted");
    expect(new Set(wanted).size).toBe(wanted.length);
  }
});
