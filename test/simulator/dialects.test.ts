import { expect, test } from "vitest";
import { atomicTransactions } from "../../simulator/node/ledger.ts";
import { ask, health, refusal, result, type Answer } from "./ask.ts";
import { run } from "./running.ts";

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
