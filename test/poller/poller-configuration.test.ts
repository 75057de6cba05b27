import { describe, expect, it } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { benchOf, configOf, nodeConfig, type Bench } from "../support/engines.ts";

async function started(names: readonly string[], seconds = 5): Promise<Bench> {
  const bench = benchOf(names);
  bench.poller.apply(configOf(names));
  await bench.run(seconds);
  return bench;
}

const of = (series: ReadonlyMap<string, number>, ...words: readonly string[]) =>
  [...series].filter(([name]) => words.every((word) => name.includes(word)));

describe("another configuration", () => {
  it("leaves unchanged nodes alone: no poll, counters kept", async () => {
    const bench = await started(["a", "b"], 60);
    bench.poller.apply(configOf(["a", "b"]));
    const before = await bench.series();
    bench.node("a").asked.length = 0;
    bench.poller.apply({
      ...configOf(["b", "a"]),
      nodes: [nodeConfig("b", { labels: { rack: "7" } }), nodeConfig("a")],
    });
    await bench.run(1);
    expect(bench.node("a").asked.length).toBeLessThan(6); // the regular polls of a second, not a round of twenty
    const after = await bench.series();
    const polls = 'avax_poll_duration_seconds_count{node="a",network="local"}';
    expect(after.get(polls)).toBeGreaterThanOrEqual(before.get(polls) ?? Infinity);
    expect(after.get('avax_node_labels_info{node="b",network="local",rack="7"}')).toBe(1);
  });

  it("removes a node with all its series", async () => {
    const bench = await started(["a", "b"], 30);
    bench.poller.apply(configOf(["b"]));
    await bench.run(2);
    expect(of(await bench.series(), 'node="a"')).toEqual([]);
    expect(of(await bench.series(), 'node="b"')).not.toEqual([]);
    const asked = bench.node("a").asked.length;
    await bench.run(120);
    expect(bench.node("a").asked).toHaveLength(asked);
  });

  it("changes the cadence and the set of endpoints without a restart", async () => {
    const bench = await started(["a"], 60);
    bench.poller.apply(configOf(["a"], { endpoints: { health: { every: 5 }, "info.peers": { enabled: false } } }));
    bench.node("a").asked.length = 0;
    await bench.run(60);
    const count = (name: string) => bench.node("a").asked.filter((each) => each.name === name).length;
    expect(count("GET /ext/health")).toBe(12);
    expect(count("info.peers")).toBe(0);
    expect(of(await bench.series(), "avax_node_peers")).toEqual([]);
    expect(of(await bench.series(), "info.peers")).toEqual([]);
  });

  it("never sends a question twice at once when it is removed and added again while it runs", async () => {
    const bench = await started(["a"], 45);
    const node = bench.node("a");
    node.latency = 4;
    const asked = () => node.asked.filter(({ name }) => name === "info.peers").map(({ at }) => at);
    const before = asked().length;
    while (asked().length === before) await bench.run(1);
    const [first = 0] = asked().slice(before);
    const without = configOf(["a"], { endpoints: { "info.peers": { enabled: false } } });
    for (const config of [without, configOf(["a"]), without, configOf(["a"])]) {
      bench.poller.apply(config);
      await bench.clock.settle();
    }
    await bench.run(10);
    expect(node.overlaps).toBe(0);
    // Sent again as soon as the first request has ended.
    expect(asked().slice(before)).toEqual([first, first + 4]);
    expect(of(await bench.series(), "avax_node_peers")).not.toEqual([]);
    expect(await bench.missed()).toBe(0);
  });

  it("polls a node that joins many others without delay, and spreads polls that are new for all", async () => {
    const names = Array.from({ length: 200 }, (_, index) => `n${index}`);
    const bench = benchOf([...names, "late"]);
    bench.poller.apply(configOf(names));
    await bench.run(10);
    const joined = bench.clock.now();
    bench.poller.apply(configOf([...names, "late"]));
    await bench.run(6);
    /** The time of the first request. */
    const first = (name: string) => bench.node(name).asked.filter((each) => each.name === "info.getNodeVersion")[0]?.at;
    expect((first("late") ?? NaN) - joined).toBeLessThan(0.1);
    const start = Math.min(...names.map((name) => first(name) ?? NaN));
    expect(Math.max(...names.map((name) => first(name) ?? NaN)) - start).toBeGreaterThan(2);
  });
});

describe("another configuration of many nodes", () => {
  const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
  const before = names.slice(0, 30);
  /** Ten nodes are removed, ten have another label, ten are new. */
  const after: Config = {
    ...configOf(names.slice(10)),
    nodes: names.slice(10).map((name, at) => nodeConfig(name, at < 10 ? { labels: { site: "b" } } : {})),
  };
  const labelled = async (bench: Bench) =>
    new Set(
      [...(await bench.series()).keys()].map((name) => /[{,]node="([^"]+)"/.exec(name)?.[1] ?? "").filter(Boolean),
    );

  it("is applied at once, with the result of a fresh start, and kept nodes keep their polls", async () => {
    const bench = benchOf(names);
    bench.poller.apply(configOf(before));
    await bench.run(40);
    expect(bench.poller.status().targets.map(({ name }) => name)).toEqual(before);
    const kept = bench.node("n25").asked.length;

    bench.poller.apply(after);
    await bench.run(60);
    expect(bench.poller.status().targets.map(({ name }) => name)).toEqual(names.slice(10));
    expect(await labelled(bench)).toEqual(new Set(names.slice(10)));
    expect(of(await bench.series(), 'site="b"')).toHaveLength(10);
    expect(bench.node("n25").asked.length - kept).toBeGreaterThan(15);
    expect(await bench.value('avax_poll_duration_seconds_count{node="n25"}')).toBeGreaterThanOrEqual(6);
    expect(bench.counted).toMatchObject({ defects: [], duplicates: 0 });
    expect(await bench.missed()).toBe(0);
    for (const name of names) expect(bench.node(name).overlaps, name).toBe(0);

    // The same series as those of a poller with only this configuration.
    const fresh = benchOf(names);
    fresh.poller.apply(after);
    await fresh.run(60);
    const shape = async ({ series }: Bench) =>
      [...(await series()).keys()].filter((name) => !name.includes("referenceNode")).sort();
    expect(await shape(bench)).toEqual(await shape(fresh));
  });

  it("follows the previous one, and the last one counts", async () => {
    const bench = benchOf(names);
    bench.poller.apply(configOf(before));
    bench.poller.apply(after);
    bench.poller.apply(configOf(["n1", "n39"]));
    await bench.run(20);
    expect(bench.poller.status().targets.map(({ name }) => name)).toEqual(["n1", "n39"]);
    expect(await labelled(bench)).toEqual(new Set(["n1", "n39"]));
    expect(bench.poller.status().networks).toEqual([{ name: "local", referenceNode: "n1", nodes: 2 }]);
  });

  it("is part of the first round, which is not complete before it is applied", async () => {
    const bench = benchOf(names);
    bench.poller.apply(configOf(before));
    let complete = false;
    void bench.poller.firstRound().then(() => (complete = true));
    await bench.clock.settle();
    expect(complete).toBe(false);
    await bench.run(3);
    expect(complete).toBe(true);
    expect(await labelled(bench)).toEqual(new Set(before));
  });
});
