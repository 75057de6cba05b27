import { paceAfter } from "../../../src/topics/chains/doubted-height.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addMaxima, MOST_MAXIMA, type Maximum } from "../../../src/topics/chains/behind.ts";
import type { HeightHistory } from "../../../src/topics/chains/height-history.ts";
import { lag } from "../../../src/topics/chains/lag.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";

const context = contextOf();

/** An answer with a height, by the time of its request; it takes a tenth of a second. */
type Heights = Readonly<Record<string, readonly [height: number, asked: number, took?: number]>>;
const members = (heights: Heights) =>
  Object.entries(heights).map(([node, [height, asked, took = 0.1]]) => ({
    facts: contextOf({ node }),
    answers: { height: { value: { height }, askedAt: asked, answeredAt: asked + took } },
  }));

/** Compares the rounds of answers in order. */
function compared(...rounds: readonly Heights[]): ReadonlyMap<string, number> {
  const before = rounds
    .slice(0, -1)
    .reduce<unknown>((state, round) => nextState(lag, { members: members(round) }, context, state), undefined);
  return readTopic(lag, { members: members(rounds.at(-1) ?? {}) }, context, before);
}
const series = (node: string, chain = "P") =>
  `avax_chain_behind_since_timestamp_seconds{node="${node}",chain="${chain}"}`;
const behind = (...rounds: readonly Heights[]) => only(compared(...rounds), "behind_since");

/** Rounds of one answer a node every 15 s, `a` first. */
function polled(
  rounds: number,
  heightOf: (node: string, at: number) => number,
  nodes = ["a", "b"],
): readonly Heights[] {
  return Array.from({ length: rounds }, (_, round) =>
    Object.fromEntries(
      nodes.map((node, index) => {
        const at = 15 * round + index;
        return [node, [heightOf(node, at), at] as const];
      }),
    ),
  );
}

describe("behind since", () => {
  it("is when another node was first seen above the present height", () => {
    const rounds = [
      { a: [70, 6], b: [70, 5] },
      { a: [70, 6], b: [76, 15] },
      { a: [75, 30], b: [100, 25] },
    ] as const;
    expect(behind(...rounds)).toEqual({ [series("a")]: 15.1 });
  });

  it("ends when the node has caught up, and with the answers of the node or of the others", () => {
    const late = [
      { a: [70, 1], b: [70, 0] },
      { a: [70, 16], b: [80, 15] },
    ] as const;
    expect(behind(...late)).toEqual({ [series("a")]: 15.1 });
    expect(behind(...late, { a: [80, 31], b: [80, 30] })).toEqual({});
    expect(behind(...late, { b: [80, 30] })).toEqual({});
    expect(behind(...late, { a: [70, 31] })).toEqual({});
    // Its last answer is known until it expires: the node does not answer, and its time stays.
    expect(behind(...late, { a: [70, 16], b: [90, 300] })).toEqual({ [series("a")]: 15.1 });
  });

  it("of a node whose height falls is the time of the fall: it was wiped, or has another chain", () => {
    const before = [{ a: [100, 1], b: [100, 0] }] as const;
    const fallen = [...before, { a: [5, 16], b: [101, 15] }] as const;
    expect(behind(...fallen)).toEqual({ [series("a")]: 16.1 });
    // It rises, still below what the other had before the fall.
    expect(behind(...fallen, { a: [90, 31], b: [102, 30] })).toEqual({ [series("a")]: 16.1 });
    expect(behind(...fallen, { a: [102, 31], b: [102, 30] })).toEqual({});
    // The next lag is counted as usual.
    const again = [...fallen, { a: [102, 31], b: [102, 30] }, { a: [102, 46], b: [103, 45] }] as const;
    expect(behind(...again)).toEqual({ [series("a")]: 45.1 });
  });

  it("has no memory of a chain that begins again", () => {
    const old = polled(20, (_node, at) => 1000 + at);
    const first = { a: [3, 316], b: [1290, 301] } as const;
    const second = { a: [3, 331], b: [4, 330] } as const;
    const third = { a: [3, 346], b: [5, 345] } as const;
    // Until the other node has answered too, the one is behind since its fall.
    expect(behind(...old, first)).toEqual({ [series("a")]: 316.1 });
    expect(behind(...old, first, second)).toEqual({ [series("a")]: 330.1 });
    expect(behind(...old, first, second, third)).toEqual({ [series("a")]: 330.1 });
    expect(behind(...old, first, second, { a: [5, 346], b: [5, 345] })).toEqual({});
  });

  it("has no memory of the heights of a node that left with another chain", () => {
    const foreign = [
      { a: [100, 1], b: [100, 0], x: [999, 0] },
      { a: [100, 16], b: [100, 15], x: [1000, 15] },
      { a: [100, 31], b: [100, 30] },
    ] as const;
    expect(behind(...foreign)).toEqual({});
    expect(behind(...foreign, { a: [100, 46], b: [101, 45] })).toEqual({ [series("a")]: 45.1 });
  });
});

describe("after a restart of the exporter", () => {
  const restarted = (rounds: readonly Heights[]): unknown => {
    const state = rounds.reduce<unknown>(
      (last, round) => nextState(lag, { members: members(round) }, context, last),
      undefined,
    );
    return lag.saved?.restore(JSON.parse(JSON.stringify(lag.saved.save(state as never))));
  };
  const resumed = (before: readonly Heights[], ...rounds: readonly Heights[]) => {
    const state = rounds
      .slice(0, -1)
      .reduce((last, round) => nextState(lag, { members: members(round) }, context, last), restarted(before));
    return only(readTopic(lag, { members: members(rounds.at(-1) ?? {}) }, context, state), "behind_since");
  };
  const stalled = polled(20, (node, at) => (node === "a" ? 5 : 5 + Math.floor(at / 2)));

  it("a node is behind since the same time, whichever node answers first and whether it stands still", () => {
    expect(behind(...stalled)).toEqual({ [series("a")]: 16.1 });
    expect(resumed(stalled, { a: [5, 400] }, { a: [5, 415], b: [205, 401] })).toEqual({ [series("a")]: 16.1 });
    expect(resumed(stalled, { b: [205, 400] }, { a: [20, 415], b: [205, 400] })).toEqual({ [series("a")]: 46.1 });
    expect(resumed(stalled, { b: [205, 400] }, { a: [205, 415], b: [205, 400] })).toEqual({});
  });

  it("a chain that was begun again has no memory", () => {
    expect(resumed(stalled, { b: [8, 400] }, { a: [7, 415], b: [8, 400] })).toEqual({ [series("a")]: 400.1 });
  });

  it("nothing is saved of nodes in order, which are a block behind for a moment", () => {
    const inOrder = nextState(lag, { members: members({ a: [5, 1], b: [6, 0] }) }, context);
    expect(lag.saved?.save(inOrder as never)).toEqual({ chains: [], nodes: [] });
  });
});

describe("any answers", () => {
  /** One node that answers in a round: it has risen by some blocks, and is asked at some part of the round. */
  const anyAnswer = fc.record({ rise: fc.nat(3), part: fc.nat(8), took: fc.nat(1) });
  const anyRound = fc.array(fc.option(anyAnswer), { minLength: 3, maxLength: 3 });
  type Seen = { readonly node: number; readonly height: number; readonly from: number; readonly to: number };

  /** By definition: another node was seen above the last height before it was asked for. */
  function oracle(seen: readonly Seen[]): Readonly<Record<string, number>> {
    const values = [0, 1, 2].flatMap((node) => {
      const last = seen.findLast((each) => each.node === node);
      const above = seen.filter((each) => each.node !== node && each.height > (last?.height ?? Infinity));
      const isProven = above.some(({ to }) => to <= (last?.from ?? -Infinity));
      return isProven ? [[series(`n${node}`), Math.min(...above.map(({ to }) => to))] as const] : [];
    });
    return Object.fromEntries(values);
  }

  it("give the same as the definition, after every comparison, as long as each height is believed", () => {
    fc.assert(
      fc.property(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5)), fc.array(anyRound, { maxLength: 40 }), (start, rounds) => {
        const seen: Seen[] = start.map((height, node) => ({ node, height, from: node / 4, to: node / 4 }));
        let state: unknown;
        const check = () => {
          const last = [0, 1, 2].map((node) => seen.findLast((each) => each.node === node));
          const heights = last.map((each, node) => {
            const { height, from, to } = each ?? { height: 0, from: 0, to: 0 };
            return [`n${node}`, [height, from, to - from]] as const;
          });
          const data = { members: members(Object.fromEntries(heights)) };
          const samples = readTopic(lag, data, context, state);
          if (Object.keys(only(samples, "unconfirmed")).length > 0) return false;
          expect(only(samples, "behind_since")).toEqual(oracle(seen));
          state = nextState(lag, data, context, state);
          return true;
        };
        check();
        for (const [index, round] of rounds.entries()) {
          round.forEach((answer, node) => {
            if (answer === null) return;
            const height = (seen.findLast((each) => each.node === node)?.height ?? 0) + answer.rise;
            const from = 16 * (index + 1) + answer.part;
            seen.push({ node, height, from, to: from + answer.took });
          });
          if (!check()) return;
        }
      }),
    );
  });
});

describe("the maxima", () => {
  const at = (height: number, to: number): HeightHistory => ({
    height,
    from: to,
    to,
    changedAt: to,
    observations: [],
    pace: paceAfter(undefined, height, to),
    reading: { height, nodeId: "", kind: "asked", mark: to, took: 0, askedAt: to, answeredAt: to },
  });
  const nodes = (...list: readonly HeightHistory[]) => new Map(list.map((each, index) => [String(index), each]));

  it("are bounded: a lag is then understated by a few percent, and never overstated", () => {
    let maxima: readonly Maximum[] = [];
    const blocks = 20_000;
    // A block every two seconds for 11 hours, while one node has none of them.
    for (let height = 1; height <= blocks; height++)
      maxima = addMaxima(maxima, nodes(at(0, 0), at(height, 2 * height)));
    expect(maxima).toHaveLength(MOST_MAXIMA);
    expect(maxima.at(-1)).toEqual({ height: blocks, at: 2 * blocks });
    let worst = 0;
    for (let height = 0; height < blocks; height++) {
      const truth = 2 * blocks - 2 * (height + 1);
      const lagging = 2 * blocks - (maxima.find((each) => each.height > height)?.at ?? NaN);
      expect(lagging <= truth).toBe(true);
      // One block is the least that a lag differs by.
      if (truth > lagging + 2) worst = Math.max(worst, (truth - lagging) / truth);
    }
    expect(worst).toBeLessThan(0.03);
  });
});
