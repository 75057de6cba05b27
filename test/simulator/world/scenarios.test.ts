import { expect, test } from "vitest";
import { call, get, health, record, refusal, result, type Report } from "../ask.ts";
import { run } from "../running.ts";

type Uptime = { rewardingStakePercentage: string; weightedAveragePercentage: string };
type Peers = {
  numPeers: string;
  peers: Array<{ nodeID: string; observedUptime: string; benched: string[]; upgradeTime: number }>;
};

type Delegated = {
  delegators: Array<{ weight: string; endTime: string }>;
  delegatorCount: string;
  delegatorWeight: string;
};

const height = async (url: string): Promise<number> =>
  Number((await result<{ height: string }>(url, "platform.getHeight")).height);
const uptime = (url: string): Promise<Uptime> => result<Uptime>(url, "info.uptime");
const peers = (url: string): Promise<Peers> => result<Peers>(url, "info.peers");
test("healthy: every check passes, all peers are connected and grant the reward", async () => {
  const { url, nodeId } = await run();
  const report = await health(url(1));
  expect(report.status).toBe(200);
  expect(report.healthy).toBe(true);
  expect(Object.values(report.checks).filter(({ error }) => error !== undefined)).toEqual([]);
  expect(await uptime(url(1))).toMatchObject({ rewardingStakePercentage: "100.0000" });
  expect((await peers(url(1))).numPeers).toBe("11");
  expect(await record(url(2), nodeId(1))).toMatchObject({ connected: true });
});

test("unhealthy-check: the disk check fails and counts its rounds", async () => {
  const { simulation, url, pass } = await run();
  pass(100);
  simulation.set(1, "unhealthy-check");
  pass(65);
  const { status, checks } = await health(url(1));
  expect(status).toBe(503);
  expect(checks["diskspace"]).toMatchObject({
    error: "remaining available disk space percentage (9%) is below warning threshold available space percentage (10%)",
    contiguousFailures: 3,
    message: { availableDiskPercentage: 9 },
  });
  expect(checks["diskspace"]?.timeOfFirstFailure).toMatch(/^2026-11-21T12:01:40/);
  expect(checks["diskspace"]?.timestamp).toMatch(/^2026-11-21T12:02:40/);
  expect((await call(url(1), "health.health")).status).toBe(200);
  expect((await health(url(2))).status).toBe(200);
});

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

test("clock-ahead: every answer and every check is dated forty seconds ahead", async () => {
  const { simulation, url, pass } = await run();
  simulation.set(2, "clock-ahead");
  pass(60);
  const dates = async (node: number) => {
    const { headers, body } = await get(url(node), "/ext/health");
    const { checks } = JSON.parse(body) as Report;
    return [headers["date"], checks["diskspace"]?.timestamp.slice(0, 19)];
  };
  expect(await dates(1)).toEqual(["Sat, 21 Nov 2026 12:01:00 GMT", "2026-11-21T12:01:00"]);
  expect(await dates(2)).toEqual(["Sat, 21 Nov 2026 12:01:40 GMT", "2026-11-21T12:01:40"]);
  expect((await call(url(2), "platform.getHeight")).headers["date"]).toBe("Sat, 21 Nov 2026 12:01:40 GMT");
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

test.each([
  ["few-peers", "2", /^not connected to enough stake: connected to 2\d\.\d{6}%; required at least 80\.000000%$/, /^$/],
  [
    "no-inbound",
    "11",
    /^$/,
    /^network layer is unhealthy reason: primary network validator has no inbound connections$/,
  ],
] as const)("%s: %s peers, with the error %s of P and %s of the network", async (name, count, ofChain, ofNetwork) => {
  const { url } = await run({ scenario: [{ node: 1, name }] });
  expect((await peers(url(1))).numPeers).toBe(count);
  const { checks } = await health(url(1));
  expect(checks["P"]?.error ?? "").toMatch(ofChain);
  expect(checks["network"]?.error ?? "").toMatch(ofNetwork);
});

test("losing-peers: loses a peer every 30 s until one is left", async () => {
  const { url, pass } = await run({ scenario: [{ node: 1, name: "losing-peers" }] });
  const counts: string[] = [];
  for (let i = 0; i < 4; i += 1) {
    counts.push((await peers(url(1))).numPeers);
    pass(30);
  }
  pass(3600);
  expect([...counts, (await peers(url(1))).numPeers]).toEqual(["11", "10", "9", "8", "1"]);
});

test("no-peers: network and chain checks fail, and the others report the node as disconnected", async () => {
  const { url, nodeId, pass } = await run({ scenario: [{ node: 1, name: "no-peers" }] });
  pass(90);
  expect(await result(url(1), "info.peers")).toEqual({ numPeers: "0", peers: [] });
  const { checks } = await health(url(1));
  expect(checks["network"]?.error).toBe(
    "network layer is unhealthy reason: not connected to a minimum of 1 peer(s) only 0, no messages from network received in 1m30s > 1m0s, " +
      "no messages from network sent in 1m30s > 1m0s, primary network validator has no inbound connections",
  );
  expect((await peers(url(2))).peers.map(({ nodeID }) => nodeID)).not.toContain(nodeId(1));
  expect(await record(url(2), nodeId(1))).toMatchObject({ connected: false });
});

test("offline-validator: connections are refused, the others report it as disconnected and its uptime decreases", async () => {
  const { simulation, url, nodeId, pass } = await run();
  pass(60);
  const before = Number((await record(url(2), nodeId(1)))?.uptime);
  simulation.set(1, "offline-validator");
  await expect(get(url(1), "/ext/health")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  pass(10 * 86_400);
  const after = await record(url(2), nodeId(1));
  expect(after?.connected).toBe(false);
  // The node is offline for ten days of a stake that has run for 15.4 days.
  expect(Number(after?.uptime)).toBeGreaterThan(55);
  expect(Number(after?.uptime)).toBeLessThan(before - 30);
  expect((await health(url(2))).checks["P"]?.message).toMatchObject({
    networking: { disconnectedValidators: [nodeId(1)] },
  });
  simulation.set(1, "healthy");
  await expect
    .poll(() =>
      get(url(1), "/ext/health").then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  pass(60);
  expect((await record(url(2), nodeId(1)))?.connected).toBe(true);
  expect(Number((await record(url(2), nodeId(1)))?.uptime)).toBeLessThan(before - 30);
});

test("low-uptime: the others deny the reward, the node's own record has 100", async () => {
  const { url, nodeId } = await run({ scenario: [{ node: 1, name: "low-uptime" }] });
  expect(Number((await uptime(url(1))).rewardingStakePercentage)).toBeLessThan(20);
  expect(Number((await uptime(url(1))).weightedAveragePercentage)).toBeCloseTo(65, 0);
  expect((await record(url(1), nodeId(1)))?.uptime).toBe("100.0000");
  expect((await record(url(2), nodeId(1)))?.uptime).toMatch(/^61\.9/);
  expect((await peers(url(1))).peers[0]?.observedUptime).toBe("61");
});

test("reward-address-changed: its record has another reward address on every node, until it is healthy again", async () => {
  const { simulation, url, nodeId, pass } = await run();
  type Owners = { validationRewardOwner: { addresses: string[] }; delegationRewardOwner: { addresses: string[] } };
  const owners = async () => {
    const { validators } = await result<{ validators: Owners[] }>(url(2), "platform.getCurrentValidators", {
      nodeIDs: [nodeId(1)],
    });
    return validators.map(({ validationRewardOwner, delegationRewardOwner }) => [
      validationRewardOwner.addresses,
      delegationRewardOwner.addresses,
    ]);
  };
  const known = simulation.wallets.map(({ p }) => p);
  const before = await owners();
  expect(before).toEqual([[[known[0]], [known[0]]]]);
  pass(60);
  simulation.set(1, "reward-address-changed");
  const [[[address = ""] = []] = []] = await owners();
  expect(address).toMatch(/^P-local1[02-9ac-hj-np-z]{38}$/);
  expect(known).not.toContain(address);
  pass(60);
  simulation.set(1, "healthy");
  expect(await owners()).toEqual(before);
});

test.each(["not-a-validator", "validator-gone"] as const)("%s: no record, info.uptime is an error", async (name) => {
  const { simulation, url, nodeId } = await run();
  expect(await record(url(2), nodeId(1))).toBeDefined();
  simulation.set(1, name);
  expect(await record(url(2), nodeId(1))).toBeUndefined();
  expect(await refusal(url(1), "info.uptime")).toBe("couldn't get node uptime: node is not a validator");
  expect((await peers(url(1))).peers.every(({ observedUptime }) => observedUptime === "0")).toBe(true);
  expect(await result(url(1), "platform.getBlockchainStatus", { blockchainID: "C" })).toEqual({ status: "Syncing" });
});

test("stake-ending: ends in 20 hours, then the record is gone", async () => {
  const { simulation, url, nodeId, pass } = await run();
  simulation.set(1, "stake-ending");
  expect((await record(url(2), nodeId(1)))?.endTime).toBe(String(Date.parse("2026-11-22T08:00:00Z") / 1000));
  pass(20 * 3600);
  expect(await record(url(2), nodeId(1))).toBeUndefined();
});

test("delegation-ending: ends in nine days, and is followed by another of two weeks", async () => {
  const { simulation, url, nodeId, pass } = await run();
  const own = async () => {
    const of = { nodeIDs: [nodeId(1)] };
    const { validators } = await result<{ validators: [Delegated] }>(url(2), "platform.getCurrentValidators", of);
    const [{ delegators, delegatorCount, delegatorWeight }] = validators;
    const ends = delegators.map(({ endTime, weight }) => [weight, endTime]);
    const weight = delegators.reduce((sum, each) => sum + BigInt(each.weight), 0n);
    expect([delegatorCount, delegatorWeight]).toEqual([String(delegators.length), String(weight)]);
    return ends.filter(([each]) => each === "150000000000000");
  };
  expect(await own()).toEqual([]);
  const before = simulation.state().totalStake;
  simulation.set(1, "delegation-ending");
  expect(simulation.state().totalStake - before).toBe(150_000_000_000_000n);
  const end = Date.parse("2026-11-30T12:00:00Z") / 1000;
  expect(await own()).toEqual([["150000000000000", String(end)]]);
  pass(9 * 86_400);
  expect(await own()).toEqual([["150000000000000", String(end + 14 * 86_400)]]);
});

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

test("benched: the others bench it, it benches no peer", async () => {
  const { simulation, url, nodeId } = await run({ scenario: [{ node: 1, name: "benched" }] });
  const record = (await peers(url(2))).peers.find(({ nodeID }) => nodeID === nodeId(1));
  expect(record?.benched).toEqual(["C", "P", simulation.subnets[0]?.chainId]);
  expect((await peers(url(1))).peers.flatMap(({ benched }) => benched)).toEqual([]);
});

test("upgrade-ahead and upgrade-unknown: schedules, announcements and the passing check of the unaware node", async () => {
  const { url, nodeId, pass } = await run({
    scenario: [
      { node: 1, name: "upgrade-ahead" },
      { node: 2, name: "upgrade-unknown" },
    ],
  });
  expect(await result(url(1), "info.upgrades")).toMatchObject({ heliconTime: "2026-11-21T13:00:00Z" });
  expect(await result(url(3), "info.upgrades")).toMatchObject({ heliconTime: "2026-11-21T13:00:00Z" });
  expect(await result(url(2), "info.upgrades")).toMatchObject({ heliconTime: "9999-12-01T00:00:00Z" });
  const listed = (await peers(url(1))).peers;
  expect(listed.find(({ nodeID }) => nodeID === nodeId(2))?.upgradeTime).toBe(253_399_622_400);
  expect(listed.filter(({ upgradeTime }) => upgradeTime === Date.parse("2026-11-21T13:00:00Z") / 1000)).toHaveLength(8);
  const { checks } = await health(url(2));
  expect(checks["futureupgrade"]).toMatchObject({
    message: { localUpgradeTime: "9999-12-01T00:00:00Z", modeUpgradeTime: "2026-11-21T13:00:00Z", numUpgradeTimes: 3 },
  });
  expect(checks["futureupgrade"]?.error).toBeUndefined();
  pass(3600);
  const set = await result<{ validators: Array<{ nextPeriod?: string }> }>(url(1), "platform.getCurrentValidators");
  expect(set.validators.filter(({ nextPeriod }) => nextPeriod !== undefined)).toHaveLength(1);
});
