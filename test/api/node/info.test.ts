import { expect, it } from "vitest";
import type { z } from "zod";
import { healthMethods } from "../../../src/api/node/health.ts";
import { infoMethods, SubnetUptime } from "../../../src/api/node/info.ts";
import { read, REFUSED } from "../../support/read-json.ts";
import { rpcError, scriptedApi } from "../../support/scripted-api.ts";
import { contextOf } from "../../support/topics.ts";

const { getTxFee, upgrades } = infoMethods;
const check = (fields: string) => `{"healthy":true,"checks":{"C":{${fields}}}}`;
const found = (fields: object) => ({ healthy: true, checks: { C: fields } });

it.each<[string, { readonly result: z.ZodType }, json: string, unknown]>([
  ["a duration as text", healthMethods.health, check('"duration":"1500000000"'), found({ duration: 1.5 })],
  ["an odd duration", healthMethods.health, check('"error":"x","duration":"long"'), found({ error: "x" })],
  ["an odd time and an odd number", healthMethods.health, check('"timestamp":5,"contiguousFailures":[]'), found({})],
  ["no checks", healthMethods.health, '{"healthy":true}', REFUSED],
  ["a field beside the fees", getTxFee, '{"txFee":"1000000000","note":"x"}', { txFee: 1 }],
  ["no upgrade at all", upgrades, "{}", REFUSED],
])("%s", (_, { result }, json, expected) => {
  expect(read(result, json)).toEqual(expected);
});

it.each([
  ["honours it", [97, 42, 97], 0.42],
  ["ignores it", [97, 97, 97], "unsupported"],
  ["ignores it while the figure changes", [97, 98, 98], "unsupported"],
  ["has the same figure for both", [97, 97, 97, undefined], 0.97],
])("the uptime in a subnet, of a server that %s", async (_, percents, expected) => {
  const api = scriptedApi(() => {
    const at = api.asked.length - 1;
    if (at === 3 && at in percents) throw rpcError("invalid subnetID");
    const percent = percents[at] ?? 97;
    return { rewardingStakePercentage: percent, weightedAveragePercentage: percent };
  });
  const found = await SubnetUptime.ask(api, "S", contextOf(), undefined).catch((error: Error) => error);
  const failure = { failure: { reason: expected } };
  const answer = { rewardingStakePercentage: expected, weightedAveragePercentage: expected };
  const first = api.asked.length;
  expect(found).toMatchObject(found instanceof Error ? failure : answer);
  // Once it is known, one request is enough.
  if (!(found instanceof Error)) await SubnetUptime.ask(api, "S", contextOf(), found);
  expect(api.asked).toHaveLength(found instanceof Error ? first : first + 1);
});
