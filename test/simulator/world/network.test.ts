import { expect, test } from "vitest";
import { call, get, health, result } from "../ask.ts";
import { run } from "../running.ts";

const questions: ReadonlyArray<readonly [string, unknown?]> = [
  ["info.peers"],
  ["info.uptime"],
  ["info.acps"],
  ["info.getNodeID"],
  ["health.health"],
  ["platform.getCurrentValidators"],
  ["platform.getHeight"],
  ["platform.getBlockByHeight", { height: "345602", encoding: "json" }],
];

test("the same seed, clock and changes give the same answers, independent of earlier requests", async () => {
  const [first, second] = [await run({ seed: 7, speed: 10 }), await run({ seed: 7, speed: 10 })];
  for (const { simulation, pass, url } of [first, second]) {
    pass(33);
    // Only one gets requests here: its caches must not change later answers.
    if (url(1) === first.url(1)) await Promise.all(questions.map(([method, params]) => call(url(1), method, params)));
    simulation.set(3, "few-peers");
    pass(61);
  }
  for (const [method, params] of questions) {
    expect((await call(first.url(2), method, params)).body).toBe((await call(second.url(2), method, params)).body);
  }
  const other = await run({ seed: 8 });
  expect(other.nodeId(1)).not.toBe(first.nodeId(1));
});

test("heights advance with simulated time", async () => {
  const { simulation, url, pass } = await run({ speed: 60 });
  const before = simulation.state().heights;
  pass(60);
  const after = simulation.state().heights;
  expect(after).toEqual({
    P: before.P + 360,
    X: before.X + 1,
    C: before.C + 1800,
    perm1: before.perm1 + 720,
    l1one: before.l1one + 720,
  });
  expect(await result(url(1), "platform.getHeight")).toEqual({ height: String(after.P) });
  expect(await result(url(1), "platform.getTimestamp")).toEqual({ timestamp: "2026-11-21T13:00:00Z" });
});

test("health has the results of the last round, every 30 simulated seconds", async () => {
  const { url, pass } = await run();
  const first = await get(url(1), "/ext/health");
  pass(29);
  expect((await get(url(1), "/ext/health")).body).toBe(first.body);
  pass(2);
  const { checks } = await health(url(1));
  expect(checks["C"]?.timestamp).toMatch(/^2026-11-21T12:00:30\./);
  expect(checks["C"]?.message).toMatchObject({ engine: { consensus: { lastAcceptedHeight: 1_728_015 } } });
});

test("stake periods are consecutive", async () => {
  const { simulation, url, pass } = await run();
  const [soonest] = simulation.state().validators;
  pass((soonest?.endTime ?? 0) - simulation.state().time);
  const next = simulation.state().validators.find(({ nodeId }) => nodeId === soonest?.nodeId);
  expect(next?.startTime).toBe(soonest?.endTime);
  const ask = (): Promise<{ validators: Array<{ endTime: string }> }> =>
    result(url(1), "platform.getCurrentValidators");
  const ends = (await ask()).validators.map(({ endTime }) => Number(endTime));
  expect(ends).toEqual([...ends].sort((a, b) => a - b));
  expect(ends).toHaveLength(12);
});

test("an L1 balance decreases by the price per second of P-Chain time", async () => {
  const { simulation, url, pass } = await run();
  const { price } = await result<{ price: number }>(url(1), "platform.getValidatorFeeState");
  const [, second] = simulation.state().l1;
  pass(1005);
  // The chain time is that of the last block; blocks are 10 seconds apart.
  expect(simulation.state().l1[1]?.balance).toBe((second?.balance ?? 0) - price * 1000);
  const validation = await result<Record<string, string>>(url(1), "platform.getL1Validator", {
    validationID: second?.validationId,
  });
  expect(validation["balance"]).toBe(String(simulation.state().l1[1]?.balance));
  pass(3 * 86_400);
  expect(simulation.state().l1.filter(({ balance }) => balance === 0)).toHaveLength(2);
});

test("a node ID with two validations is listed twice, delegators for a single one only", async () => {
  const { simulation, url, nodeId } = await run({ delegators: 5000 });
  const ask = (params: unknown): Promise<{ validators: Array<{ validationID?: string; delegators?: unknown[] }> }> =>
    result(url(1), "platform.getCurrentValidators", params);
  const doubled = await ask({ subnetID: simulation.subnets[1]?.id, nodeIDs: [nodeId(1)] });
  expect(new Set(doubled.validators.map(({ validationID }) => validationID)).size).toBe(2);
  expect((await ask({ nodeIDs: [nodeId(1)] })).validators[0]?.delegators).toHaveLength(5000);
  expect(
    (await ask({ nodeIDs: [nodeId(1), nodeId(2)] })).validators.some(({ delegators }) => delegators !== undefined),
  ).toBe(false);
});

test("a block is found by the parent ID of its successor", async () => {
  const { url } = await run();
  type Block = { block: { id: string; parentID: string; height: number } };
  const last = await result<Block>(url(1), "platform.getBlockByHeight", { height: 345_600, encoding: "json" });
  const parent = await result<Block>(url(1), "platform.getBlock", { blockID: last.block.parentID, encoding: "json" });
  expect(parent.block).toMatchObject({ id: last.block.parentID, height: 345_599 });
});

test("requests are counted by node, path and method", async () => {
  const { simulation, url } = await run();
  await call(url(1), "info.peers");
  await call(url(2), "info.peers");
  await get(url(2), "/ext/health?tag=x");
  expect(simulation.count(1, "info.peers")).toBe(1);
  expect(simulation.count("all", "info.peers")).toBe(2);
  expect(simulation.count("all", "/ext/info")).toBe(2);
  expect(simulation.count(2, "/ext/health")).toBe(1);
  expect(simulation.requests()).toEqual([
    { node: 1, method: "POST", path: "/ext/info", rpc: "info.peers" },
    { node: 2, method: "POST", path: "/ext/info", rpc: "info.peers" },
    { node: 2, method: "GET", path: "/ext/health" },
  ]);
});

test("tags choose a subnet's checks, an unknown tag only the global ones", async () => {
  const { simulation, url } = await run({ scenario: [{ node: 1, name: "stuck-chain" }] });
  const [first] = simulation.subnets;
  const names = async (query: string): Promise<string[]> =>
    Object.keys((JSON.parse((await get(url(1), `/ext/health?${query}`)).body) as { checks: object }).checks);
  expect(await names(`tag=${first?.id ?? ""}`)).toContain(first?.chainId);
  expect(await names(`tag=${first?.id ?? ""}`)).not.toContain("C");
  expect(await names("tag=mistyped")).toEqual([
    "bls",
    "bootstrapped",
    "database",
    "diskspace",
    "futureupgrade",
    "network",
    "router",
  ]);
});

test("a thousand nodes run in one process, with a limit on listed peers", async () => {
  const { simulation, url } = await run({ nodes: 1000, validators: 2000, peersPerNode: 20 });
  expect(simulation.nodes).toHaveLength(1000);
  expect(await result(url(1000), "info.peers")).toMatchObject({ numPeers: "20" });
  expect(simulation.state().validators).toHaveLength(2000);
  expect((await health(url(777))).healthy).toBe(true);
});
