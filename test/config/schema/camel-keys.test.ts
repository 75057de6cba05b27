import { expect, test } from "vitest";
import { camelKeys } from "../../../src/config/schema/camel-keys.ts";

test("the keys of a mapping get the code's spelling, those inside it stay", () => {
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

test("what is absent stays absent", () => {
  expect(Object.keys(camelKeys({ uptime_requirement: 1 }))).toEqual(["uptimeRequirement"]);
});
