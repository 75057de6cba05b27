import { expect, test } from "vitest";
import { health, refusal, result } from "./ask.ts";
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
