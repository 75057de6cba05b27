import { expect, it } from "vitest";
import type { z } from "zod";
import { healthMethods } from "../../../src/api/node/health.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { read, REFUSED } from "../../support/read-json.ts";

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
