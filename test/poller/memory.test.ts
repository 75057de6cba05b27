import { describe, expect, it } from "vitest";
import type { Config, NodeConfig } from "../../src/config/config.ts";
import { readState, stateText } from "../../src/daemon/storage/read-state.ts";
import type { Memory } from "../../src/poller/poll/memory.ts";
import { makeNodeId } from "../../simulator/encoding/ids.ts";
import { benchOf, configOf, nodeConfig, type Bench } from "../support/engines.ts";
import { REFUSED, validatorOf } from "../support/fake-client.ts";

const NAMES = ["a", "b", "c"];
const START = 1_800_000_000;
const of = (series: ReadonlyMap<string, number>, ...words: readonly string[]) =>
  Object.fromEntries([...series].filter(([name]) => words.every((word) => name.includes(word))));
const configured = (series: ReadonlyMap<string, number>) => Object.keys(of(series, "avax_node_configured"));
const down = (bench: Bench, name: string) => bench.node(name).failing.set("*", REFUSED);

function makeSet(bench: Bench): void {
  for (const node of bench.nodes.values())
    node.validators = NAMES.map((name) => validatorOf(`NodeID-${name}`, { connected: name !== "b" }));
}

async function started(config: Config = configOf(NAMES)): Promise<Bench> {
  const bench = benchOf(NAMES);
  makeSet(bench);
  bench.poller.apply(config);
  await bench.run(70);
  return bench;
}

/** The memory after a write and a read of the file, which has full IDs in place of short ones. */
function throughFile(memory: Memory, now: number): Memory {
  const full = new Map([...NAMES, "other", "third"].map((name) => [`NodeID-${name}`, makeNodeId(name)]));
  const text = [...full].reduce((found, [short, id]) => found.replaceAll(`"${short}"`, `"${id}"`), stateText(memory));
  const read = readState(text, now);
  if ("unusable" in read) throw new Error(read.unusable);
  const back = [...full].reduce((found, [short, id]) => found.replaceAll(id, short), JSON.stringify(read.content));
  return JSON.parse(back) as Memory;
}

/** A later process with the same nodes. */
async function restarted(
  bench: Bench,
  {
    config = configOf(NAMES),
    stopped = 60,
    remembering = true,
    before = undefined as ((bench: Bench) => void) | undefined,
  } = {},
): Promise<Bench> {
  const memory = bench.poller.memory();
  await bench.poller.close();
  const start = bench.clock.now() + stopped;
  const next = benchOf(NAMES, {
    start,
    nodes: bench.nodes,
    ...(remembering ? { memory: throughFile(memory, start) } : {}),
  });
  before?.(next);
  next.poller.apply(config);
  return next;
}

describe("a node that is down at the start", () => {
  const WATCHED = {
    'avax_validator_in_set{network="local",subnet="primary",node_id="NodeID-b",name="b",node="b"}': 1,
    'avax_validator_connected{node="a",network="local",subnet="primary",node_id="NodeID-b",name="b"}': 0,
    'avax_validator_connected{node="c",network="local",subnet="primary",node_id="NodeID-b",name="b"}': 0,
    'avax_validator_info{network="local",node_id="NodeID-b",name="b",node="b"}': 1,
  };

  it("is nobody's validator without a configured ID and without a memory, and the status says so", async () => {
    const bench = benchOf(NAMES);
    makeSet(bench);
    down(bench, "b");
    bench.poller.apply(configOf(NAMES));
    await bench.run(70);
    const series = await bench.series();
    expect(of(series, "avax_validator_in_set", "NodeID-b")).toEqual({});
    expect(configured(series)).toContain('avax_node_configured{node="b"}');
    const [a, b] = bench.poller.status().targets;
    expect([a?.validatorUnknown, b?.validatorUnknown, b?.nodeId]).toEqual([undefined, true, undefined]);
  });

  it.each([
    ["without a network", {}, ""],
    ["with a network", { network: "local" }, ',network="local"'],
  ])("is watched by its configured ID, %s", async (_which, more, network) => {
    const bench = benchOf(NAMES);
    makeSet(bench);
    down(bench, "b");
    const nodes = NAMES.map((name) => nodeConfig(name, name === "b" ? { nodeId: "NodeID-b", ...more } : {}));
    bench.poller.apply(configOf([], { nodes }));
    await bench.run(70);
    const series = await bench.series();
    expect(Object.fromEntries(series)).toMatchObject(WATCHED);
    expect(configured(series)).toEqual([
      'avax_node_configured{node="a",network="local",node_id="NodeID-a"}',
      `avax_node_configured{node="b"${network},node_id="NodeID-b"}`,
      'avax_node_configured{node="c",network="local",node_id="NodeID-c"}',
    ]);
    expect(of(series, "avax_node_id_matches")).toEqual({});
  });

  it("is watched by the ID that an earlier process learned, and has the label of its network at once", async () => {
    const next = await restarted(await started(), { before: (bench) => down(bench, "b") });
    await next.clock.settle();
    expect(configured(await next.series())).toEqual(
      NAMES.map((name) => `avax_node_configured{node="${name}",network="local",node_id="NodeID-${name}"}`),
    );
    await next.run(70);
    const series = await next.series();
    expect(Object.fromEntries(series)).toMatchObject(WATCHED);
    expect(series.get('avax_node_up{node="b",network="local"}')).toBe(0);
    expect(next.poller.status().targets[1]).toMatchObject({ nodeId: "NodeID-b", network: "local", up: false });
  });

  it("is in the same outage as before the restart, while nothing is known of it and after", async () => {
    const bench = await started();
    down(bench, "b");
    await bench.run(70);
    const outage = (series: ReadonlyMap<string, number>) =>
      of(series, "avax_node_outage{", 'node="b"', 'outage="unseen"');
    const reach = ({ poller }: Bench) => {
      const { outages, total } = poller.memory().nodes.find(({ name }) => name === "b") ?? {};
      return { outages, total };
    };
    const before = [outage(await bench.series()), reach(bench)];
    expect(before).toEqual([
      { 'avax_node_outage{node="b",node_id="NodeID-b",outage="unseen",network="local",name="b"}': 1 },
      { outages: [{ from: expect.closeTo(START + 75, -2) as number }], total: 1 },
    ]);
    const next = await restarted(bench, { stopped: 300 });
    await next.clock.settle();
    expect([outage(await next.series()), reach(next)]).toEqual(before);
    await next.run(70);
    expect([outage(await next.series()), reach(next)]).toEqual(before);
  });

  it("and never answered an exporter is in the same outage, over any number of restarts", async () => {
    let bench = benchOf(NAMES);
    makeSet(bench);
    down(bench, "b");
    bench.poller.apply(configOf(NAMES));
    await bench.run(70);
    const known = async () => ({
      unseen: of(await bench.series(), "avax_node_outage{", 'node="b"', 'outage="unseen"'),
      node: bench.poller.memory().nodes.find(({ name }) => name === "b"),
    });
    const before = await known();
    expect(before).toMatchObject({
      unseen: { 'avax_node_outage{node="b",outage="unseen"}': 1 },
      node: { outages: [{ from: expect.closeTo(START, -2) as number }], total: 1 },
    });
    for (const stopped of [300, 10 * 86_400]) {
      bench = await restarted(bench, { stopped });
      expect((await known()).node).toEqual(before.node);
      await bench.run(70);
      expect(await known()).toEqual(before);
    }
  });

  it("has answered again where it did so while no exporter ran", async () => {
    const bench = await started();
    down(bench, "b");
    await bench.run(70);
    bench.node("b").failing.clear();
    const next = await restarted(bench, { stopped: 300 });
    await next.run(70);
    const { outages, total } = next.poller.memory().nodes.find(({ name }) => name === "b") ?? {};
    expect([outages?.length, total, (outages?.[0]?.to ?? 0) >= START + 440]).toEqual([1, 1, true]);
  });

  it("is remembered for 30 days without an answer, over any number of restarts", async () => {
    let bench = await restarted(await started(), { before: (each) => down(each, "b"), stopped: 10 * 86_400 });
    await bench.run(70);
    expect(bench.poller.memory().nodes.map(({ name }) => name)).toEqual(NAMES);
    bench = await restarted(bench, { stopped: 15 * 86_400 });
    await bench.run(70);
    expect(bench.poller.memory().nodes.map(({ name }) => name)).toEqual(NAMES);
    expect(throughFile(bench.poller.memory(), START + 31 * 86_400).nodes.map(({ name }) => name)).toEqual(["a", "c"]);
  });
});

describe("a validator that left", () => {
  const LEFT = "avax_validator_left_early";
  const leave = (bench: Bench, name: string) => {
    for (const node of bench.nodes.values())
      node.validators = NAMES.filter((each) => each !== name).map((each) => validatorOf(`NodeID-${each}`));
  };

  it("is known after a restart, where it left while nothing polled it", async () => {
    const bench = await started();
    expect(of(await bench.series(), LEFT)).toEqual({});
    const next = await restarted(bench, {
      before: (each) => {
        down(each, "b");
        leave(each, "b");
      },
    });
    await next.run(10);
    const series = await next.series();
    expect(of(series, LEFT)).toEqual({
      [`${LEFT}{network="local",subnet="primary",node_id="NodeID-b",name="b",node="b"}`]: 1,
    });
    expect(of(series, "avax_validator_in_set", "NodeID-b")).toEqual({
      'avax_validator_in_set{network="local",subnet="primary",node_id="NodeID-b",name="b",node="b"}': 0,
    });
    const [at] = Object.values(of(series, "avax_validator_left_timestamp_seconds"));
    expect(at).toBeGreaterThan(START + 130);
    // The next restart repeats the time.
    const third = await restarted(next);
    await third.run(10);
    expect(Object.values(of(await third.series(), "avax_validator_left_timestamp_seconds"))).toEqual([at]);
  });

  it("is known after a reload that changes settings of every node", async () => {
    const bench = await started();
    leave(bench, "b");
    await bench.run(70);
    const before = of(await bench.series(), "avax_validator_left_");
    expect(Object.values(before)).toEqual([expect.closeTo(START + 100, -2), 1]);
    bench.poller.apply(configOf([], { nodes: NAMES.map((name) => nodeConfig(name, { connections: 3 })) }));
    await bench.run(10);
    expect(of(await bench.series(), "avax_validator_left_")).toEqual(before);
  });
});

describe("a reload", () => {
  const reloaded = async (bench: Bench, b: Partial<NodeConfig>) => {
    bench.poller.apply(configOf([], { nodes: [nodeConfig("a"), nodeConfig("b", b), nodeConfig("c")] }));
    await bench.run(20);
    return bench.series();
  };
  const B = 'avax_node_configured{node="b",network="local",node_id="NodeID-b"}';

  it("keeps ID and network of a node that is down, while its name and URL stay", async () => {
    const bench = await started();
    down(bench, "b");
    expect(configured(await reloaded(bench, { connections: 3 }))).toContain(B);
    const series = await reloaded(bench, { connections: 4 });
    expect(configured(series)).toContain(B);
    expect(of(series, "avax_validator_in_set", "NodeID-b")).not.toEqual({});
    expect(configured(await reloaded(bench, { url: "http://b:9660" }))).toContain('avax_node_configured{node="b"}');
  });

  it("keeps the count of changed IDs, and counts the next change", async () => {
    const bench = await started();
    const changes = 'avax_node_id_changes_total{node="b",network="local"}';
    bench.node("b").nodeId = "NodeID-other";
    await bench.run(20);
    expect((await bench.series()).get(changes)).toBe(1);
    bench.node("b").nodeId = "NodeID-third";
    expect((await reloaded(bench, { connections: 3 })).get(changes)).toBe(2);
    expect((await reloaded(bench, { url: "http://b:9660" })).get(changes)).toBe(0);
  });

  it("forgets a node that is no longer configured", async () => {
    const bench = await started();
    bench.poller.apply(configOf(["a", "c"]));
    await bench.run(5);
    const memory = bench.poller.memory();
    expect(memory.nodes.map(({ name }) => name)).toEqual(["a", "c"]);
    expect([...new Set(memory.states.map((each) => each.of))].sort()).toEqual([
      ...["every node", "network local", "node a", "node c"],
    ]);
  });
});

describe("another node after a restart", () => {
  it("is a replacement, as without the restart", async () => {
    const bench = await started();
    const next = await restarted(bench, { before: (each) => void (each.node("b").nodeId = "NodeID-other") });
    await next.run(20);
    const series = await next.series();
    expect(series.get('avax_node_id_changes_total{node="b",network="local"}')).toBe(1);
    expect(series.get('avax_node_id_changes_total{node="a",network="local"}')).toBe(0);
    expect(next.logged).toContain("a different node answers at this address");
    expect(configured(series)).toContain('avax_node_configured{node="b",network="local",node_id="NodeID-other"}');
    const without = await restarted(next, { remembering: false });
    await without.run(20);
    expect((await without.series()).get('avax_node_id_changes_total{node="b",network="local"}')).toBe(0);
  });
});

describe("the memory", () => {
  it("is the same while nothing changes, for an hour", async () => {
    const bench = await started();
    const before = stateText(bench.poller.memory());
    await bench.run(1200);
    expect(stateText(bench.poller.memory())).toBe(before);
  });

  it("is not lost when the process ends before the configuration is applied", async () => {
    const memory = (await started()).poller.memory();
    expect(benchOf(NAMES, { memory }).poller.memory()).toEqual(memory);
  });

  it("survives a clock that is set back", async () => {
    const bench = await started();
    down(bench, "b");
    bench.clock.set(-7200);
    await bench.run(20);
    expect(bench.logged).toContain("the clock was set back: polling everything again");
    const series = await bench.series();
    expect(configured(series)).toContain('avax_node_configured{node="b",network="local",node_id="NodeID-b"}');
    expect(of(series, "avax_validator_in_set", "NodeID-b")).not.toEqual({});
  });

  it("stays in use over a small step back of the clock, and a large one forward", async () => {
    const bench = await started();
    for (const step of [-10, 7200]) {
      bench.clock.set(step);
      await bench.run(2);
    }
    expect(bench.logged.filter((line) => line.startsWith("the clock"))).toEqual([]);
  });

  it("has no URL: a path can contain a key", async () => {
    const bench = await started(configOf([], { nodes: [nodeConfig("a", { url: "http://a:9650/secret-key" })] }));
    expect(bench.poller.memory().nodes).toHaveLength(1);
    expect(stateText(bench.poller.memory())).not.toMatch(/secret|http|9650/);
  });

  it("that a topic cannot use is ignored, with a line in the log", async () => {
    const { nodes, states } = (await started()).poller.memory();
    const memory = { nodes, states: states.map((each) => ({ ...each, state: "of another form" })) };
    const bench = benchOf(NAMES, { memory });
    makeSet(bench);
    bench.poller.apply(configOf(NAMES));
    await bench.run(70);
    expect(bench.logged).toContain("a remembered state is unusable and ignored");
    expect(await bench.value('avax_node_id_changes_total{node="a"}')).toBe(0);
    expect(bench.counted.defects).toEqual([]);
  });
});

describe("whether the configured node answers", () => {
  const matches = async (bench: Bench) => of(await bench.series(), "avax_node_id_matches");
  const MATCHES = 'avax_node_id_matches{node="a",network="local"}';

  it("is 1, 0 while another node answers, and absent when nothing answers", async () => {
    const bench = benchOf(["a"]);
    bench.poller.apply(configOf([], { nodes: [nodeConfig("a", { nodeId: "NodeID-a" })] }));
    expect(await matches(bench)).toEqual({});
    await bench.run(20);
    expect(await matches(bench)).toEqual({ [MATCHES]: 1 });
    bench.node("a").nodeId = "NodeID-other";
    await bench.run(20);
    expect(await matches(bench)).toEqual({ [MATCHES]: 0 });
    await bench.run(3600);
    expect(await matches(bench)).toEqual({ [MATCHES]: 0 });
    expect(configured(await bench.series())).toEqual([
      'avax_node_configured{node="a",network="local",node_id="NodeID-a"}',
    ]);
    down(bench, "a");
    await bench.run(120);
    expect(await matches(bench)).toEqual({ [MATCHES]: 0 });
    await bench.run(90);
    expect(await matches(bench)).toEqual({});
    bench.node("a").failing.clear();
    bench.node("a").nodeId = "NodeID-a";
    await bench.run(20);
    expect(await matches(bench)).toEqual({ [MATCHES]: 1 });
  });

  it("is absent without a configured ID", async () => {
    expect(await matches(await started())).toEqual({});
  });
});
