import { expect, test } from "vitest";
import { health, result } from "../ask.ts";
import { SCENARIO_NAMES } from "../../../simulator/world/scenarios.ts";
import { run } from "../running.ts";

type Uptime = { rewardingStakePercentage: string; weightedAveragePercentage: string };
type Peers = {
  numPeers: string;
  peers: Array<{ nodeID: string; observedUptime: string; benched: string[]; upgradeTime: number }>;
};

const height = async (url: string): Promise<number> =>
  Number((await result<{ height: string }>(url, "platform.getHeight")).height);
const uptime = (url: string): Promise<Uptime> => result<Uptime>(url, "info.uptime");
const peers = (url: string): Promise<Peers> => result<Peers>(url, "info.peers");

test("frozen-health: timestamps stop, healthy stays true and heights increase", async () => {
  const { simulation, url, pass } = await run();
  simulation.set(1, "frozen-health");
  const [before, low] = [await health(url(1)), await height(url(1))];
  pass(600);
  const [after, high] = [await health(url(1)), await height(url(1))];
  expect(after).toEqual(before);
  expect(after.healthy).toBe(true);
  expect(high - low).toBe(60);
});

test("stuck-chain: C stops and its check fails once the block is older than 30 s", async () => {
  const { simulation, url, pass } = await run();
  simulation.set(1, "stuck-chain");
  expect((await health(url(1))).status).toBe(200);
  pass(90);
  const { status, checks } = await health(url(1));
  expect(status).toBe(503);
  expect(checks["C"]).toMatchObject({ error: "block processing too long: 1m30s > 30s", contiguousFailures: 2 });
  expect(simulation.state().nodes[0]?.heights.C).toBe(1_728_000);
  expect(simulation.state().nodes[1]?.heights.C).toBe(1_728_045);
});

test.each([
  ["lagging", true, { P: 25, C: 25 }, { P: 25, C: 25 }],
  ["left-behind", false, { P: 0, C: 0 }, { P: 360, C: 1800 }],
  ["left-behind", true, { P: 60, C: 300 }, { P: 420, C: 2100 }],
] as const)(
  "%s, from the start: %s, is behind by %j blocks, after an hour by %j, and healthy with all its peers",
  async (name, fromStart, at, later) => {
    const { simulation, url, pass } = await run(fromStart ? { scenario: [{ node: 2, name }] } : {});
    const behind = () => {
      const [one, two] = simulation.state().nodes.map(({ heights }) => heights);
      return { P: (one?.P ?? 0) - (two?.P ?? 0), C: (one?.C ?? 0) - (two?.C ?? 0) };
    };
    if (!fromStart) pass(60);
    simulation.set(2, name);
    expect(behind()).toEqual(at);
    pass(3600);
    expect(behind()).toEqual(later);
    expect((await height(url(1))) - (await height(url(2)))).toBe(later.P);
    expect(await health(url(2))).toMatchObject({ status: 200, healthy: true });
    expect((await peers(url(2))).numPeers).toBe("11");
  },
);

test("just-restarted: only its own stake grants the reward for 30 s", async () => {
  const { simulation, url, nodeId, pass } = await run();
  simulation.set(1, "just-restarted");
  const own = simulation.state().validators.find((validator) => validator.nodeId === nodeId(1));
  const share = Number((own?.weight ?? 0n) + (own?.delegatorWeight ?? 0n)) / Number(simulation.state().totalStake);
  expect(await uptime(url(1))).toMatchObject({ rewardingStakePercentage: (share * 100).toFixed(4) });
  expect((await peers(url(1))).peers.every(({ observedUptime }) => observedUptime === "0")).toBe(true);
  expect((await peers(url(2))).peers.find(({ nodeID }) => nodeID === nodeId(1))?.observedUptime).toBe("0");
  pass(30);
  expect(await uptime(url(1))).toMatchObject({ rewardingStakePercentage: "100.0000" });
});

test("every scenario can be set and reset while running", async () => {
  const { simulation, url, pass } = await run({ nodes: 2, slowSeconds: 0 });
  for (const name of SCENARIO_NAMES) {
    simulation.set("all", name);
    pass(40);
    expect(simulation.state().nodes.map(({ scenarios }) => scenarios)).toEqual([[name], [name]]);
  }
  simulation.set("all", "healthy");
  pass(40);
  await expect.poll(() => health(url(1)).then(({ status }) => status, String)).toBe(200);
});
