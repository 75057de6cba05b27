import { afterEach, describe, expect, it } from "vitest";
import { benchOf, configOf, type Bench } from "../../support/engines.ts";
import { REFUSED, TIMEOUT } from "../../support/fake-client.ts";

let bench: Bench;

afterEach(() => bench.poller.close());

/** Polls a node until its chains have been reported as bootstrapped for a while. */
async function settled(): Promise<void> {
  bench = benchOf(["a"]);
  bench.poller.apply(configOf(["a"]));
  await bench.run(120);
  asked();
}

/** Seconds since `since` of the requests `info.isBootstrapped` about P, and forgets all requests. */
function asked(since = bench.clock.now()): readonly number[] {
  const { asked: all } = bench.node("a");
  const times = all.filter(({ name, params }) => name === "info.isBootstrapped" && params.includes('"P"'));
  all.length = 0;
  return times.map(({ at }) => at - since);
}

const bootstrapped = () => bench.value('avax_chain_bootstrapped{node="a",chain="P"}');

describe("a settled answer", () => {
  it("is requested every minute instead of every fifteen seconds", async () => {
    await settled();
    await bench.run(600);
    expect(asked()).toHaveLength(10);
    expect(await bench.value('avax_endpoint_interval_seconds{node="a",api_endpoint="info.isBootstrapped"}')).toBe(60);
    expect(await bootstrapped()).toBe(1);
  });

  it("is requested every fifteen seconds while it is not settled", async () => {
    bench = benchOf(["a"]);
    bench.node("a").bootstrapped = false;
    bench.poller.apply(configOf(["a"]));
    await bench.run(120);
    asked();
    await bench.run(60);
    expect(asked()).toHaveLength(4);
    expect(await bootstrapped()).toBe(0);
    bench.node("a").bootstrapped = true;
    await bench.run(16);
    expect(await bootstrapped()).toBe(1);
    asked();
    await bench.run(120);
    expect(asked()).toHaveLength(2);
  });

  it("is requested at once when another poll fails, and the node has restarted", async () => {
    await settled();
    bench.node("a").bootstrapped = false;
    bench.node("a").failing.set("platform.getHeight", { reason: "not_bootstrapped", message: "x" });
    await bench.run(16);
    expect(await bootstrapped()).toBe(0);
    asked();
    await bench.run(60);
    expect(asked()).toHaveLength(4);
  });

  it("is requested at once when the node returns", async () => {
    await settled();
    bench.node("a").failing.set("*", REFUSED);
    await bench.run(30);
    bench.node("a").failing.clear();
    bench.node("a").bootstrapped = false;
    asked();
    await bench.run(16);
    expect(asked().length).toBeGreaterThan(0);
    expect(await bootstrapped()).toBe(0);
  });

  it("is requested every fifteen seconds while the node is unhealthy", async () => {
    await settled();
    bench.node("a").healthy = false;
    await bench.run(16);
    asked();
    await bench.run(60);
    expect(asked()).toHaveLength(4);
    bench.node("a").healthy = true;
    await bench.run(60);
    asked();
    await bench.run(120);
    expect(asked()).toHaveLength(2);
  });

  it("is not requested more often by a server that limits requests, or by an endpoint that goes on failing", async () => {
    await settled();
    bench.node("a").failing.set("platform.getHeight", { reason: "rate_limited", message: "x" });
    await bench.run(120);
    expect(asked()).toHaveLength(2);
    bench.node("a").failing.set("platform.getHeight", { reason: "rpc_error", message: "x" });
    await bench.run(240);
    expect(asked()).toHaveLength(4);
  });

  it("expires three of its own intervals after its polls begin to fail", async () => {
    await settled();
    bench.node("a").failing.set("info.isBootstrapped", TIMEOUT);
    const start = bench.clock.now();
    let gone: number | undefined;
    for (let second = 0; second < 180 && gone === undefined; second++) {
      await bench.run(1);
      if ((await bootstrapped()) === undefined) gone = bench.clock.now() - start;
    }
    // At most one minute until the first failure, then three intervals of fifteen seconds.
    expect(gone).toBeGreaterThan(20);
    expect(gone).toBeLessThan(60 + 45 + 11);
  });

  it("is requested again when another node answers", async () => {
    await settled();
    bench.node("a").nodeId = "NodeID-b";
    bench.node("a").bootstrapped = false;
    await bench.run(16);
    expect(await bootstrapped()).toBe(0);
  });
});
