import { describe, expect, it } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import { defaultConfig } from "../../../src/config/default-config.ts";
import { createProber, limitOf, type ProbeQuestion } from "../../../src/poller/probe/prober.ts";
import { configOf, coreCatalogue, nodeConfig } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { fakeConnect, fakeNode } from "../../support/fake-client.ts";

const QUESTION: ProbeQuestion = { target: "a", module: undefined, timeout: undefined };

/** A prober of two fake nodes; `counted` are the events of its probes. */
function proberOf(probe: Partial<Config["probe"]> = {}) {
  const clock = fakeClock();
  const nodes = new Map(["a", "b"].map((name) => [name, fakeNode(name)]));
  let config = configOf([], {
    nodes: [nodeConfig("a"), nodeConfig("b")],
    probe: { ...defaultConfig().probe, ...probe },
  });
  const counted: string[] = [];
  const silent = () => undefined;
  const prober = createProber({
    catalogue: coreCatalogue(),
    clock,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    events: { polled: silent, missed: silent, readFailed: silent, duplicates: silent },
    connect: fakeConnect(nodes, clock),
    config: () => config,
    probes: {
      ended: (module, _seconds, success) => counted.push(`${module} ${success ? "succeeded" : "failed"}`),
      refused: (why) => counted.push(`refused: ${why}`),
    },
  });
  return { prober, clock, nodes, counted, change: (next: Config) => (config = next), config };
}

const outcome = (answer: Awaited<ReturnType<ReturnType<typeof createProber>["ask"]>>) =>
  "refused" in answer ? answer.refused : answer.probed.success;

describe("the prober", () => {
  it("uses the first module unless another one is named", async () => {
    const { prober, clock, nodes, counted } = proberOf({
      modules: { ...defaultConfig().probe.modules, mine: { endpoints: ["info.peers"], network: false } },
    });
    expect(prober.modules()).toEqual(["node", "validator", "evm", "network", "mine"]);
    const first = prober.ask(QUESTION);
    await clock.pass(1);
    const second = prober.ask({ ...QUESTION, target: "b", module: "mine" });
    await clock.pass(1);
    expect([outcome(await first), outcome(await second)]).toEqual([true, true]);
    expect(nodes.get("a")?.asked.map(({ name }) => name)).toContain("GET /ext/health");
    expect(nodes.get("b")?.asked.map(({ name }) => name)).not.toContain("GET /ext/health");
    expect(counted).toEqual(["node succeeded", "mine succeeded"]);
  });

  it("refuses an unknown module and a forbidden target without sending a request", async () => {
    const { prober, counted, nodes } = proberOf();
    expect(await prober.ask({ ...QUESTION, module: "nothing" })).toEqual({
      refused: "module",
      why: "There is no such module. Modules: node, validator, evm, network",
    });
    expect(outcome(await prober.ask({ ...QUESTION, module: "constructor" }))).toBe("module");
    expect(outcome(await prober.ask({ ...QUESTION, target: "http://127.0.0.1:22" }))).toBe("forbidden");
    expect(outcome(await prober.ask({ ...QUESTION, target: "http://u:p@a:9650" }))).toBe("malformed");
    expect(counted).toEqual(["refused: module", "refused: module", "refused: forbidden", "refused: malformed"]);
    expect([...nodes.values()].flatMap(({ asked }) => asked)).toEqual([]);
  });

  it("probes a limited number of nodes at the same time, and another one when one has ended", async () => {
    const { prober, clock, counted } = proberOf({ concurrency: 2 });
    const both = [prober.ask(QUESTION), prober.ask({ ...QUESTION, target: "b" })];
    expect(prober.running()).toBe(2);
    expect(await prober.ask(QUESTION)).toEqual({ refused: "busy", why: "Limit of 2 probes at once reached." });
    await clock.pass(1);
    await Promise.all(both);
    expect(prober.running()).toBe(0);
    const next = prober.ask(QUESTION);
    await clock.pass(1);
    expect(outcome(await next)).toBe(true);
    expect(counted).toEqual(["refused: busy", "node succeeded", "node succeeded", "node succeeded"]);
  });

  it("uses the current configuration", async () => {
    const { prober, change, config } = proberOf();
    change({ ...config, nodes: [nodeConfig("b")] });
    expect(outcome(await prober.ask(QUESTION))).toBe("forbidden");
  });

  it("ends within the timeout of the request", async () => {
    const { prober, clock, nodes, counted } = proberOf();
    Object.assign(nodes.get("a") ?? {}, { hanging: true });
    const asked = prober.ask({ ...QUESTION, timeout: 3 });
    await clock.pass(2.4);
    expect(prober.running()).toBe(1);
    await clock.pass(0.3);
    expect(outcome(await asked)).toBe(false);
    expect(counted).toEqual(["node failed"]);
  });
});

describe("the limit of a probe", () => {
  const limit = (asked: number | undefined) =>
    limitOf({ ...defaultConfig().probe, timeout: 10, timeoutOffset: 0.5 }, asked);

  it("is the configured one when the request has no timeout", () => {
    expect(limit(undefined)).toBe(10);
  });

  it("leaves time for the response, even with a very short timeout", () => {
    expect([limit(10), limit(30), limit(1), limit(0.6), limit(0.1)]).toEqual([9.5, 29.5, 0.5, 0.3, 0.05]);
  });
});
