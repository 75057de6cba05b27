import { expect, test } from "vitest";
import { call, get, health, refusal, result } from "./ask.ts";
import { run } from "./running.ts";
import { shape } from "./shape.ts";

/** Keys of the specification, copied from it by hand. */
const record = [
  "txID",
  "startTime",
  "endTime",
  "weight",
  "nodeID",
  "validationRewardOwner",
  "delegationRewardOwner",
  "potentialReward",
  "delegationFee",
  "uptime",
  "connected",
  "signer",
  "delegatorCount",
  "delegatorWeight",
];

test("the specification's dialect sends the specification's types and no other keys", async () => {
  const { url, nodeId, simulation } = await run({ dialect: "spec" });
  expect(await result(url(1), "info.getNetworkID")).toEqual({ networkID: 12345 });
  const { numPeers, peers } = await result<{ numPeers: number; peers: unknown[] }>(url(1), "info.peers");
  expect(numPeers).toBe(11);
  expect(Object.keys(peers[0] ?? {}).sort()).toEqual([
    "benched",
    "ip",
    "lastReceived",
    "lastSent",
    "nodeID",
    "observedUptime",
    "publicIP",
    "trackedSubnets",
    "version",
  ]);
  expect(peers[0]).toMatchObject({ observedUptime: 99 });
  expect(Object.keys(await result(url(1), "info.getVMs"))).toEqual(["vms"]);
  const upgrades = await result<Record<string, unknown>>(url(1), "info.upgrades");
  expect(Object.keys(upgrades)).toHaveLength(17);
  expect(upgrades).not.toHaveProperty("graniteEpochDuration");
  expect(await result(url(1), "platform.getCurrentSupply")).toEqual({
    supply: expect.stringMatching(/^\d{18}$/) as unknown,
  });
  const { validators } = await result<{ validators: Array<Record<string, unknown>> }>(
    url(1),
    "platform.getCurrentValidators",
    {
      nodeIDs: [nodeId(1)],
    },
  );
  expect(Object.keys(validators[0] ?? {})).toEqual([...record, "delegators"]);
  expect(Object.keys(validators[0]?.["signer"] ?? {})).toEqual(["publicKey", "proofOfPosession"]);
  const { checks } = await health(url(1));
  const [first, second] = simulation.subnets.map(({ chainId }) => chainId);
  expect(Object.keys(checks).sort()).toEqual(
    [first, second, "C", "P", "X", "bootstrapped", "database", "diskspace", "network", "router"].sort(),
  );
  expect([...shape(checks["C"]?.message).keys()].filter((path) => /\w$/.test(path)).sort()).toEqual([
    "engine",
    "engine.consensus",
    "engine.consensus.lastAcceptedHeight",
    "engine.consensus.lastAcceptedID",
    "engine.consensus.longestProcessingBlock",
    "engine.consensus.processingBlocks",
    "engine.vm",
    "networking",
    "networking.percentConnected",
  ]);
});

test("info.uptime of the specification is that of the requested subnet, with numbers", async () => {
  const { url, simulation } = await run({ dialect: "spec", nodes: 13, validators: 13 });
  const [first] = simulation.subnets;
  const primary = await result<Record<string, number>>(url(1), "info.uptime");
  const subnet = await result<Record<string, number>>(url(1), "info.uptime", { subnetID: first?.id });
  expect(primary["rewardingStakePercentage"]).toBe(100);
  expect(subnet["weightedAveragePercentage"]).toBeGreaterThan(99);
  expect(subnet["weightedAveragePercentage"]).not.toBe(primary["weightedAveragePercentage"]);
  expect(await refusal(url(13), "info.uptime", { subnetID: first?.id })).toMatch(/not a validator/);
});

test("the specification's dialect has only its own methods, and health status 503", async () => {
  const { url } = await run({ dialect: "spec", scenario: [{ node: 2, name: "unhealthy-check" }] });
  for (const method of [
    "platform.getHeight",
    "platform.getTimestamp",
    "platform.getL1Validator",
    "platform.getValidatorFeeState",
  ]) {
    expect(JSON.parse((await call(url(1), method)).body)).toMatchObject({ error: { code: -32601 } });
  }
  expect((await get(url(1), "/ext/health/health")).status).toBe(200);
  expect((await get(url(2), "/ext/health/health")).status).toBe(503);
  expect((await get(url(1), "/ext/health")).headers["node-id"]).toBeUndefined();
});

test("dialect and version can differ by node", async () => {
  const { url } = await run({
    overrides: [
      { node: 2, dialect: "spec" },
      { node: 3, version: "1.13.5" },
    ],
  });
  expect(await result(url(1), "info.getNetworkID")).toEqual({ networkID: "12345" });
  expect(await result(url(2), "info.getNetworkID")).toEqual({ networkID: 12345 });
  expect(await result(url(3), "info.getNodeVersion")).toMatchObject({
    version: "avalanchego/1.13.5",
    rpcProtocolVersion: "43",
  });
});

type Keys = {
  readonly checks: string[];
  readonly peer: string[];
  readonly upgrades: string[];
  readonly record: string[];
  readonly fee: boolean;
};

async function keysOf(version: string): Promise<Keys> {
  const { url, nodeId } = await run({ version });
  const keys = (value: unknown): string[] => Object.keys(value ?? {});
  const { peers } = await result<{ peers: unknown[] }>(url(1), "info.peers");
  const { validators } = await result<{ validators: unknown[] }>(url(1), "platform.getCurrentValidators", {
    nodeIDs: [nodeId(2)],
  });
  const upgrades = await result(url(1), "info.upgrades");
  const fee = !(await refusal(url(1), "platform.getValidatorFeeState")).includes("can't find method");
  return {
    checks: keys((await health(url(1))).checks),
    peer: keys(peers[0]),
    upgrades: keys(upgrades),
    record: keys(validators[0]),
    fee,
  };
}

test("keys depend on the release", async () => {
  const old = await keysOf("1.11.13");
  expect(old.checks).not.toContain("bls");
  expect(old.record).toEqual(expect.arrayContaining(["stakeAmount", "rewardOwner"]));
  expect(old.upgrades).not.toEqual(expect.arrayContaining(["fortunaTime"]));
  expect(old.fee).toBe(false);
  const etna = await keysOf("1.12.2");
  expect(etna.checks).toContain("bls");
  expect(etna.record).not.toContain("stakeAmount");
  expect(etna.record).toContain("rewardOwner");
  expect(etna.fee).toBe(true);
  const fortuna = await keysOf("1.13.5");
  expect(fortuna.record).not.toContain("rewardOwner");
  expect(fortuna.upgrades).toContain("fortunaTime");
  expect(fortuna.upgrades).not.toContain("graniteTime");
  expect(fortuna.peer).not.toContain("upgradeTime");
  expect(fortuna.checks).not.toContain("futureupgrade");
  const granite = await keysOf("1.14.2");
  expect(granite.upgrades).toEqual(expect.arrayContaining(["graniteTime", "graniteEpochDuration", "heliconTime"]));
  expect(granite.peer).toContain("upgradeTime");
  expect(granite.checks).toContain("futureupgrade");
});
