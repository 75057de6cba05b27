import { expect, it } from "vitest";
import { subnets } from "../../../src/topics/network/subnet-chains.ts";
import { S1, S2, SUBNETS } from "../../support/local-network.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

it("configured subnets have their IDs and names", () => {
  expect(Object.fromEntries(readTopic(subnets, {}, contextOf({ subnets: SUBNETS })))).toEqual({
    [`avax_subnet_info{subnet="${S1}",name="permissioned"}`]: 1,
    [`avax_subnet_info{subnet="${S2}",name="l1"}`]: 1,
  });
  expect(readTopic(subnets, {}, contextOf())).toEqual(new Map());
});
