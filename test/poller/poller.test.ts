import { describe, expect, it } from "vitest";
import { benchOf, configOf, type Bench } from "../support/engines.ts";
import { REFUSED, TIMEOUT, validatorOf } from "../support/fake-client.ts";

async function started(names: readonly string[], seconds = 5): Promise<Bench> {
  const bench = benchOf(names);
  bench.poller.apply(configOf(names));
  await bench.run(seconds);
  return bench;
}

const HEALTHY = 'avax_node_healthy{node="a",network="local"}';
const UP = 'avax_node_up{node="a",network="local"}';
const of = (series: ReadonlyMap<string, number>, ...words: readonly string[]) =>
  [...series].filter(([name]) => words.every((word) => name.includes(word)));

describe("the first round", () => {
  it("polls everything once, at once, and exports the answers", async () => {
    const bench = benchOf(["a", "b"]);
    bench.poller.apply(configOf(["a", "b"]));
    let complete = false;
    void bench.poller.firstRound().then(() => (complete = true));
    await bench.run(2);
    expect(complete).toBe(true);
    const series = await bench.series();
    expect(series.get(UP)).toBe(1);
    expect(series.get(HEALTHY)).toBe(1);
    expect(series.get('avax_validators{network="local",subnet="primary"}')).toBe(1);
    expect(bench.poller.status().networks).toEqual([{ name: "local", referenceNode: "a", nodes: 2 }]);
    expect(bench.counted).toMatchObject({ defects: [], duplicates: 0 });
    expect(await bench.missed()).toBe(0);
  });

  it("ends for an exporter without descriptors, which shows nothing of its nodes", async () => {
    const bench = benchOf(["a"]);
    bench.node("a").failing.set("*", { reason: "descriptors", message: "EMFILE" });
    bench.poller.apply(configOf(["a"]));
    await bench.run(20);
    expect(await bench.value('avax_node_up{node="a"}')).toBeUndefined();
    expect(await bench.value('avax_polls_missed_total{node="a",reason="descriptors"}')).toBeGreaterThan(20);
  });

  it.each([0.05, 0.2, 0.9, 3])("ends after what an ID that is known after %d s makes necessary", async (latency) => {
    const bench = benchOf(["a"]);
    const node = bench.node("a");
    node.nodeId = "";
    node.instead.set("info.getNodeID", { nodeID: "NodeID-a" });
    node.latencies.set("info.getNodeID", latency).set("platform.getCurrentValidators", 0.2);
    const config = configOf(["a"]);
    bench.poller.apply({ ...config, watch: { ...config.watch, validators: ["NodeID-other"] } });
    const names = async () => [...(await bench.series()).keys()].filter((name) => /NodeID-a|_node_/.test(name));
    const seen: string[] = [];
    void bench.poller.firstRound().then(async () => void seen.push(...(await names())));
    await bench.run(10, 0.1);
    expect(seen.some((name) => name.startsWith("avax_validator_uptime_ratio"))).toBe(true);
    expect(seen).toEqual(await names());
  });

  it("ends with a node that is down", async () => {
    const bench = benchOf(["a", "b"]);
    bench.node("a").failing.set("*", REFUSED);
    bench.poller.apply(configOf(["a", "b"]));
    let complete = false;
    void bench.poller.firstRound().then(() => (complete = true));
    await bench.run(2);
    expect(complete).toBe(true);
    expect(await bench.value('avax_node_up{node="a"}')).toBe(0);
    expect(await bench.value('avax_node_up{node="b"}')).toBe(1);
    expect(await bench.value(HEALTHY)).toBeUndefined();
  });
});

describe("the cadence", () => {
  it("survives a node that answers slower than the cadence", async () => {
    const bench = await started(["a"]);
    bench.node("a").hanging = true;
    await bench.run(600);
    expect(bench.node("a").overlaps).toBe(0);
    bench.node("a").hanging = false;
    await bench.run(120);
    expect(await bench.value(UP)).toBe(1);
    expect(await bench.value(HEALTHY)).toBe(1);
  });
});

describe("a failing node", () => {
  it("is down at once when the connection is refused, and its series stay for three intervals", async () => {
    const bench = await started(["a"], 60);
    bench.node("a").failing.set("*", REFUSED);
    await bench.run(16);
    expect(await bench.value(UP)).toBe(0);
    expect(await bench.value('avax_endpoint_up{node="a",api_endpoint="health"}')).toBeUndefined();
    expect(await bench.value(HEALTHY)).toBe(1);
    await bench.run(46);
    const series = await bench.series();
    expect(series.get(HEALTHY)).toBeUndefined();
    expect(of(series, "avax_node_health_check")).toEqual([]);
    expect(series.get('avax_node_ready{node="a",network="local"}')).toBe(1); // polled every minute: less than three intervals
    await bench.run(135);
    expect(await bench.value('avax_node_ready{node="a"}')).toBeUndefined();
    expect(await bench.value('avax_node_configured{node="a",node_id="NodeID-a"}')).toBe(1);
  });

  it("is down after half a minute without an answer, and its series expire after the third deadline", async () => {
    const bench = await started(["a"], 60);
    bench.node("a").hanging = true;
    await bench.run(28);
    expect(await bench.value(UP)).toBe(1);
    await bench.run(20);
    expect(await bench.value(UP)).toBe(0);
    await bench.run(25);
    expect(await bench.value(HEALTHY)).toBeUndefined();
  });

  it("is polled at once when it recovers", async () => {
    const bench = await started(["a"], 60);
    bench.node("a").failing.set("*", REFUSED);
    await bench.run(1800);
    expect(of(await bench.series(), 'node="a"', "avax_node_peers")).toEqual([]);
    bench.node("a").failing.clear();
    bench.node("a").asked.length = 0;
    await bench.run(16);
    const series = await bench.series();
    expect(series.get(UP)).toBe(1);
    expect(series.get('avax_node_peers{node="a",network="local"}')).toBe(0);
    expect(series.get('avax_validators{network="local",subnet="primary"}')).toBe(1);
    expect(new Set(bench.node("a").asked.map(({ name }) => name)).size).toBeGreaterThan(12);
    expect(bench.logged).toContain("node is up again");
  });

  it("is logged with the node's own words as soon as it reports itself unhealthy", async () => {
    const bench = benchOf(["a"]);
    bench.poller.apply(configOf(["a"]));
    await bench.run(30);
    const error = "network layer is unhealthy reason: primary network validator has no inbound connections";
    bench.node("a").instead.set("GET /ext/health", { healthy: false, checks: { network: { error } } });
    await bench.run(300);
    expect(bench.details.filter((line) => line.startsWith("node reports itself unhealthy"))).toEqual([
      `node reports itself unhealthy {"node":"a","failing":"network: ${error}"}`,
    ]);
    expect(bench.poller.words("a", "network")).toBe(error);
    expect([bench.poller.words("a", "bls"), bench.poller.words("b", "network")]).toEqual([undefined, undefined]);
  });

  it("a gateway answers 404 for 40 s: nothing counts as missing, and all is back within one interval", async () => {
    const bench = await started(["a"], 120);
    bench.node("a").failing.set("*", { reason: "http_status", message: "HTTP 404", status: 404 });
    await bench.run(40);
    const states = bench.poller.status().targets[0]?.endpoints.map(({ state }) => state) ?? [];
    expect(states.filter((state) => state === "unsupported")).toEqual([]);
    bench.node("a").failing.clear();
    await bench.run(17);
    const endpoints = bench.poller.status().targets[0]?.endpoints ?? [];
    expect(endpoints.filter(({ state }) => state === "failing")).toEqual([]);
    expect((await bench.series()).get(HEALTHY)).toBe(1);
  });

  it("one success ends the back-off of the others, and none is sent more often than by its cadence", async () => {
    const bench = await started(["a"], 60);
    bench.node("a").failing.set("*", TIMEOUT);
    await bench.run(600);
    bench.node("a").failing.clear();
    bench.node("a").failing.set("info.peers", TIMEOUT);
    bench.node("a").asked.length = 0;
    await bench.run(17);
    const endpoints = bench.poller.status().targets[0]?.endpoints ?? [];
    expect(endpoints.filter(({ state }) => state === "failing").map(({ id }) => id)).toEqual(["info.peers"]);
    const peers = bench.node("a").asked.filter(({ name }) => name === "info.peers");
    expect(peers.length).toBeLessThanOrEqual(2);
  });

  it("is polled at once when a chain has finished bootstrapping", async () => {
    const bench = await started(["a"], 60);
    const NOT_READY = { reason: "not_bootstrapped", message: "chain is not done bootstrapping" } as const;
    bench.node("a").instead.set("info.isBootstrapped", { isBootstrapped: false });
    bench.node("a").failing.set("info.upgrades", NOT_READY);
    bench.node("a").failing.set("info.peers", { reason: "http_status", message: "HTTP 404", status: 404 });
    await bench.run(1800);
    expect(of(await bench.series(), 'node="a"', "avax_node_peers")).toEqual([]);
    bench.node("a").failing.clear();
    bench.node("a").instead.clear();
    bench.node("a").asked.length = 0;
    await bench.run(17);
    const asked = bench.node("a").asked.map(({ name }) => name);
    expect(asked).toEqual(expect.arrayContaining(["info.upgrades", "info.peers"]));
    expect((await bench.series()).get('avax_node_peers{node="a",network="local"}')).toBe(0);
  });

  it("is up when one endpoint fails, and only the series of that endpoint expire", async () => {
    const bench = await started(["a"], 60);
    bench.node("a").instead.set("info.peers", { numPeers: "many" });
    await bench.run(200);
    const series = await bench.series();
    expect(series.get(UP)).toBe(1);
    expect(series.get('avax_endpoint_up{node="a",network="local",api_endpoint="info.peers"}')).toBe(0);
    expect(series.get('avax_poll_failures_total{node="a",network="local",reason="schema"}')).toBeGreaterThan(3);
    expect(of(series, "avax_node_peers")).toEqual([]);
    expect(series.get(HEALTHY)).toBe(1);
  });

  it("keeps the good rows of an answer, counts the others, and logs them once while they come", async () => {
    const bench = await started(["a"], 5);
    const rows = 'avax_poll_rows_invalid_total{node="a",network="local",api_endpoint="info.peers"}';
    expect(await bench.value(rows)).toBeUndefined();
    const peer = { nodeID: "NodeID-p", version: 7, lastSent: "2026-08-22T15:23:02Z", lastReceived: "?" };
    bench.node("a").instead.set("info.peers", { numPeers: "1", peers: [peer] });
    await bench.run(200);
    const series = await bench.series();
    expect(series.get(rows)).toBeGreaterThan(5);
    expect(series.get('avax_node_peers_by_version{node="a",network="local",version="unknown"}')).toBe(1);
    expect(series.get('avax_endpoint_up{node="a",network="local",api_endpoint="info.peers"}')).toBe(1);
    expect(bench.logged.filter((line) => line === "rows of an answer have invalid fields")).toHaveLength(1);
  });

  it("is down and stays down when every answer is a 404", async () => {
    const bench = await started(["a"], 60);
    bench.node("a").failing.set("*", { reason: "http_status", message: "HTTP 404", status: 404 });
    await bench.run(60);
    for (let second = 0; second < 1500; second++) {
      await bench.run(1);
      expect(bench.poller.status().targets[0]?.up, `after ${second + 61} s`).toBe(false);
    }
    expect(bench.logged).not.toContain("node is up again");
  });
});

describe("a snapshot", () => {
  it("is replaced as a whole: series without data in the new one are removed", async () => {
    const bench = benchOf(["a"]);
    bench.poller.apply(configOf(["a"], { watch: { ...configOf([]).watch, validators: ["NodeID-w"] } }));
    bench.node("a").validators = [validatorOf("NodeID-a"), validatorOf("NodeID-w", { weight: "5000000000" })];
    await bench.run(5);
    const weight = 'avax_validator_stake_avax{network="local",subnet="primary",node_id="NodeID-w"}';
    const active = 'avax_validator_in_set{network="local",subnet="primary",node_id="NodeID-w"}';
    expect(await bench.value(weight)).toBe(5);
    expect(await bench.value(active)).toBe(1);
    bench.node("a").validators = [validatorOf("NodeID-a")];
    await bench.run(61);
    expect(await bench.value(weight)).toBeUndefined();
    expect(await bench.value(active)).toBe(0);
    expect(of(await bench.series(), "avax_validator_uptime_ratio", "NodeID-w")).toEqual([]);
  });
});

it("sends no request after close", async () => {
  const bench = await started(["a"], 20);
  await bench.poller.close();
  const asked = bench.node("a").asked.length;
  await bench.clock.pass(300);
  expect(bench.node("a").asked).toHaveLength(asked);
  expect(bench.clock.waiting()).toBe(0);
});
