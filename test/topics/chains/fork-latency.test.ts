import { expect, it } from "vitest";
import { healthMethods } from "../../../src/api/node/health.ts";
import { fork } from "../../../src/topics/chains/fork.ts";
import { answered } from "../../support/derived.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";

/** How long a fork of a chain without an EVM stays unseen: its blocks are known from health checks alone. Times in seconds. */

const CHECK = 30;
const POLL = 15;
const FORKS = 1_000;

/** The same numbers in each run: mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let next = Math.imul(state ^ (state >>> 15), 1 | state);
    next = (next + Math.imul(next ^ (next >>> 7), 61 | next)) ^ next;
    return ((next ^ (next >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A node on its side of a fork at time 0: blocks come at random, health checks and polls in step. */
function nodeOf(name: string, pause: number, next: () => number) {
  const times: number[] = [];
  const heightAt = (time: number): number => {
    while ((times.at(-1) ?? 0) <= time) times.push((times.at(-1) ?? 0) - pause * Math.log(1 - next()));
    return 1_000 + times.filter((each) => each <= time).length;
  };
  const [check, poll] = [next() * CHECK, next() * POLL];
  /** What a poll at a time answers: the last check before it. */
  const memberAt = (time: number) => {
    const checked = check + Math.floor((time - check) / CHECK) * CHECK;
    const lastAcceptedHeight = checked < 0 ? 1_000 : heightAt(checked);
    // The last block before the fork is the same.
    const lastAcceptedID = lastAcceptedHeight === 1_000 ? "common" : `${name} ${lastAcceptedHeight}`;
    const message = { engine: { consensus: { lastAcceptedHeight, lastAcceptedID } } };
    const checks = { X: { message, timestamp: "2026-11-24T10:00:00Z", duration: 1 } };
    const report = healthMethods.health.result.parse({ checks, healthy: true });
    return { facts: contextOf({ node: name }), answers: { report: answered(report, 1) } };
  };
  return { name, poll, memberAt };
}

/** Seconds until two nodes are seen to differ. */
function unseenFor(pause: number, seed: number): number {
  const next = random(seed);
  const nodes = [nodeOf("a", pause, next), nodeOf("b", pause, next)];
  const members = new Map(nodes.map(({ name, memberAt }) => [name, memberAt(0)]));
  let state: unknown;
  for (let slot = 0; slot < 400; slot += 1)
    for (const { name, poll, memberAt } of nodes.toSorted((a, b) => a.poll - b.poll)) {
      const time = slot * POLL + poll;
      members.set(name, memberAt(time));
      const data = { members: [...members.values()] };
      state = nextState(fork, data, contextOf(), state);
      if (
        readTopic(fork, data, contextOf(), state)
          .values()
          .some((height) => height > 0)
      )
        return time;
    }
  return Infinity;
}

it.each([
  [10, 2, 7],
  [5, 3, 13],
])("of 100 forks with a block every %d s, half are seen within %d min and 99 within %d min", (pause, half, most) => {
  const times = Array.from({ length: FORKS }, (_, seed) => unseenFor(pause, seed + 1)).sort((a, b) => a - b);
  const at = (share: number): number => (times[Math.ceil(share * FORKS) - 1] ?? Infinity) / 60;
  expect(at(0.5)).toBeLessThanOrEqual(half);
  expect(at(0.99)).toBeLessThanOrEqual(most);
});
