import { describe, expect, it } from "vitest";
import { evmPauses } from "../../../src/topics/evm/evm-pauses.ts";
import { NEVER_DOWN } from "../../../src/topics/reach.ts";
import { answered } from "../../support/derived.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";
import { pausing } from "../define/formula-examples.ts";

const context = contextOf();
const WEEK = 604_800;
const after = (polls: readonly object[], state?: unknown, time = context.time): unknown =>
  polls.reduce((last, poll) => nextState(evmPauses, poll, { ...context, time }, last), state);
const usual = (polls: readonly object[], state?: unknown) =>
  readTopic(evmPauses, polls.at(-1) ?? {}, context, after(polls.slice(0, -1), state)).get(
    'avax_chain_usual_pause_seconds{chain="C",subnet="primary"}',
  );
const many = (pause: number, count = 30) => Array.from({ length: count }, () => pause);

it.each([
  ["is unknown before 30 pauses", pausing(many(5, 29)), undefined],
  ["is that of a slow chain", pausing(many(3600)), 3600],
  ["leaves out a pause that happened once", pausing([...many(5), 80_000]), 5],
  ["is known once a long pause is repeated", pausing([...many(5), 30_000, 9, 29_000]), 29_000],
  ["counts what was seen of a pause", [...pausing(many(5)), ...pausing([5], 80_000)], 5],
  ["is kept for the next week", [...pausing([50, 50, ...many(5)]), ...pausing([5], WEEK)], 50],
  ["is unknown after two weeks without a block", [...pausing(many(5)), ...pausing([5], 3 * WEEK)], undefined],
])("the usual pause %s", (_what, polls, value) => {
  expect(usual(polls)).toBe(value);
});

it("goes on after a restart: a chain that died before has no new pause, however long it stands", () => {
  const saved: unknown = JSON.parse(JSON.stringify(evmPauses.saved?.save(after(pausing(many(7))) as never)));
  const dead = pausing([90_000], 210).slice(0, 2);
  expect(usual(dead, evmPauses.saved?.restore(saved))).toBe(7);
});

describe("a chain that usually rests for 100 s", () => {
  const LAST = 2_900 * WEEK + 30 * 100;
  const learned = after(pausing(many(100)), undefined, LAST);

  type Poll = {
    /** Seconds between the learned blocks and now. */
    readonly later: number;
    /** When each node's newest block was made, from the last learned one; `undefined` for one that does not answer. */
    readonly heads: ReadonlyArray<number | undefined>;
    readonly chain?: string;
    readonly network?: string;
  };
  const data = ({ later, heads, chain = "C" }: Poll) => ({
    members: heads.map((made, index) => ({
      facts: contextOf({ node: `n${index}` }),
      answers: {
        heads:
          made === undefined ? undefined : new Map([[chain, answered({ head: { time: LAST + made } }, LAST + later)]]),
        reach: answered(
          { ...NEVER_DOWN, up: true, ...(made === undefined ? { up: false, outages: [{ from: LAST }] } : {}) },
          0,
        ),
      },
    })),
  });
  const at = ({ later, network = "local" }: Poll) => contextOf({ time: LAST + later, network });
  const next = (poll: Poll, state: unknown = learned) => nextState(evmPauses, data(poll), at(poll), state);
  const read = (name: string, poll: Poll, state: unknown = learned) =>
    readTopic(evmPauses, data(poll), at(poll), state).get(
      name.includes("stalled") ? `${name}{chain="C",subnet="primary"}` : name,
    );
  const stalled = (poll: Poll, state?: unknown) => read("avax_chain_stalled_seconds", poll, state);

  it.each([
    ["is not stalled after twice that", { later: 200, heads: [0] }, 0],
    ["is stalled after more", { later: 201, heads: [0] }, 201],
    ["is not where one node has a new block", { later: 900, heads: [0, 850] }, 0],
    ["is where one of three alone has a new block", { later: 900, heads: [0, 850, 0] }, 900],
    ["is not where two of three have one", { later: 900, heads: [0, 850, 840] }, 0],
    ["is not while one of three is silent", { later: 900, heads: [0, 850, undefined] }, 0],
    ["is not judged where it is that of a public network", { later: 900, heads: [0], network: "mainnet" }, undefined],
    ["is not judged where no node has it", { later: 900, heads: [] }, undefined],
  ])("%s", (_case, poll, seconds) => {
    expect(stalled(poll)).toBe(seconds);
  });

  it("is not judged before its pauses are known", () => {
    expect(stalled({ later: 900, heads: [0] }, after(pausing(many(100, 20))))).toBeUndefined();
  });

  it("stays stalled while its nodes are silent, also over a restart of the exporter", () => {
    const before = next({ later: 900, heads: [0, undefined] });
    expect(stalled({ later: 1000, heads: [undefined, undefined] }, before)).toBe(1000);
    const saved: unknown = JSON.parse(JSON.stringify(evmPauses.saved?.save(before as never)));
    const restored = evmPauses.saved?.restore(saved);
    expect(stalled({ later: 1000, heads: [undefined, undefined] }, restored)).toBe(1000);
    expect(stalled({ later: 1000, heads: [0, 990] }, restored)).toBe(0);
    // A node that dies while the exporter restarts was not asked at first.
    const { members } = data({ later: 950, heads: [undefined] });
    const unasked = members.map(({ facts }) => ({ facts, answers: { reach: answered(NEVER_DOWN, 0) } }));
    const asked = nextState(evmPauses, { members: unasked }, contextOf({ time: LAST + 950 }), restored);
    expect(stalled({ later: 1000, heads: [undefined] }, asked)).toBe(1000);
    expect(stalled({ later: 1000, heads: [undefined] }, next({ later: 900, heads: [890] }))).toBe(0);
  });

  it("is over after weeks, with the first block", () => {
    const before = next({ later: 900, heads: [0] });
    expect(stalled({ later: 4 * WEEK, heads: [4 * WEEK - 1] }, before)).toBe(0);
  });

  it("has the time of its newest block while a node answers, on a public network", () => {
    const newest = (poll: Poll) => read("avax_chain_newest_block_timestamp_seconds", poll);
    expect(newest({ later: 900, heads: [0, 850], network: "fuji" })).toBe(LAST + 850);
    expect(newest({ later: 900, heads: [undefined], network: "fuji" })).toBeUndefined();
    expect(newest({ later: 900, heads: [0] })).toBeUndefined();
  });
});
