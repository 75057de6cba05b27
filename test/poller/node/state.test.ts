import { expect, it } from "vitest";
import { groupByNetwork, type NodeTarget } from "../../../src/poller/node/state.ts";
import { contextOf } from "../../support/topics.ts";

const of = (node: string, network: string | undefined) =>
  ({ facts: { ...contextOf({ node }), network } }) as unknown as NodeTarget;

it("networks have their members in the order of the configuration; a node of an unknown network is left out", () => {
  const known = groupByNetwork([of("a", "local"), of("b", "fuji"), of("c", undefined), of("d", "local")], new Map());
  expect([...known].map(([name, { members }]) => [name, members.map(({ facts }) => facts.node)])).toEqual([
    ["local", ["a", "d"]],
    ["fuji", ["b"]],
  ]);
});

it("a network that stays keeps its state, and one without nodes is removed", () => {
  const [a, b] = [of("a", "local"), of("b", "fuji")];
  const before = groupByNetwork([a, b], new Map());
  Object.assign(before.get("local") ?? {}, { reference: "a", highest: 7 });
  const after = groupByNetwork([a], before);
  expect([...after.values()]).toMatchObject([{ name: "local", reference: "a", highest: 7, members: [a] }]);
});
