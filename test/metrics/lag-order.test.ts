import { describe, expect, it } from "vitest";
import type { Subject } from "../../src/api/endpoint.ts";
import { healthMethods } from "../../src/api/health.ts";
import { lag } from "../../src/metrics/lag.ts";
import { contextOf } from "../support/topics.ts";

type Fleet = Parameters<typeof lag.metrics.blocks.read>[0];

/** A chain with a block every two seconds, as a node sees it whose checks ran at `at`; it may be so many blocks behind. */
function checked(node: string, at: number, behind = 0): Fleet["members"][number] {
  const message = { engine: { consensus: { lastAcceptedHeight: Math.floor(at / 2) - behind } } };
  const value = healthMethods.health.result.parse({
    healthy: true,
    checks: { C: { message, timestamp: new Date(at * 1000).toISOString() } },
  });
  const subject: Subject = { ...contextOf({}), node };
  const answers = { report: { value, askedAt: at + 5, answeredAt: at + 5 } };
  // Whatever else the topic reads is not there.
  return { subject, answers: answers as Fleet["members"][number]["answers"] };
}

/** Compares the nodes at each step, in order, and tells what is said of lag at the end. */
function lags(steps: ReadonlyArray<readonly Fleet["members"][number][]>): unknown {
  const next = lag.next as unknown as (state: Fleet["state"], data: unknown, context: unknown) => Fleet["state"];
  const start = lag.start as unknown as () => Fleet["state"];
  const context = contextOf({});
  const state = steps.reduce((before, members) => next(before, { members }, context), start());
  const members = steps.at(-1) ?? [];
  return lag.metrics.blocks
    .read({ members, state }, { ...context, time: 0, times: {} })
    .map(([labels, value]) => [labels.node, value]);
}

describe("lag of two nodes whose checks run a second apart", () => {
  it("is known of the one that always answers last, though the other's answer of now is younger than its own", () => {
    const [a1, a2] = [checked("a", 1002), checked("a", 1032)];
    const [b1, b2] = [checked("b", 1001, 40), checked("b", 1031, 40)];
    // `a` answers at once; `b` only after `a` has been compared again, so that its own check is always the older one.
    expect(lags([[a1], [a1], [a1, b1], [a2, b1], [a2, b1], [a2, b2]])).toEqual([
      ["a", 0],
      ["b", 26],
    ]);
  });

  it("is 0 for both while they keep up", () => {
    const [a1, a2] = [checked("a", 1002), checked("a", 1032)];
    const [b1, b2] = [checked("b", 1001), checked("b", 1031)];
    expect(lags([[a1], [a1, b1], [a2, b1], [a2, b1], [a2, b2]])).toEqual([
      ["a", 0],
      ["b", 0],
    ]);
  });

  it("stays as it was judged until the node answers again", () => {
    const [a1, a2, b2] = [checked("a", 1002), checked("a", 1062), checked("b", 1031, 40)];
    expect(lags([[a1], [a1, b2]])).toEqual([["b", 26]]);
    expect(lags([[a1], [a1, b2], [a2, b2], [a2, b2]])).toEqual([
      ["a", 0],
      ["b", 26],
    ]);
  });

  it("is not known with nobody to compare", () => {
    expect(lags([[checked("a", 1002)], [checked("a", 1032)]])).toEqual([]);
  });
});
