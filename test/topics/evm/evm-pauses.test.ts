import { expect, it } from "vitest";
import { evmPauses } from "../../../src/topics/evm/evm-pauses.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";
import { pausing } from "../define/formula-examples.ts";

const context = contextOf();
const WEEK = 604_800;
const after = (polls: readonly object[], state?: unknown): unknown =>
  polls.reduce((last, poll) => nextState(evmPauses, poll, context, last), state);
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
