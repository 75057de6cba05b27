import { afterEach, describe, expect, it } from "vitest";
import type { Failure } from "../../src/api/reasons.ts";
import { benchOf, configOf, type Bench } from "../support/engines.ts";
import { REFUSED, TIMEOUT } from "../support/fake-client.ts";

/** An answer that the exporter was too busy to read. */
const OURS: Failure = { reason: "overloaded", message: "the exporter was too busy" };

let bench: Bench;
let utilization = 0;

/** A poller of three nodes whose first two minutes are over. */
async function started(): Promise<void> {
  utilization = 0.1;
  bench = benchOf(["a", "b", "c"], { utilization: () => utilization });
  bench.poller.apply(configOf(["a", "b", "c"]));
  await bench.run(210);
}

afterEach(() => bench.poller.close());

const all = (failure: Failure | undefined) => {
  for (const node of bench.nodes.values()) {
    if (failure === undefined) node.failing.clear();
    else node.failing.set("*", failure);
  }
};
const named = async (family: string) =>
  [...(await bench.series())].filter(([key]) => key.startsWith(`${family}{`)).map(([, value]) => value);
const interval = () => bench.value('avax_endpoint_interval_seconds{node="a",api_endpoint="health"}');

describe("an overloaded exporter", () => {
  it("calls no node down, and counts its own missed polls", async () => {
    await started();
    utilization = 1;
    all(OURS);
    for (let minute = 0; minute < 4; minute++) {
      await bench.run(60);
      expect(await named("avax_node_up")).toEqual([1, 1, 1]);
      expect(new Set(await named("avax_endpoint_up"))).toEqual(new Set([1]));
    }
    expect((await named("avax_poll_failures_total")).reduce((sum, each) => sum + each, 0)).toBe(0);
    expect(await bench.value('avax_polls_missed_total{node="a",network="local",reason="overloaded"}')).toBeGreaterThan(
      15,
    );
    expect(bench.logged.filter((line) => line.includes("down"))).toEqual([]);
  });

  it("exports no answer that is too old, and does not know whether a node is up after five minutes", async () => {
    await started();
    utilization = 1;
    all(OURS);
    // Three stretched intervals, and at most five minutes more than three configured ones.
    await bench.run(45 + 300 + 15);
    expect(await named("avax_node_healthy")).toEqual([]);
    await bench.run(300);
    expect(await named("avax_node_up")).toEqual([]);
    utilization = 0.1;
    all(undefined);
    await bench.run(240);
    expect(await named("avax_node_up")).toEqual([1, 1, 1]);
    expect(await named("avax_node_healthy")).toEqual([1, 1, 1]);
  });

  it("stretches the intervals of all nodes alike, and polls none of them out of turn", async () => {
    await started();
    utilization = 1;
    await bench.run(120);
    expect(bench.poller.stretch()).toBe(8);
    expect(await interval()).toBe(120);
    for (const node of bench.nodes.values()) node.asked.length = 0;
    await bench.run(1200);
    // Polls every fifteen seconds come every two minutes; those every five minutes stay.
    const asked = (name: string) =>
      [...bench.nodes.values()].map((node) => node.asked.filter((each) => each.name === name).length);
    expect(asked("GET /ext/health")).toEqual([10, 10, 10]);
    expect(asked("info.getNodeVersion")).toEqual([4, 4, 4]);
    expect(await named("avax_node_healthy")).toEqual([1, 1, 1]);
    expect(await named("avax_node_up")).toEqual([1, 1, 1]);
  });

  it("never leaves a question out for longer than a stretched interval and a quarter, while the factor rises and falls", async () => {
    await started();
    for (const node of bench.nodes.values()) node.asked.length = 0;
    utilization = 1;
    await bench.run(300);
    utilization = 0.05;
    await bench.run(600);
    expect(bench.poller.stretch()).toBe(1);
    for (const node of bench.nodes.values()) {
      const times = node.asked.filter(({ name }) => name === "GET /ext/health").map(({ at }) => at);
      const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
      expect(Math.max(...gaps)).toBeLessThanOrEqual(1.25 * 120 + 1);
      expect(gaps.at(-1)).toBeCloseTo(15, 0);
    }
    expect(await interval()).toBe(15);
  });

  it("still reports a node that refuses connections, and one that hangs", async () => {
    await started();
    utilization = 1;
    await bench.run(120);
    bench.node("a").failing.set("*", REFUSED);
    bench.node("b").failing.set("*", TIMEOUT);
    await bench.run(30);
    expect(await bench.value('avax_node_up{node="a"}')).toBe(0);
    // Few polls were sent meanwhile: half a minute without an answer is not enough.
    expect(await bench.value('avax_node_up{node="b"}')).toBe(1);
    await bench.run(360);
    expect(await bench.value('avax_node_up{node="b"}')).toBe(0);
    expect(await bench.value('avax_node_up{node="c"}')).toBe(1);
  });

  it("does not stretch the intervals of a calm process", async () => {
    await started();
    await bench.run(600);
    expect(bench.poller.stretch()).toBe(1);
    expect(await interval()).toBe(15);
  });
});
