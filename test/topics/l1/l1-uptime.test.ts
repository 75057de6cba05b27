import { expect, it } from "vitest";
import { l1Uptime } from "../../../src/topics/l1/l1-validator-view.ts";
import { answered } from "../../support/derived.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

const NOW = 1_800_000_000;
const SUBNETS = [{ id: "L1", name: "game", chains: [] }];
const X = "NodeID-x";

/** A polled node that observes this uptime of X. */
const node = (name: string, uptime: number | undefined, startTime = NOW - 86_401) => {
  const record = { nodeID: X, validationID: "v", weight: 1n, uptime, connected: true };
  return {
    facts: { ...contextOf({ node: name, nodeId: `NodeID-${name}`, subnets: SUBNETS }), watch: [X] },
    answers: {
      chains: undefined,
      seen: new Map([["L1", answered({ validators: [record] }, NOW)]]),
      sets: new Map([["L1", answered({ validators: [{ ...record, startTime }] }, NOW)]]),
    },
  };
};
const uptimeOf = (...members: ReadonlyArray<ReturnType<typeof node>>) => [
  ...readTopic(l1Uptime, { members }, { ...contextOf({ subnets: SUBNETS }), time: NOW }).values(),
];

it.each([
  ["the median of the others", [0.7], [node("a", 0.5), node("b", 0.7), node("c", 0.9)]],
  ["without the view of the validator itself", [0.5], [node("a", 0.5), node("x", 1)]],
  ["absent where it alone answers", [], [node("x", 1)]],
  ["absent on the first day", [], [node("a", 0.5, NOW - 86_400)]],
  ["absent where no node knows it", [], [node("a", undefined)]],
])("the uptime of an L1 validator: %s", (_case, expected, members) => {
  expect(uptimeOf(...members)).toEqual(expected);
});
