import { expect, it } from "vitest";
import { healthMethods } from "../../../src/api/node/health.ts";
import { fork } from "../../../src/topics/chains/fork.ts";
import { NEVER_DOWN, type Reach } from "../../../src/topics/reach.ts";
import { answered, recordedNodeId, recordedReport, recordedSets } from "../../support/derived.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";

const UP: Reach = { up: true, outages: [], total: 0 };
const DOWN: Reach = { up: false, outages: [{ from: 1 }], total: 1 };

const validators = ["a", "b", "c"].map((name) => ({ nodeID: `NodeID-${name}`, weight: 1n }));
const sets = new Map([["primary", answered({ validators }, 1)]]);

/**
 * A node whose C-Chain is at a block, as `71x`: height and ID. `-` answers without a height, `!` is down, `?` is not asked yet, and
 * "" is no longer configured.
 */
const member = (name: string, head: string) => {
  const consensus = { lastAcceptedHeight: parseInt(head, 10), lastAcceptedID: head };
  const checks = { C: { message: { engine: { consensus } }, timestamp: "2026-11-24T10:00:00Z", duration: 1 } };
  const heads = new Map([["C", answered({ checkpoint: { height: parseInt(head, 10), hash: head } }, 1)]]);
  return {
    facts: { ...contextOf({ node: name }), nodeId: `NodeID-${name}` },
    answers:
      head === "-"
        ? { reach: answered(UP, 1) }
        : head === "!" || head === "?"
          ? { reach: answered(head === "!" ? DOWN : NEVER_DOWN, 1) }
          : {
              reach: answered(UP, 1),
              sets,
              report: answered(healthMethods.health.result.parse({ checks, healthy: true }), 1),
              heads,
            },
  };
};

/** The height of the fork and its sides after rounds of heads of the nodes a, b, c, a minute each. */
function found(rounds: readonly string[], from?: unknown) {
  let state = from;
  let samples: ReadonlyMap<string, number> = new Map();
  for (const [minute, round] of rounds.entries()) {
    const members = round.split(" ").map((head, i) => member("abc"[i] ?? "", head));
    const context = { ...contextOf(), time: 60 * minute };
    samples = readTopic(fork, { members }, context, state);
    state = nextState(fork, { members }, context, state);
  }
  const height = samples.get('avax_chain_fork_height{chain="C"}');
  const sides = Object.keys(only(samples, "stake"))
    .map((name) => /nodes="(.*)"/.exec(name)?.[1])
    .sort();
  return { state, height, sides };
}

function sides(rounds: readonly string[], from?: unknown) {
  const { height, sides: all } = found(rounds, from);
  return all.map((nodes) => [nodes, height]);
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
  ["a node answers without a height", ["70x 70y 70x", "71x - 71x"], []],
  [
    "a node is down, and has not answered about its chains since it returned",
    ["70x 70y 70x", "71x ! 71x", "72x - 72x"],
    [
      ["a, c", 70],
      ["b", 70],
    ],
  ],
  [
    "a node is down and returns without a height",
    ["70x 70y 70x", "71x ! 71x", ...Array<string>(11).fill("72x - 72x")],
    [],
  ],
  ["a node is down and returns on the other side", ["70x 70y 70x", "71x ! 71x", "72x 72x 72x"], []],
  ["a node is down and resyncs", ["70x 70y 70x", "71x ! 71x", "72x 3x 72x"], []],
])("sides of a fork: %s", (_case, rounds, expected) => {
  expect(sides(rounds)).toEqual(expected);
});

it("the height is 0 while the nodes have the same blocks, and unknown with one alone", () => {
  expect(found(["70x 70x 70x"]).height).toBe(0);
  expect(found(["70x 70y 70x", "71x 71x 71x"]).height).toBe(0);
  expect(found(["70x"]).height).toBeUndefined();
  expect(found(["70x !"]).height).toBeUndefined();
  expect(found(["70x 70x", "71x !"]).height).toBe(0);
});

it("a fork goes on over a restart of the exporter until its nodes answer", () => {
  const { state } = found(["70x 70y 69x", "72x 74y 72x"]);
  const saved = fork.saved?.restore(JSON.parse(JSON.stringify(fork.saved.save(state as never))));
  const forked = [
    ["a, c", 70],
    ["b", 70],
  ];
  expect(sides(["? ? ?", "73x - 73x"], saved)).toEqual(forked);
  expect(sides(["? ? ?", "73x ! 73x"], saved)).toEqual(forked);
  expect(sides(["? ? ?", "73x 75y 73x"], saved)).toEqual(forked);
  expect(sides(["? ? ?", "75x 75x 75x"], saved)).toEqual([]);
  expect(sides(["? ? ?", "75x 4x 75x"], saved)).toEqual([]);
  expect(fork.saved?.save(found(["70x 70x 70x"]).state as never)).toEqual([]);
});

it("have the stake of their nodes", () => {
  const recordedSet = new Map([["primary", answered(recordedSets("local-healthy-validator").get("primary"), 1)]]);
  const report = recordedReport("local-healthy-validator");
  const own = {
    facts: contextOf({ node: "a", nodeId: recordedNodeId("local-healthy-validator") }),
    answers: { report: answered(report, 1), sets: recordedSet },
  };
  const text = JSON.stringify(report).replaceAll(/"lastAcceptedID":"[^"]*"/g, '"lastAcceptedID":"other"');
  const other = { facts: contextOf({ node: "b" }), answers: { report: answered(JSON.parse(text) as unknown, 1) } };
  const samples = Object.fromEntries(readTopic(fork, { members: [own, other] }, contextOf()));
  expect(samples['avax_chain_fork_stake_ratio{chain="P",nodes="a"}']).toBeCloseTo(0.2, 1);
  expect(samples['avax_chain_fork_stake_ratio{chain="P",nodes="b"}']).toBe(0);
});
