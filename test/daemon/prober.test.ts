import { describe, expect, it } from "vitest";
import type { Config, HostPattern } from "../../src/config/config.ts";
import { defaultConfig } from "../../src/config/default-config.ts";
import { createProber, limitOf, probeTarget, type Prober, type ProbeQuestion } from "../../src/daemon/prober.ts";
import { configOf, coreCatalogue, nodeConfig } from "../support/engines.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { fakeConnect, fakeNode } from "../support/fake-client.ts";

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
    events: { polled: silent, defect: silent, duplicates: silent },
    connect: fakeConnect(nodes, clock),
    config: () => config,
    probes: {
      ended: (module, _seconds, success) => counted.push(`${module} ${success ? "succeeded" : "failed"}`),
      refused: (why) => counted.push(`refused: ${why}`),
    },
  });
  return { prober, clock, nodes, counted, change: (next: Config) => (config = next), config };
}

const outcome = (answer: Awaited<ReturnType<Prober["ask"]>>) =>
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
      why: "Unknown module. Modules: node, validator, evm, network",
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
    expect(await prober.ask({ ...QUESTION, module: "evm" })).toEqual({
      refused: "busy",
      why: "Limit of 2 probes at once reached.",
    });
    await clock.pass(1);
    await Promise.all(both);
    expect(prober.running()).toBe(0);
    const next = prober.ask(QUESTION);
    await clock.pass(1);
    expect(outcome(await next)).toBe(true);
    expect(counted).toEqual(["refused: busy", "node succeeded", "node succeeded", "node succeeded"]);
  });

  it("probes a node once for all who ask meanwhile, but for one who cannot wait as long", async () => {
    const { prober, clock, nodes, counted } = proberOf({ concurrency: 2 });
    const first = prober.ask({ ...QUESTION, timeout: 8 });
    await clock.pass(0.01);
    const others = Array.from({ length: 40 }, () => prober.ask({ ...QUESTION, timeout: 8 }));
    const hasty = prober.ask({ ...QUESTION, timeout: 4 });
    expect(prober.running()).toBe(2);
    await clock.pass(1);
    const answers = await Promise.all([first, ...others, hasty]);
    expect(new Set(answers.map((answer) => "probed" in answer && answer.probed)).size).toBe(2);
    expect(nodes.get("a")?.asked.filter(({ name }) => name === "GET /ext/health")).toHaveLength(2);
    expect(counted).toEqual(["node succeeded", "node succeeded"]);
    expect(prober.running()).toBe(0);
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

const NODES = [
  nodeConfig("validator-1", { url: "http://10.0.0.1:9650", headers: { authorization: "Bearer s3cret" } }),
  nodeConfig("fuji", { url: "https://node.example.org/fuji" }),
  nodeConfig("http://odd.example.org", { url: "http://10.0.0.2:9650" }),
];

function find(target: string, ...targets: readonly HostPattern[]) {
  const found = probeTarget(configOf([], { nodes: NODES, probe: { ...defaultConfig().probe, targets } }), target);
  return "node" in found ? found.node.name : found.refused;
}

describe("a target of a probe", () => {
  it.each([
    ["validator-1", "validator-1"],
    ["http://10.0.0.1:9650", "validator-1"],
    ["http://10.0.0.1:9650/", "validator-1"],
    ["HTTP://10.0.0.1:9650", "validator-1"],
    ["https://node.example.org/fuji/", "fuji"],
    ["https://node.example.org:443/fuji", "fuji"],
    ["http://odd.example.org", "http://odd.example.org"],
  ])("%s is the configured node %s", (target, name) => {
    expect(find(target)).toBe(name);
  });

  it("comes with the credentials of its configuration, by name or by URL", () => {
    for (const target of ["validator-1", "http://10.0.0.1:9650"]) {
      const found = probeTarget(configOf([], { nodes: NODES }), target);
      expect("node" in found && found.node).toBe(NODES[0]);
    }
  });

  it.each([
    "",
    "validator",
    "Validator-1",
    "10.0.0.1:9650",
    "http://10.0.0.1",
    "https://10.0.0.1:9650",
    "http://10.0.0.1:9651",
    "http://10.0.0.1:9650/ext/info",
    "https://node.example.org",
    "https://node.example.org/fuji/../",
    "http://127.0.0.1:22",
    "http://169.254.169.254",
    "file:///etc/passwd",
    "gopher://10.0.0.1:9650",
    "javascript:alert(1)",
    "http://",
    "//10.0.0.1:9650",
    "constructor",
    "__proto__",
  ])("%j is forbidden, because it is not a configured node", (target) => {
    expect(find(target)).toBe("forbidden");
  });

  it.each([
    "http://user:s3cret@10.0.0.1:9650",
    "http://user@10.0.0.1:9650",
    "http://10.0.0.1:9650/?x=1",
    "http://10.0.0.1:9650/#x",
  ])("%s is malformed", (target) => {
    expect(find(target)).toBe("malformed");
  });

  it("is refused without repeating any part of it", () => {
    const found = probeTarget(configOf([], { nodes: NODES }), "http://user:s3cret@elsewhere");
    expect(found).toEqual({
      refused: "malformed",
      why: "The URL of a target must not have a user name, password, query or fragment.",
    });
  });
});

describe("a target that the configuration allows by a pattern", () => {
  const numbers: HostPattern = { host: "10.0.0.*", port: 9650 };
  const names: HostPattern = { host: "node-*.example.org", port: 443 };

  it.each([
    ["http://10.0.0.7:9650", "10.0.0.7:9650"],
    ["https://10.0.0.7:9650/", "10.0.0.7:9650"],
    ["https://node-3.example.org", "node-3.example.org"],
    ["https://NODE-3.example.org:443", "node-3.example.org"],
    ["http://0x0a000007:9650", "10.0.0.7:9650"],
  ])("%s is a node with the name %s", (target, name) => {
    expect(find(target, numbers, names)).toBe(name);
  });

  it.each([
    "http://10.0.0.7",
    "http://10.0.0.7:9651",
    "http://10.0.1.7:9650",
    "http://10.0.0.7.evil.example:9650",
    "http://x10.0.0.7:9650",
    "http://node-3.example.org",
    "https://node-3.evil.example.org",
    "https://node-3.example.org.evil.example",
    "https://node-.example.org",
    "https://node-3xexample.org",
    "https://node-3.example.org/ext",
  ])("%s is forbidden", (target) => {
    expect(find(target, numbers, names)).toBe("forbidden");
  });

  it("is polled without credentials, about every subnet without a configured network", () => {
    const subnets = [
      { id: "S1", name: "s1", chains: [] },
      { id: "S2", name: "s2", network: "fuji", chains: [] },
    ];
    const config = configOf([], { nodes: NODES, subnets, probe: { ...defaultConfig().probe, targets: [numbers] } });
    const found = probeTarget(config, "http://10.0.0.7:9650");
    expect("node" in found && found.node).toMatchObject({
      name: "10.0.0.7:9650",
      url: "http://10.0.0.7:9650",
      headers: {},
      subnets: ["S1"],
      labels: {},
    });
  });

  it("may be an IPv6 address", () => {
    expect(find("http://[::1]:9650", { host: "[::1]", port: 9650 })).toBe("[::1]:9650");
    expect(find("http://[::2]:9650", { host: "[::1]", port: 9650 })).toBe("forbidden");
  });
});
