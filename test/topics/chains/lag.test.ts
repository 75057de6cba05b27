import { describe, expect, it } from "vitest";
import { healthResources } from "../../../src/api/node/health.ts";
import { lag } from "../../../src/topics/chains/lag.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";

const T = 1_800_000_000;
const context = contextOf();
const report = (heights: Readonly<Record<string, number>>, at: number) =>
  healthResources.health.result.parse({
    healthy: true,
    checks: Object.fromEntries(
      Object.entries(heights).map(([chain, height]) => [
        chain,
        {
          timestamp: new Date(at * 1000).toISOString(),
          message: { engine: { consensus: { lastAcceptedHeight: height } } },
        },
      ]),
    ),
  });

type Reading = { readonly height: number; readonly asked: number; readonly answered?: number };

/** A member that was polled for its P-Chain height. */
const direct = (node: string, { height, asked, answered = asked + 0.1 }: Reading) => ({
  facts: contextOf({ node }),
  answers: { report: undefined, height: { value: { height }, askedAt: T + asked, answeredAt: T + answered } },
});
/** A member whose health report has the heights of its chains; the check ran at `at` by the node's clock, which is `ahead` of ours. */
const checked = (
  node: string,
  heights: Readonly<Record<string, number>>,
  at: number,
  { asked = at + 5, ahead = 0 } = {},
) => ({
  facts: contextOf({ node }),
  answers: {
    report: { value: report(heights, T + at + ahead), askedAt: T + asked, answeredAt: T + asked + 0.1 },
    height: undefined,
  },
});
type Member = { readonly facts: object; readonly answers: object };

/** Compares the rounds of answers in order; returns the samples after the last one. */
function compared(...rounds: ReadonlyArray<readonly Member[]>): ReadonlyMap<string, number> {
  const before = rounds
    .slice(0, -1)
    .reduce<unknown>((state, members) => nextState(lag, { members }, context, state), undefined);
  return readTopic(lag, { members: rounds.at(-1) ?? [] }, context, before);
}
const lagOf = (samples: ReadonlyMap<string, number>, node: string, chain = "P") =>
  samples.get(`avax_chain_lag_blocks{node="${node}",chain="${chain}"}`);
const sinceOf = (samples: ReadonlyMap<string, number>, node: string, chain = "P") =>
  samples.get(`avax_chain_height_changed_timestamp_seconds{node="${node}",chain="${chain}"}`);

describe("blocks behind", () => {
  it("are those that another node had before this one was polled", () => {
    const samples = compared([direct("a", { height: 100, asked: 0 }), direct("b", { height: 75, asked: 5 })]);
    expect(lagOf(samples, "b")).toBe(25);
    expect(samples.get('avax_chain_highest_height{chain="P"}')).toBe(100);
  });

  it("do not count answers that came later or at the same time", () => {
    const a = direct("a", { height: 75, asked: 0 });
    expect(lagOf(compared([a, direct("b", { height: 100, asked: 5 })]), "a")).toBeUndefined();
    expect(
      lagOf(
        compared([direct("a", { height: 75, asked: 0 }), direct("b", { height: 100, asked: -1, answered: 0.05 })]),
        "a",
      ),
    ).toBeUndefined();
    expect(
      lagOf(
        compared([direct("a", { height: 75, asked: 0 }), direct("b", { height: 100, asked: -1, answered: 0 })]),
        "a",
      ),
    ).toBe(25);
  });

  it("are never negative: the highest node is 0 behind", () => {
    expect(lagOf(compared([direct("a", { height: 100, asked: 5 }), direct("b", { height: 75, asked: 0 })]), "a")).toBe(
      0,
    );
  });

  it("are unknown without another node", () => {
    const samples = compared([direct("a", { height: 100, asked: 0 })]);
    expect(only(samples, "lag_blocks")).toEqual({});
    expect(samples.get('avax_chain_highest_height{chain="P"}')).toBe(100);
    expect(compared([])).toEqual(new Map());
    expect(only(compared([checked("a", { C: 5 }, 0), direct("b", { height: 5, asked: 0 })]), "lag_blocks")).toEqual({});
  });

  it("are compared with the answer before the last one, where the last is too recent", () => {
    const samples = compared(
      [direct("a", { height: 75, asked: 0 }), direct("b", { height: 100, asked: 1 })],
      [direct("a", { height: 80, asked: 15 }), direct("b", { height: 104, asked: 16 })],
    );
    expect(lagOf(samples, "a")).toBe(20);
  });

  it("stay the same until the node answers again", () => {
    const first = [direct("a", { height: 100, asked: 0 }), direct("b", { height: 100, asked: 5 })];
    expect(lagOf(compared(first), "b")).toBe(0);
    // The chain moved on elsewhere, but b was not polled since.
    expect(
      lagOf(compared(first, [direct("a", { height: 130, asked: 15 }), direct("b", { height: 100, asked: 5 })]), "b"),
    ).toBe(0);
    expect(
      lagOf(compared(first, [direct("a", { height: 130, asked: 15 }), direct("b", { height: 104, asked: 20 })]), "b"),
    ).toBe(26);
  });

  it("end when the node has caught up, and when the others have left", () => {
    const behind = [direct("a", { height: 100, asked: 0 }), direct("b", { height: 75, asked: 5 })];
    expect(
      lagOf(compared(behind, [direct("a", { height: 101, asked: 15 }), direct("b", { height: 101, asked: 20 })]), "b"),
    ).toBe(0);
    expect(
      only(
        compared(behind, [direct("b", { height: 75, asked: 20 })], [direct("b", { height: 75, asked: 35 })]),
        "lag_blocks",
      ),
    ).toEqual({});
  });

  it("of a node that left are gone at once", () => {
    const both = [direct("a", { height: 100, asked: 0 }), direct("b", { height: 75, asked: 5 })];
    const samples = compared(both, [direct("a", { height: 101, asked: 15 })]);
    expect(only(samples, 'node="b"')).toEqual({});
    expect(samples.get('avax_chain_highest_height{chain="P"}')).toBe(101);
    // What the node that left had accepted stays, until another one is higher.
    const without = (height: number) => compared(both, [direct("b", { height, asked: 15 })]);
    expect(without(76).get('avax_chain_highest_height{chain="P"}')).toBe(100);
    expect(without(102).get('avax_chain_highest_height{chain="P"}')).toBe(102);
  });

  it("compare executed heights of C with executed ones once Helicon is active", () => {
    const upgrades = { value: new Map([["helicon", T - 1]]), askedAt: T, answeredAt: T };
    const head = { value: { height: 40 }, askedAt: T + 20, answeredAt: T + 20.1 };
    const executed = { ...direct("b", { height: 9, asked: 20 }), answers: { heads: new Map([["C", head]]), upgrades } };
    const accepted = checked("a", { C: 100 }, 0);
    expect(lagOf(compared([accepted, executed]), "b", "C")).toBeUndefined();
    const before = { ...executed, answers: { heads: executed.answers.heads } };
    expect(lagOf(compared([accepted, before]), "b", "C")).toBe(60);
  });

  it("of chains from health checks count from the last answer without the check", () => {
    const a = checked("a", { X: 500 }, 0, { asked: 5 });
    const steps = (asked: number) => [
      [a, checked("b", { X: 470 }, -10, { asked: 6 })],
      [a, checked("b", { X: 470 }, -10, { asked })],
      [a, checked("b", { X: 480 }, 20, { asked: 36 })],
    ];
    expect(lagOf(compared(...steps(21)), "b", "X")).toBe(20);
    // Asked again before the other's answer had come: the check may have run before that too.
    const early = [[checked("b", { X: 470 }, -10, { asked: 4 })], [a, checked("b", { X: 480 }, 20, { asked: 36 })]];
    expect(lagOf(compared(...early), "b", "X")).toBeUndefined();
    // The age of a node's first check is unknown.
    expect(lagOf(compared([a, checked("b", { X: 480 }, 20)]), "b", "X")).toBeUndefined();
  });

  it("subtract the duration of a check, because the height may have been read at its beginning", () => {
    const a = checked("a", { X: 500 }, 0, { asked: 5 });
    const lasting = (duration: number) => {
      const slow = checked("b", { X: 480 }, 20, { asked: 36 });
      Object.assign(slow.answers.report.value.checks["X"] ?? {}, { duration });
      return lagOf(compared([a, checked("b", { X: 470 }, -10, { asked: 21 })], [a, slow]), "b", "X");
    };
    expect([lasting(16), lasting(15)]).toEqual([undefined, 20]);
  });

  it.each([
    ["right", 0, 0],
    ["a minute ahead", 60, 0],
    ["a minute behind", -60, 0],
    ["an hour ahead, another's an hour behind", 3600, -3600],
  ])("of a node that keeps up are none while its clock is %s", (_which, ahead, others) => {
    // A block every two seconds; both run their checks every 30 s and are asked every 15 s.
    const at = (node: string, check: number, asked: number, skew: number) =>
      checked(node, { X: Math.floor(check / 2) }, check, { asked, ahead: skew });
    const rounds = [];
    for (let now = 60; now < 600; now += 15) {
      const a = at("a", Math.floor(now / 30) * 30, now + 0.2, others);
      const b = at("b", Math.floor((now - 2) / 30) * 30 + 2, now + 0.5, ahead);
      rounds.push([a, b]);
    }
    for (let last = 6; last <= rounds.length; last++) {
      const samples = compared(...rounds.slice(0, last));
      expect([lagOf(samples, "a", "X"), lagOf(samples, "b", "X")]).toEqual([0, 0]);
    }
  });

  it("come from the P-Chain's own method where there is one", () => {
    const asked = checked("b", { C: 480, P: 90 }, 10);
    const mixed = {
      facts: asked.facts,
      answers: { ...asked.answers, height: { value: { height: 99 }, askedAt: T + 12, answeredAt: T + 12 } },
    };
    expect(lagOf(compared([checked("a", { C: 500, P: 100 }, 0), mixed]), "b")).toBe(1);
  });

  it("are computed again for another node at the same address", () => {
    const a = checked("a", { X: 500 }, 0, { asked: 5 });
    const before = checked("b", { X: 470 }, -10, { asked: 21 });
    const after = {
      ...checked("b", { X: 100 }, 20, { asked: 36 }),
      facts: contextOf({ node: "b", nodeId: "NodeID-new" }),
    };
    expect(lagOf(compared([a, before], [a, after]), "b", "X")).toBeUndefined();
  });

  it("of a check that has not run are unknown", () => {
    const silent = {
      facts: contextOf({ node: "b" }),
      answers: {
        report: {
          value: healthResources.health.result.parse({
            healthy: false,
            checks: {
              C: {
                error: "not yet run",
                timestamp: "0001-01-01T00:00:00Z",
                duration: 0,
                message: { engine: { consensus: { lastAcceptedHeight: 0 } } },
              },
            },
          }),
          askedAt: T,
          answeredAt: T,
        },
        height: undefined,
      },
    };
    expect(only(compared([checked("a", { C: 500 }, -5), silent]), 'node="b"')).toEqual({});
  });
});

describe("a height that no other node has", () => {
  const round = (asked: number, ...heights: readonly number[]) =>
    heights.map((height, index) => direct("abcde".charAt(index), { height, asked: asked + index }));
  it.each([
    ["jumps", [round(0, 100, 100, 100), round(15, 9000, 100, 101)], [8899, undefined, 0, 0]],
    ["jumps, and stays", [round(0, 5, 5), round(15, 9000, 5), round(30, 9007, 6)], [9001, undefined, undefined]],
    ["jumps, and is back", [round(0, 5, 5), round(15, 9000, 5), round(30, 6, 6)], [undefined, 0, 0]],
    [
      "is there from the start beside two that move",
      [round(0, 9000, 1, 1), round(15, 9000, 3, 2)],
      [8997, undefined, 0, 1],
    ],
    [
      "is there from the start beside stalled ones",
      [round(0, 9000, 1, 1), round(15, 9000, 1, 1)],
      [undefined, 0, 8999, 8999],
    ],
    ["rises in the time since the others stalled", [round(0, 5, 5), round(900, 9000, 5)], [undefined, 0, 8995]],
    ["is confirmed by a second node", [round(0, 5, 5, 5), round(15, 9000, 8990, 5)], [undefined, 0, 10, 8995]],
  ])("%s", (_which, rounds, [blocks, ...lags]) => {
    const samples = compared(...rounds);
    expect(samples.get('avax_chain_unconfirmed_blocks{node="a",chain="P"}')).toBe(blocks);
    expect(lags.map((_, index) => lagOf(samples, "abcde".charAt(index)))).toEqual(lags);
  });
});

describe("standing still", () => {
  it("is counted from the first answer with the height", () => {
    const at = (asked: number, height: number) => [direct("a", { height, asked })];
    expect(sinceOf(compared(at(0, 100)), "a")).toBe(T + 0.1);
    expect(sinceOf(compared(at(0, 100), at(15, 100), at(30, 100)), "a")).toBe(T + 0.1);
    expect(sinceOf(compared(at(0, 100), at(15, 101), at(30, 101)), "a")).toBe(T + 15.1);
    expect(sinceOf(compared(at(0, 100), at(15, 99)), "a")).toBe(T + 15.1);
  });

  it("is known of a single node too", () => {
    expect(sinceOf(compared([checked("a", { C: 7 }, 3)]), "a", "C")).toBe(T + 8.1);
  });
});
