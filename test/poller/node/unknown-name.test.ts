import { describe, expect, it } from "vitest";
import { benchOf, configOf } from "../../support/engines.ts";
import { REFUSED } from "../../support/fake-client.ts";

const UNKNOWN = 'avax_node_unknown_names{node="a"}';

async function started(...names: readonly string[]) {
  const bench = benchOf(names);
  bench.poller.apply(configOf(names));
  await bench.run(5);
  return bench;
}

const uptime = (more: object) => ({ rewardingStakePercentage: "100", weightedAveragePercentage: "99", ...more });

describe("the new names of a node", () => {
  it("are counted, and 0 without any", async () => {
    const bench = await started("a", "b");
    bench.node("b").instead.set("info.uptime", uptime({ vouchers: 1, tally: { of: 1 } }));
    expect(await bench.value(UNKNOWN)).toBe(0);
    expect(bench.poller.unknown()).toEqual([]);
    await bench.run(3_660);
    expect(await bench.value('avax_node_unknown_names{node="b"}')).toBe(2);
    expect(bench.poller.unknown()).toEqual([
      { kind: "field", name: "info.uptime tally", nodes: ["b"] },
      { kind: "field", name: "info.uptime vouchers", nodes: ["b"] },
    ]);
  });

  it("are unknown until an answer was looked at", async () => {
    const bench = benchOf(["a"]);
    bench.node("a").failing.set("*", REFUSED);
    bench.poller.apply(configOf(["a"]));
    await bench.run(5);
    expect(await bench.value('avax_node_up{node="a"}')).toBe(0);
    expect(await bench.value(UNKNOWN)).toBeUndefined();
  });

  it("are looked for once an hour, and at once when the node was down", async () => {
    const bench = await started("a");
    bench.node("a").instead.set("info.uptime", uptime({ vouchers: 1 }));
    await bench.run(1_800);
    expect(await bench.value(UNKNOWN)).toBe(0);
    bench.node("a").failing.set("*", REFUSED);
    await bench.run(30);
    bench.node("a").failing.clear();
    await bench.run(180);
    expect(await bench.value(UNKNOWN)).toBe(1);
    bench.node("a").instead.clear();
    await bench.run(3_400);
    expect(await bench.value(UNKNOWN)).toBe(1);
    await bench.run(300);
    expect(await bench.value(UNKNOWN)).toBe(0);
  });

  it("are gone three hours after the last look", async () => {
    const bench = await started("a");
    bench.node("a").failing.set("*", REFUSED);
    await bench.run(10_700, 10);
    expect(await bench.value(UNKNOWN)).toBe(0);
    await bench.run(200, 10);
    expect(await bench.value(UNKNOWN)).toBeUndefined();
  });

  it("are those of the node that answers now", async () => {
    const bench = benchOf(["a"]);
    bench.node("a").instead.set("info.uptime", uptime({ vouchers: 1 }));
    bench.poller.apply(configOf(["a"]));
    await bench.run(5);
    expect(await bench.value(UNKNOWN)).toBe(1);
    Object.assign(bench.node("a"), { nodeId: "NodeID-other" }).instead.clear();
    await bench.run(120);
    expect(await bench.value(UNKNOWN)).toBe(0);
  });

  it.each([
    ["avalanchego/1.15.0", 0],
    ["avalanchego/1.15.1", 1],
    ["avalanchego/1.14.99", 0],
    ["other/9.0.0", 0],
  ])("has the release %s among them: %d", async (version, count) => {
    const bench = benchOf(["a"]);
    bench.node("a").instead.set("info.getNodeVersion", { version, vmVersions: { mine: "v1" } });
    bench.poller.apply(configOf(["a"]));
    await bench.run(5);
    expect(await bench.value(UNKNOWN)).toBe(count);
    expect(bench.poller.unknown()).toEqual(count === 0 ? [] : [{ kind: "release", name: version, nodes: ["a"] }]);
  });

  it("has an endpoint that no recorded node refuses", async () => {
    const bench = benchOf(["a"]);
    bench.node("a").failing.set("info.getVMs", { reason: "unsupported", message: "can't find method" });
    bench.poller.apply(configOf(["a"]));
    await bench.run(30);
    expect(bench.poller.unknown()).toEqual([{ kind: "refused", name: "info.getVMs", nodes: ["a"] }]);
  });

  it("has no check of a chain under the alias of its operator", async () => {
    const bench = benchOf(["a"]);
    const check = { timestamp: "2026-11-21T12:00:00Z", duration: 1, message: { engine: { vm: { own: 1 } } } };
    const checks = { "my-l1": check, gossip: { ...check, message: "well" } };
    bench.node("a").instead.set("GET /ext/health", { healthy: true, checks });
    bench.poller.apply(configOf(["a"]));
    await bench.run(5);
    expect(bench.poller.unknown()).toEqual([{ kind: "check", name: "gossip", nodes: ["a"] }]);
  });

  it("are at most 100 of a node that makes them up", async () => {
    const bench = benchOf(["a"]);
    const flood = (of: string) => Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`${of}${i}`, i]));
    for (const method of ["info.uptime", "info.getNodeIP", "info.getVMs", "info.getNetworkID"])
      bench.node("a").instead.set(method, flood(method));
    bench.poller.apply(configOf(["a"]));
    await bench.run(5);
    expect(await bench.value(UNKNOWN)).toBe(100);
    expect(JSON.stringify(bench.poller.unknown()).length).toBeLessThan(20_000);
  });
});
