import { expect, it } from "vitest";
import { healthMethods } from "../../../src/api/node/health.ts";
import { fork } from "../../../src/topics/chains/fork.ts";
import { answered, recordedNodeId, recordedReport, recordedSets } from "../../support/derived.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";

/** A node whose C-Chain is at a block, as `71x`: height and ID; "" does not answer. */
const member = (name: string, head: string) => {
  const consensus = { lastAcceptedHeight: parseInt(head, 10), lastAcceptedID: head };
  const checks = { C: { message: { engine: { consensus } }, timestamp: "2026-11-24T10:00:00Z", duration: 1 } };
  const heads = new Map([["C", answered({ checkpoint: { height: parseInt(head, 10), hash: head } }, 1)]]);
  return {
    facts: { ...contextOf({ node: name }), nodeId: `NodeID-${name}` },
    answers:
      head === "" ? {} : { report: answered(healthMethods.health.result.parse({ checks, healthy: true }), 1), heads },
  };
};

/** The sides after rounds of heads of the nodes a, b, c. */
function sides(rounds: readonly string[]) {
  let state: unknown;
  let samples: ReadonlyMap<string, number> = new Map();
  for (const round of rounds) {
    const members = round.split(" ").map((head, i) => member("abc"[i] ?? "", head.replace("-", "")));
    samples = readTopic(fork, { members }, contextOf(), state);
    state = nextState(fork, { members }, contextOf(), state);
  }
  return [...samples].map(([name, height]) => [/nodes="(.*)"/.exec(name)?.[1], height]);
}

it.each([
  ["equal blocks", ["70x 70x 71x", "71x 72x 71x"], []],
  ["other heights", ["70x 71y 72z"], []],
  [
    "one block of its own",
    ["70x 70y 70x"],
    [
      ["a, c", 70],
      ["b", 70],
    ],
  ],
  [
    "polled at other times",
    ["70x 71x 72x", "72y 73x 74x"],
    [
      ["a", 72],
      ["c", 72],
    ],
  ],
  [
    "nodes that were not at that height join their side",
    ["70x 70y 69x", "72x 74y 72x"],
    [
      ["a, c", 70],
      ["b", 70],
    ],
  ],
  [
    "while they stay apart, the first height counts",
    ["70x 70y 70x", "71x 71y 71x"],
    [
      ["a, c", 70],
      ["b", 70],
    ],
  ],
  ["they agree later", ["70x 70y 70x", "71x 71x 71x"], []],
  ["a preferred block gave way", ["70x 70y 70x", "70x 70x 70x"], []],
  ["a node resyncs", ["70x 70y 70x", "71x 3x 71x"], []],
  ["a node does not answer", ["70x 70y 70x", "71x - 71x"], []],
])("sides of a fork: %s", (_case, rounds, expected) => {
  expect(sides(rounds)).toEqual(expected);
});

it("have the stake of their nodes", () => {
  const sets = new Map([["primary", answered(recordedSets("local-healthy-validator").get("primary"), 1)]]);
  const report = recordedReport("local-healthy-validator");
  const own = {
    facts: contextOf({ node: "a", nodeId: recordedNodeId("local-healthy-validator") }),
    answers: { report: answered(report, 1), sets },
  };
  const text = JSON.stringify(report).replaceAll(/"lastAcceptedID":"[^"]*"/g, '"lastAcceptedID":"other"');
  const other = { facts: contextOf({ node: "b" }), answers: { report: answered(JSON.parse(text) as unknown, 1) } };
  const samples = Object.fromEntries(readTopic(fork, { members: [own, other] }, contextOf()));
  expect(samples['avax_chain_fork_stake_ratio{chain="P",nodes="a"}']).toBeCloseTo(0.2, 1);
  expect(samples['avax_chain_fork_stake_ratio{chain="P",nodes="b"}']).toBe(0);
});
