import { describe, expect, it } from "vitest";
import type { TargetFacts } from "../../../src/api/endpoint.ts";
import { healthMethods } from "../../../src/api/node/health.ts";
import { lag } from "../../../src/topics/chains/lag.ts";
import { contextOf, nextState } from "../../support/topics.ts";

type Fleet = Parameters<typeof lag.metrics.blocks.read>[0];
type Member = Fleet["members"][number];
/** Unix seconds: a check before 2015 never ran. */
const BEGAN = 1_700_000_000;
const askedAt = ({ answers }: Member): number => (answers.report?.askedAt ?? 0) - BEGAN;

/** A chain with a block every two seconds, as a node reports it at `asked` with checks that ran at `at`; optionally some blocks behind. */
function checked(node: string, at: number, asked: number, behind = 0): Member {
  const message = { engine: { consensus: { lastAcceptedHeight: Math.floor(at / 2) - behind } } };
  const value = healthMethods.health.result.parse({
    healthy: true,
    checks: { C: { message, timestamp: new Date((BEGAN + at) * 1000).toISOString() } },
  });
  const facts: TargetFacts = { ...contextOf({}), node };
  const answers = { report: { value, askedAt: BEGAN + asked, answeredAt: BEGAN + asked } };
  // The other inputs of the topic are missing.
  return { facts, answers: answers as Fleet["members"][number]["answers"] };
}

/** Compares the nodes at each step, in order, and returns the lags at the end. */
function lags(steps: ReadonlyArray<readonly Member[]>): unknown {
  const context = contextOf({});
  const state = steps.reduce<unknown>((before, members) => nextState(lag, { members }, context, before), undefined);
  const members = steps.at(-1) ?? [];
  return lag.metrics.blocks
    .read({ members, state: state as Fleet["state"] }, { ...context, time: 0, times: {} })
    .map(([labels, value]) => [labels.node, value]);
}

describe("lag of two nodes whose checks run a second apart", () => {
  const a1 = [checked("a", 1002, 1005), checked("a", 1002, 1020)] as const;
  const a2 = [checked("a", 1032, 1035), checked("a", 1032, 1050)] as const;
  const b1 = [checked("b", 1001, 1006), checked("b", 1001, 1021)] as const;
  const b2 = [checked("b", 1031, 1036), checked("b", 1031, 1051)] as const;
  const late = ([first, second]: readonly [Member, Member], check: number) =>
    [checked("b", check, askedAt(first), 40), checked("b", check, askedAt(second), 40)] as const;

  it("is known of the node that always answers last, though the other's present answer is more recent than its own", () => {
    const [c1, c2] = [late(b1, 1001), late(b2, 1031)];
    // `b` answers only after `a` has been compared again, so that its own check is always the older one.
    expect(lags([[a1[0]], [a1[0], c1[0]], [a1[1], c1[0]], [a1[1], c1[1]], [a2[0], c1[1]], [a2[0], c2[0]]])).toEqual([
      ["a", 0],
      ["b", 26],
    ]);
  });

  it("is known where each check is reported once, and the other node has always answered again before the comparison", () => {
    const steps = [0, 1, 2, 3, 4].map((round) => [
      checked("a", 1002 + round * 30, 1007 + round * 30),
      checked("b", 1001 + round * 30, 1006 + round * 30, 40),
    ]);
    expect(lags(steps)).toEqual([
      ["a", 0],
      ["b", 11],
    ]);
  });
});
