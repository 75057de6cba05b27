import { expect, test } from "vitest";
import { atomicTransactions } from "../../simulator/node/ledger.ts";
import { ask, health, refusal, result, type Answer } from "./ask.ts";
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
    { nodeIDs: [nodeId(1)] },
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

/** The keys of a node of this release, by what has them, with "fee" if it has the method of the fee. */
async function keysOf(version: string): Promise<readonly string[]> {
  const { url, nodeId } = await run({ version });
  const params = { nodeIDs: [nodeId(2)] };
  const { peers } = await result<{ peers: unknown[] }>(url(1), "info.peers");
  const { validators } = await result<{ validators: unknown[] }>(url(1), "platform.getCurrentValidators", params);
  const having = {
    checks: (await health(url(1))).checks,
    peer: peers[0],
    upgrades: await result(url(1), "info.upgrades"),
    record: validators[0],
  };
  const keys = Object.entries(having).flatMap(([name, of]) => Object.keys(of ?? {}).map((key) => `${name}.${key}`));
  const fee = !(await refusal(url(1), "platform.getValidatorFeeState")).includes("can't find method");
  return fee ? [...keys, "fee"] : keys;
}

const GRANITE = ["upgrades.graniteTime", "upgrades.graniteEpochDuration", "upgrades.heliconTime"];

test.each([
  ["1.11.13", ["record.stakeAmount", "record.rewardOwner"], ["checks.bls", "upgrades.fortunaTime", "fee"]],
  ["1.12.2", ["checks.bls", "record.rewardOwner", "fee"], ["record.stakeAmount"]],
  [
    "1.13.5",
    ["upgrades.fortunaTime"],
    ["record.rewardOwner", "upgrades.graniteTime", "peer.upgradeTime", "checks.futureupgrade"],
  ],
  ["1.14.2", [...GRANITE, "peer.upgradeTime", "checks.futureupgrade"], []],
])("release %s has the keys %j, and not %j", async (version, has, lacks) => {
  const keys = await keysOf(version);
  expect(keys).toEqual(expect.arrayContaining(has));
  expect(keys.filter((key) => lacks.includes(key))).toEqual([]);
});

const post = (url: string, path: string, method: string, params?: unknown): Promise<Answer> =>
  ask(url, { method: "POST", path, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) });

test("the specification's dialect has its own ledger path, service and numbers", async () => {
  const { simulation, url } = await run({ dialect: "spec", scenario: "utxo-waiting" });
  const params = [{ addresses: [simulation.wallets[0]?.c], sourceChain: "P" }];
  const { status, body } = await post(url(1), "/ext/bc/C/ledger", "ledger.getUTXOs", params);
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ result: { numFetched: 3, encoding: "hex" } });
  expect((await post(url(1), "/ext/bc/C/avax", "avax.getUTXOs", params)).status).toBe(404);
  const tx = await post(url(1), "/ext/bc/C/ledger", "ledger.getAtomicTxStatus", [{ txID: atomicTransactions(1)[1] }]);
  expect(JSON.parse(tx.body)).toMatchObject({ result: { status: "Accepted", blockHeight: 2 } });
});

test("the specification's dialect has admin methods with an underscore", async () => {
  const { url } = await run({ dialect: "spec" });
  const { body } = await post(url(1), "/ext/bc/C/admin", "admin_getVMConfig", []);
  expect(JSON.parse(body)).toMatchObject({ result: { config: { "pruning-enabled": true } } });
  expect((await post(url(1), "/ext/bc/C/admin", "admin.getVMConfig", [])).body).toContain("does not exist");
});
