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
    report: {
      value: { ...report(heights, T + at + ahead), date: T + asked + ahead },
      askedAt: T + asked,
      answeredAt: T + asked + 0.1,
    },
    height: undefined,
  },
});
type Member = { readonly facts: object; readonly answers: object };

type Rounds = ReadonlyArray<readonly Member[]>;
/** The state after the rounds of answers, in order. @param from of an earlier process */
const after = (rounds: Rounds, from?: unknown): unknown =>
  rounds.reduce<unknown>((state, members) => nextState(lag, { members }, context, state), from);
/** Compares the rounds of answers; returns the samples after the last one. */
const compared = (...rounds: Rounds): ReadonlyMap<string, number> => comparedFrom(undefined, ...rounds);
const comparedFrom = (from: unknown, ...rounds: Rounds): ReadonlyMap<string, number> =>
  readTopic(lag, { members: rounds.at(-1) ?? [] }, context, after(rounds.slice(0, -1), from));
const lagOf = (samples: ReadonlyMap<string, number>, node: string, chain = "P") =>
  samples.get(`avax_chain_lag_blocks{node="${node}",chain="${chain}"}`);
const sinceOf = (samples: ReadonlyMap<string, number>, node: string, chain = "P") =>
  samples.get(`avax_chain_height_changed_timestamp_seconds{node="${node}",chain="${chain}"}`);

/** By node: a P-Chain height, and when it was asked for and answered. */
type Heights = Readonly<Record<string, readonly [height: number, asked: number, answered?: number]>>;
const polled = (heights: Heights) =>
  Object.entries(heights).map(([node, [height, asked, answered = asked + 0.1]]) =>
    direct(node, { height, asked, answered }),
  );
const EQUAL: Heights = { a: [100, 0], b: [100, 5] };
const BEHIND: Heights = { a: [100, 0], b: [75, 5] };
const TOO_RECENT: Heights = { a: [75, 0], b: [100, 1] };

it("is unknown by a check that has not run for minutes: a chain whose VM hangs is no lag", () => {
  const at = (asked: number, ran: number) => [
    checked("a", { X: 100 }, ran, { asked }),
    checked("b", { X: 130 }, asked - 5, { asked }),
  ];
  const blocks = (asked: number) => lagOf(compared(at(5, 0), at(35, 30), at(65, 60), at(asked, 60)), "a", "X");
  expect([blocks(239), blocks(240)]).toEqual([30, undefined]);
});

it("goes on where a node's ID becomes known after its answer: it is the same node", () => {
  const round = (asked: number, ran: number, nodeId: string | undefined) => [
    { ...checked("a", { X: 100 }, ran, { asked }), facts: { ...contextOf({ node: "a" }), nodeId } },
    checked("b", { X: 130 }, asked - 5, { asked: asked - 5 }),
  ];
  const samples = compared(round(5, 0, undefined), round(5, 0, "NodeID-a"), round(35, 30, "NodeID-a"));
  expect(lagOf(samples, "a", "X")).toBe(30);
});

it("the time behind goes on over a restart of the exporter, where health checks answer before the heads of C", () => {
  const upgrades = { value: new Map([["helicon", T - 1]]), askedAt: T, answeredAt: T };
  /** Node a stands at block 5, b goes on. A health check has the accepted height. */
  const member = (node: string, asked: number, hasHead: boolean) => {
    const height = node === "a" ? 5 : 5 + asked;
    const head = { value: { height }, askedAt: T + asked, answeredAt: T + asked + 0.1 };
    const { facts, answers } = checked(node, { C: height }, asked);
    return { facts, answers: { ...answers, upgrades, heads: hasHead ? new Map([["C", head]]) : undefined } };
  };
  const round = (at: number, { a = true, b = true } = {}) => [member("b", at, b), member("a", at + 1, a)];
  const behind = Array.from({ length: 20 }, (_, i) => round(15 * i));
  const saved = lag.saved?.restore(JSON.parse(JSON.stringify(lag.saved.save(after(behind) as never))));
  const samples = comparedFrom(saved, round(400, { a: false, b: false }), round(401, { a: false }), round(415));
  expect(samples.get('avax_chain_behind_since_timestamp_seconds{node="a",chain="C"}')).toBe(T + 15.1);
});

describe("blocks behind", () => {
  it.each<[string, readonly Heights[], node: string, blocks: number | undefined]>([
    ["those that another node had before this one was polled", [{ a: [100, 0], b: [75, 5] }], "b", 25],
    ["not those of a later answer", [{ a: [75, 0], b: [100, 5] }], "a", undefined],
    ["not those of an answer that came after the request", [{ a: [75, 0], b: [100, -1, 0.05] }], "a", undefined],
    ["those of an answer at the time of the request", [{ a: [75, 0], b: [100, -1, 0] }], "a", 25],
    ["never negative", [{ a: [100, 5], b: [75, 0] }], "a", 0],
    ["of an earlier answer, where the last is too recent", [TOO_RECENT, { a: [80, 15], b: [104, 16] }], "a", 20],
    ["the same until the node answers again", [EQUAL, { a: [130, 15], b: [100, 5] }], "b", 0],
    ["others when it has", [EQUAL, { a: [130, 15], b: [104, 20] }], "b", 26],
    ["0 once it has caught up", [BEHIND, { a: [101, 15], b: [101, 20] }], "b", 0],
    ["unknown once the others have left", [BEHIND, { b: [75, 20] }, { b: [75, 35] }], "b", undefined],
  ])("are %s", (_which, rounds, node, blocks) => {
    expect(lagOf(compared(...rounds.map(polled)), node)).toBe(blocks);
  });

  it("are unknown without another node", () => {
    const samples = compared([direct("a", { height: 100, asked: 0 })]);
    expect(only(samples, "lag_blocks")).toEqual({});
    expect(samples.get('avax_chain_highest_height{chain="P"}')).toBe(100);
    expect(compared([])).toEqual(new Map());
    expect(only(compared([checked("a", { C: 5 }, 0), direct("b", { height: 5, asked: 0 })]), "lag_blocks")).toEqual({});
  });

  it("of a node that left are gone at once", () => {
    const both = polled(BEHIND);
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

describe("of two nodes whose checks run a second apart, with a block every two seconds", () => {
  const at = (node: string, check: number, asked: number, behind = 0) =>
    checked(node, { X: Math.floor(check / 2) - behind }, check, { asked });
  const lags = (rounds: ReadonlyArray<readonly Member[]>) => {
    const samples = compared(...rounds);
    return [lagOf(samples, "a", "X"), lagOf(samples, "b", "X")];
  };

  it("is known of the one that always answers last, though the other's answer is more recent than its own", () => {
    const [a1, a2, a3] = [at("a", 1002, 1005), at("a", 1002, 1020), at("a", 1032, 1035)];
    const [b1, b2, b3] = [at("b", 1001, 1006, 40), at("b", 1001, 1021, 40), at("b", 1031, 1036, 40)];
    // `b` answers only after `a` has been compared again, so that its own check is always the older one.
    expect(lags([[a1], [a1, b1], [a2, b1], [a2, b2], [a3, b2], [a3, b3]])).toEqual([0, 26]);
  });

  it("is known where each check is reported once, and the other has always answered again before the comparison", () => {
    const rounds = [0, 30, 60, 90, 120].map((later) => [
      at("a", 1002 + later, 1007 + later),
      at("b", 1001 + later, 1006 + later, 40),
    ]);
    expect(lags(rounds)).toEqual([0, 11]);
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

describe("one of four nodes that reports blocks which no other has", () => {
  /** Polls each 15 s; the last node reports `lead` blocks more from a time on. */
  function lied(pace: number, lead: number, from: number, honest = 3) {
    const rounds = Array.from({ length: 120 }, (_, index) => {
      const at = 15 * index;
      return Array.from({ length: honest + 1 }, (_node, node) => {
        const asked = at + 3 * node;
        const lie = node === honest && at >= from ? lead : 0;
        return direct("abcde".charAt(node), { height: 1000 + Math.floor(pace * asked) + lie, asked });
      });
    });
    const samples = compared(...rounds);
    const since = Object.values(only(samples, "avax_chain_behind_since"));
    return { samples, behind: Math.max(0, ...since.map((time) => T + 15 * 120 - time)) };
  }

  it.each([
    [0.2, 90, 600],
    [0.2, 90, 0],
    [0.5, 50, 600],
    [0.01, 50, 600],
    [0, 50, 600],
    [0, 50, 0],
    [0, 2, 600],
    [2, 5000, 300],
  ])("at a pace of %d a second and %d blocks ahead after %d s, makes none of them late", (pace, lead, from) => {
    const { samples, behind } = lied(pace, lead, from);
    expect(behind).toBeLessThan(100);
    expect(samples.get('avax_chain_unconfirmed_blocks{node="d",chain="P"}')).toBeGreaterThan(0);
    expect(Object.keys(only(samples, "unconfirmed"))).toHaveLength(1);
  });

  it("with few blocks, makes them as late as the chain needs for these", () => {
    expect(lied(0.2, 10, 600).behind).toBeLessThan(100);
    expect(lied(1, 30, 600).behind).toBeLessThan(100);
  });

  it("is believed while the others stand still and it goes on at the pace of the chain", () => {
    const rounds = Array.from({ length: 160 }, (_, index) =>
      ["a", "b", "c", "d"].map((node, place) => {
        const asked = 15 * index + 3 * place;
        return direct(node, { height: 1000 + Math.floor((node === "d" ? asked : Math.min(asked, 900)) / 5), asked });
      }),
    );
    const samples = compared(...rounds);
    expect(only(samples, "unconfirmed")).toEqual({});
    expect(lagOf(samples, "a")).toBeGreaterThan(250);
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
