import { expect, test } from "vitest";
import type { ChainName } from "../../../simulator/world/genesis.ts";
import { health, result } from "../ask.ts";
import { run } from "../running.ts";

/** Five validators of equal stake, all of them nodes: two of them are more than the Primary Network can lose. */
const FIVE = { nodes: 5, validators: 5, tidy: true, equalStakes: true, quorum: true } as const;

type Running = Awaited<ReturnType<typeof run>>;
const network = ({ simulation }: Running, chain: ChainName) => simulation.state().heights[chain];
const ofNode = ({ simulation }: Running, node: number, chain: ChainName) =>
  simulation.state().nodes[node - 1]?.heights[chain];
const chainError = async ({ simulation, url }: Running, node: number, chain: "P" | "perm1" | "l1one") => {
  const id = simulation.subnets.find(({ chainName }) => chainName === chain)?.chainId ?? chain;
  return (await health(url(node))).checks[id]?.error;
};

test("equal stakes: every validator has the same weight with delegations", async () => {
  const { simulation } = await run(FIVE);
  const weights = simulation.state().validators.map(({ weight, delegatorWeight }) => weight + delegatorWeight);
  expect(new Set(weights)).toEqual(new Set([1_500_000_000_000_000n]));
});

test.each([
  ["80 % are enough: with four of five nodes every chain goes on", [2], true],
  ["without the option the chains of a network go on, whoever is missing", [2, 3], false],
])("%s", async (_, missing, quorum) => {
  const running = await run({ ...FIVE, quorum });
  const before = network(running, "P");
  for (const node of missing) running.simulation.set(node, "offline-validator");
  running.pass(600);
  expect(network(running, "P") - before).toBe(60);
  expect(ofNode(running, 1, "l1one")).toBe(network(running, "l1one"));
  if (quorum) expect(await chainError(running, 1, "P")).toBeUndefined();
});

test("less than 80 %: all chains stand for everybody, every check says so, and all go on from there", async () => {
  const running = await run(FIVE);
  const { simulation, pass } = running;
  pass(100);
  const before = simulation.state().heights;
  simulation.set(2, "offline-validator");
  simulation.set(3, "offline-validator");
  pass(1200);
  expect(simulation.state().heights).toEqual(before);
  expect(simulation.state().nodes[0]?.heights).toEqual(before);
  expect(await chainError(running, 1, "P")).toBe(
    "not connected to enough stake: connected to 60.000000%; required at least 80.000000%",
  );
  expect(await chainError(running, 1, "l1one")).toBe(
    "not connected to enough stake: connected to 64.285714%; required at least 80.000000%",
  );
  simulation.set(2, "healthy");
  expect(simulation.state().heights).toEqual(before);
  pass(100);
  expect(simulation.state().heights).toMatchObject({ P: before.P + 10, C: before.C + 50, l1one: before.l1one + 20 });
  expect(ofNode(running, 2, "C")).toBe(before.C + 50);
  expect(await chainError(running, 1, "P")).toBeUndefined();
});

test("heights never fall or jump, whatever happens", async () => {
  const { simulation, pass } = await run(FIVE);
  const steps = [
    [2, "cut-off"],
    [3, "bootstrapping"],
    [3, "healthy"],
    [2, "offline-validator"],
    [5, "left-behind"],
    [2, "healthy"],
    [5, "healthy"],
  ] as const;
  let last = simulation.state().heights.C;
  for (const [node, scenario] of steps) {
    simulation.set(node, scenario);
    for (let i = 0; i < 10; i += 1) {
      pass(7);
      const now = simulation.state().heights.C;
      expect(now - last).toBeGreaterThanOrEqual(0);
      expect(now - last).toBeLessThanOrEqual(4);
      last = now;
    }
  }
});

test("an L1 validator without balance counts as not connected: the L1 alone stands from that block on", async () => {
  const running = await run(FIVE);
  const { simulation, pass, nodeId } = running;
  simulation.set(2, "l1-running-dry");
  simulation.set(3, "l1-running-dry");
  pass(24 * 60);
  expect(network(running, "l1one")).toBe(ofNode(running, 1, "l1one"));
  const before = simulation.state().heights;
  pass(6 * 60);
  const after = simulation.state();
  expect(after.heights.l1one - before.l1one).toBe(60 / 5);
  expect(after.heights.perm1 - before.perm1).toBe(360 / 5);
  expect(after.l1.filter(({ balance }) => balance === 0).map((each) => each.nodeId)).toEqual([nodeId(2), nodeId(3)]);
  expect(await chainError(running, 1, "l1one")).toBe(
    "not connected to enough stake: connected to 64.285714%; required at least 80.000000%",
  );
});

test("a second L1 has validators, balances and a quorum of its own", async () => {
  const running = await run({ ...FIVE, nodes: 8, validators: 8, secondL1: true });
  const { simulation, url, nodeId, pass } = running;
  const { id, name, isL1 } = simulation.subnets[0] ?? { id: "" };
  expect([name, isL1]).toEqual(["second L1", true]);
  type Records = { readonly validators: ReadonlyArray<{ readonly nodeID: string; readonly balance: string }> };
  const { validators } = await result<Records>(url(1), "platform.getCurrentValidators", { subnetID: id });
  expect(validators.map(({ nodeID, balance }) => [nodeID, Number(balance) > 0])).toEqual(
    [4, 5, 6, 7, 8].map((node) => [nodeId(node), true]),
  );
  expect(await result(url(1), "platform.getSubnet", { subnetID: id })).toMatchObject({ isPermissioned: false });
  const before = simulation.state().heights;
  for (const node of [4, 5]) simulation.set(node, "offline-validator");
  pass(600);
  expect(await chainError(running, 1, "perm1")).toBe(
    "not connected to enough stake: connected to 60.000000%; required at least 80.000000%",
  );
  expect(simulation.state().heights).toMatchObject({ perm1: before.perm1, l1one: before.l1one + 120 });
});
