import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAsOf } from "../../../src/api/is-late.ts";
import { healthMethods, healthResources } from "../../../src/api/node/health.ts";
import { PRIMARY } from "../../../src/api/node/platform.ts";
import { chainHeight, chains } from "../../../src/topics/chains/chains.ts";
import { health, subnetHealth } from "../../../src/topics/node/health.ts";
import { nodeNetwork } from "../../../src/topics/node/node-network.ts";
import { peerCount } from "../../../src/topics/node/peers.ts";
import { anyReport } from "../../support/arbitraries.ts";
import { L1ONE, SUBNETS } from "../../support/local-network.ts";
import { recorded } from "../../support/recordings.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";

const context = contextOf({ subnets: SUBNETS });
const report = (recording: string, name = "health.get") => recorded(recording, name, healthResources.health.result);
const made = (checks: unknown, healthy = true) => healthMethods.health.result.parse({ checks, healthy });

describe("health", () => {
  it("of a check that has not run yet: it fails, without a time and a number of failures", () => {
    const checks = { shuttingDown: { error: "not yet run", timestamp: "0001-01-01T00:00:00Z", duration: 0 } };
    expect(only(readTopic(health, { report: made(checks, false) }, context), "shuttingDown")).toEqual({
      'avax_node_health_check_passing{check="shuttingDown",subnet=""}': 0,
      'avax_node_health_check_recoveries_total{check="shuttingDown",subnet=""}': 0,
    });
  });

  it("counts how often a check failed and passed again, over answers without it; not one of what lasts", () => {
    const fails = { error: "x" };
    const reports = [
      made({ C: {}, router: {} }),
      made({ C: fails, router: {}, diskspace: fails }),
      made({ C: fails, router: {} }),
      made({ router: {} }),
      made({ C: {}, router: {}, diskspace: {} }),
      made({ C: fails, router: {} }),
      made({ C: {}, router: {} }),
      made({ C: {}, router: fails }),
    ];
    const state = reports.reduce<unknown>(
      (before, each) => nextState(health, { report: each }, context, before),
      undefined,
    );
    const last = { report: made({ C: {}, router: fails, bls: {}, diskspace: {} }) };
    expect(only(readTopic(health, last, context, state), "_recoveries_total")).toEqual({
      'avax_node_health_check_recoveries_total{check="C",subnet="primary"}': 2,
      'avax_node_health_check_recoveries_total{check="router",subnet=""}': 0,
    });
  });

  it("recognizes a failing check by an error of any type except null", () => {
    const checks = { a: { error: { message: "old" } }, b: { error: "" }, c: { error: null }, d: {}, e: { error: 0 } };
    expect(Object.values(only(readTopic(health, { report: made(checks) }, context), "_check_passing"))).toEqual([
      0, 0, 1, 1, 0,
    ]);
  });

  it("of a node that is unhealthy and names no failing check: an unnamed one fails", () => {
    const unnamed = 'avax_node_health_check_passing{check="unnamed",subnet=""}';
    const read = (checks: unknown, healthy: boolean) => readTopic(health, { report: made(checks, healthy) }, context);
    expect(read({}, false).get(unnamed)).toBe(0);
    expect(read({ bls: {} }, false).get(unnamed)).toBe(0);
    expect(read({ bls: { error: "x" } }, false).has(unnamed)).toBe(false);
    expect(read({ bls: {} }, true).has(unnamed)).toBe(false);
  });

  it.each([
    ["of the only validator of a network passes its check of the network", ["NodeID-a"], 1],
    ["of one of two validators without peers does not", ["NodeID-a", "NodeID-b"], 0],
    ["of a node beside the only validator does not", ["NodeID-b"], 0],
    ["whose validators are unknown does not", undefined, 0],
  ])("%s", (_case, ids, passes) => {
    const network = { error: "network layer is unhealthy reason: not connected to a minimum of 1 peer(s) only 0" };
    const sets = ids && new Map([[PRIMARY, { validators: ids.map((nodeID) => ({ nodeID })) }]]);
    const data = { report: made({ network }, false), ...(sets && { sets }) };
    const found = only(readTopic(health, data, { ...context, nodeId: "NodeID-a" }), "_check_passing");
    expect(found).toEqual({ 'avax_node_health_check_passing{check="network",subnet=""}': passes });
  });

  it("last ran with the newest of its checks", () => {
    const at = (second: number) => new Date((context.time - second) * 1000).toISOString();
    const checks = { P: { timestamp: at(200) }, C: { timestamp: at(30) }, X: { timestamp: "2099-01-01T00:00:00Z" } };
    const read = readAsOf(context.time, undefined, () => made(checks));
    const run = "avax_node_health_last_run_timestamp_seconds";
    expect(readTopic(health, { report: read }, context).get(run)).toBe(context.time - 30);
    expect(readTopic(health, { report: made({ P: {} }) }, context).has(run)).toBe(false);
  });

  it("exports at most a hundred checks, always the same ones, with any names", () => {
    const names = Array.from({ length: 150 }, (_, index) => `check-${String(index).padStart(3, "0")}`);
    const shuffled = [...names].reverse();
    const samples = readTopic(
      health,
      { report: made(Object.fromEntries(shuffled.map((name) => [name, {}]))) },
      context,
    );
    expect(Object.keys(only(samples, "_check_passing"))).toEqual(
      names.slice(0, 100).map((name) => `avax_node_health_check_passing{check="${name}",subnet=""}`),
    );
    const hostile = made({ 'a"}\n{': {}, constructor: {}, toString: { error: "x" }, "": {} });
    expect(Object.keys(only(readTopic(health, { report: hostile }, context), "_check_passing"))).toHaveLength(4);
  });

  it("of a report without checks is only its result", () => {
    expect(readTopic(health, { report: made(null) }, context)).toEqual(new Map([["avax_node_healthy", 1]]));
  });
});

describe("chains", () => {
  it("that are bootstrapping or failed to start have no height: absent, not 0", () => {
    expect(only(readTopic(chainHeight, { report: report("custom-bootstrapping") }, context), "height")).toEqual({});
    const failed = readTopic(chainHeight, { report: report("local-plugin-failed") }, context);
    expect(only(failed, "perm1")).toEqual({});
    expect(only(readTopic(chains, { report: report("local-plugin-failed") }, context), "perm1")).toEqual({});
    expect(failed.get('avax_chain_height{chain="P"}')).toBe(16);
  });

  it("with messages of another shape lose only the unreadable fields", () => {
    const message = {
      engine: {
        consensus: {
          lastAcceptedHeight: "7",
          processingBlocks: -1,
          longestProcessingBlock: "54m47.702163721s",
          avgAcceptanceTime: 5,
        },
      },
      networking: { percentConnected: "many", disconnectedValidators: null },
    };
    const odd = made({ C: { message }, P: { message: "text" }, X: { message: null } });
    expect(Object.fromEntries(readTopic(chainHeight, { report: odd }, context))).toEqual({
      'avax_chain_height{chain="C"}': 7,
    });
    expect(Object.fromEntries(readTopic(chains, { report: odd }, context))).toEqual({
      'avax_chain_longest_processing_block_seconds{chain="C"}': 3287.702163721,
      'avax_chain_disconnected_validators{chain="C"}': 0,
    });
  });
});

describe("chain-height", () => {
  it("prefers the chains' own methods to the health check, and works without it", () => {
    const report = made({ C: { message: { engine: { consensus: { lastAcceptedHeight: 7 } } } } });
    const height = { height: 19 };
    const heads = new Map([
      ["C", { height: 9 }],
      [L1ONE, { height: 73 }],
    ]);
    expect(Object.fromEntries(readTopic(chainHeight, { report, height, heads }, context))).toEqual({
      'avax_chain_height{chain="C"}': 9,
      'avax_chain_height{chain="P"}': 19,
      'avax_chain_height{chain="l1one"}': 73,
    });
    expect(Object.fromEntries(readTopic(chainHeight, { height }, context))).toEqual({
      'avax_chain_height{chain="P"}': 19,
    });
    expect(readTopic(chainHeight, {}, context)).toEqual(new Map());
  });
});

describe("peer-count", () => {
  const read = (data: object) => Object.fromEntries(readTopic(peerCount, data, context));
  const checked = made({ network: { message: { connectedPeers: 6 } } });

  it("is that of info.peers, else that of the health check, else absent", () => {
    expect(read({ answer: { numPeers: 5 }, report: checked })).toEqual({ avax_node_peers: 5 });
    expect(read({ answer: { numPeers: 0 }, report: checked })).toEqual({ avax_node_peers: 0 });
    expect(read({ report: checked })).toEqual({ avax_node_peers: 6 });
    expect(read({ report: made({}) })).toEqual({});
    expect(read({})).toEqual({});
  });
});

describe("a subnet", () => {
  const S1 = SUBNETS[0]?.id ?? "";
  const read = (checks: unknown) => {
    const reports = new Map([[S1, made(checks)]]);
    const series = readTopic(subnetHealth, { reports }, context);
    return [series.get(`avax_subnet_health_known{subnet="${S1}"}`), series.get(`avax_subnet_healthy{subnet="${S1}"}`)];
  };

  it("is known by a check of its chains, not by one of the whole node that a later release adds", () => {
    expect(read({ network: {}, validation: {}, sentinel: { message: "fine" } })).toEqual([0, undefined]);
    expect(read({ P: { message: { engine: {} } }, network: {} })).toEqual([0, undefined]);
    expect(read({ network: {}, [SUBNETS[0]?.chains[0]?.id ?? ""]: {} })).toEqual([1, 1]);
    expect(read({ network: {}, alias: { message: { engine: {} } } })).toEqual([1, 1]);
  });

  it.each([[S1], [SUBNETS[0]?.chains[0]?.id], ["perm1"]])("is bootstrapping while the check lists %s", (listed) => {
    const series = readTopic(nodeNetwork, { report: made({ bootstrapped: { message: [listed, "cId"] } }) }, context);
    expect(series.get(`avax_subnet_bootstrapping{subnet="${S1}"}`)).toBe(1);
    expect(series.get("avax_node_bootstrapping_subnets")).toBe(2);
  });

  it("counts once for several of its chains", () => {
    const ids = new Map(["X", "C"].map((alias) => [alias, { blockchainID: `${alias}id` }]));
    const report = made({ bootstrapped: { message: ["Xid", "Cid"] } });
    expect(readTopic(nodeNetwork, { report, ids }, context).get("avax_node_bootstrapping_subnets")).toBe(1);
  });
});

describe("node-network", () => {
  it.each<[string, unknown, string | undefined]>([
    [
      "a wrong key",
      {
        error: "node has BLS key 0x1, but is registered to the validator set with 0x2",
        timestamp: "2026-08-22T15:22:45Z",
      },
      "mismatch",
    ],
    ["another failure", { error: "closed", timestamp: "2026-08-22T15:22:45Z" }, "failing"],
    ["no key", { message: "validator doesn't have a BLS key", timestamp: "2026-08-22T15:22:45Z" }, "no_key"],
    ["not yet run", { error: "not yet run", timestamp: "0001-01-01T00:00:00Z" }, undefined],
    ["words of a later release", { message: "fine", timestamp: "2026-08-22T15:22:45Z" }, undefined],
  ])("has the BLS state of %s", (_name, bls, expected) => {
    const states = only(readTopic(nodeNetwork, { report: made({ bls }) }, context), "bls");
    expect(states).toEqual(expected === undefined ? {} : { [`avax_node_bls_state{state="${expected}"}`]: 1 });
  });
});

describe("any report", () => {
  it.each([health, chains, nodeNetwork])("is read by $id without a defect", (topic) => {
    fc.assert(
      fc.property(anyReport, (raw) => {
        const report = healthMethods.health.result.parse(raw);
        for (const [name, value] of readTopic(topic, { report }, contextOf())) {
          if (name.includes("_healthy") || name.includes("_passing") || name.includes("bls_state"))
            expect([0, 1]).toContain(value);
        }
      }),
    );
  });
});
