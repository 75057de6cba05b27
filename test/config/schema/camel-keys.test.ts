import { expect, test } from "vitest";
import { camelKeys } from "../../../src/config/schema/fields.ts";

test("keys are renamed, but not those of nested mappings", () => {
  const { evmChainId, name, validatorsByNetwork } = camelKeys({
    evm_chain_id: 1,
    name: "a",
    validators_by_network: { my_network: [] },
  });
  expect({ evmChainId, name, validatorsByNetwork }).toEqual({
    evmChainId: 1,
    name: "a",
    validatorsByNetwork: { my_network: [] },
  });
});

test("no keys are added", () => {
  expect(Object.keys(camelKeys({ uptime_requirement: 1 }))).toEqual(["uptimeRequirement"]);
});
