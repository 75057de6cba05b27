import { expect, it } from "vitest";
import { subnets, usableNodes } from "../../../src/topics/network/subnet-chains.ts";
import { S1, S2, SUBNETS } from "../../support/local-network.ts";
import { NEVER_DOWN, type Reach } from "../../../src/topics/reach.ts";
import { answered } from "../../support/derived.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

it("configured subnets have their IDs and names", () => {
  expect(Object.fromEntries(readTopic(subnets, {}, contextOf({ subnets: SUBNETS })))).toEqual({
    [`avax_subnet_info{subnet="${S1}",name="permissioned"}`]: 1,
    [`avax_subnet_info{subnet="${S2}",name="l1"}`]: 1,
  });
  expect(readTopic(subnets, {}, contextOf())).toEqual(new Map());
});

it.each<[string, ReadonlyArray<Reach["up"]>, reference: string | undefined, expected: number | undefined]>([
  ["one that answers is the reference node", [false, true], "b", 0],
  ["one answers, and none is usable", [false, true], undefined, 1],
  ["none answers", [false, false], undefined, undefined],
  ["nothing is known after a start", [undefined, undefined], undefined, undefined],
])(
  "a network is without a reference node where one answers and none is usable: %s",
  (_what, up, reference, expected) => {
    const members = up.map((each, index) => ({
      facts: contextOf({ node: "ab".charAt(index) }),
      answers: { reach: answered({ ...NEVER_DOWN, up: each }, 100) },
    }));
    const found = readTopic(
      usableNodes,
      { members },
      { ...contextOf(), ...(reference === undefined ? {} : { reference }) },
    );
    expect(found.get("avax_network_without_reference_node")).toBe(expected);
  },
);
