import { describe, expect, it } from "vitest";
import { healthResources } from "../../src/api/health.ts";
import { lag } from "../../src/metrics/lag.ts";
import { recorded } from "../support/recordings.ts";
import { contextOf, nextState, only, readTopic } from "../support/topics.ts";

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

type Sight = { readonly height: number; readonly asked: number; readonly answered?: number };

/** A member that was asked for its P-Chain height. */
const direct = (node: string, { height, asked, answered = asked + 0.1 }: Sight) => ({
  subject: contextOf({ node }),
  answers: { report: undefined, height: { value: { height }, askedAt: T + asked, answeredAt: T + answered } },
});
/** A member whose health report tells the heights of its chains at the time of the check. */
const checked = (node: string, heights: Readonly<Record<string, number>>, at: number) => ({
  subject: contextOf({ node }),
  answers: {
    report: { value: report(heights, T + at), askedAt: T + at + 5, answeredAt: T + at + 5 },
    height: undefined,
  },
});
type Member = { readonly subject: object; readonly answers: object };

/** Compares one round of answers after the other; gives the samples after the last one. */
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
  it("are those that another node had before this one was asked", () => {
    const samples = compared([direct("a", { height: 100, asked: 0 }), direct("b", { height: 75, asked: 5 })]);
    expect(lagOf(samples, "b")).toBe(25);
    expect(samples.get('avax_chain_highest_height{network="local",chain="P"}')).toBe(100);
  });

  it("do not count answers that came later, or were under way at the same time", () => {
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

  it("are unknown with nobody to compare", () => {
    const samples = compared([direct("a", { height: 100, asked: 0 })]);
    expect(only(samples, "lag_blocks")).toEqual({});
    expect(samples.get('avax_chain_highest_height{network="local",chain="P"}')).toBe(100);
    expect(compared([])).toEqual(new Map());
    expect(only(compared([checked("a", { C: 5 }, 0), direct("b", { height: 5, asked: 0 })]), "lag_blocks")).toEqual({});
  });

  it("are compared with the answer before the last one, where that one is younger", () => {
    const samples = compared(
      [direct("a", { height: 75, asked: 0 }), direct("b", { height: 100, asked: 1 })],
      [direct("a", { height: 80, asked: 15 }), direct("b", { height: 104, asked: 16 })],
    );
    expect(lagOf(samples, "a")).toBe(20);
  });

  it("stay as they were judged until the node answers again", () => {
    const first = [direct("a", { height: 100, asked: 0 }), direct("b", { height: 100, asked: 5 })];
    expect(lagOf(compared(first), "b")).toBe(0);
    // The chain moved on elsewhere, but nobody has asked b since.
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
    expect(samples.get('avax_chain_highest_height{network="local",chain="P"}')).toBe(101);
  });

  it("of other chains are judged at the time of the check, and P by its own method where there is one", () => {
    const samples = compared([checked("a", { C: 500, P: 100 }, 0), checked("b", { C: 480, P: 90 }, 10)]);
    expect(lagOf(samples, "b", "C")).toBe(20);
    expect(lagOf(samples, "b")).toBe(10);
    const asked = checked("b", { C: 480, P: 90 }, 10);
    const mixed = {
      subject: asked.subject,
      answers: { ...asked.answers, height: { value: { height: 99 }, askedAt: T + 12, answeredAt: T + 12 } },
    };
    expect(lagOf(compared([checked("a", { C: 500, P: 100 }, 0), mixed]), "b")).toBe(1);
  });

  it("of a check that has not run are unknown", () => {
    const silent = {
      subject: contextOf({ node: "b" }),
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

  it("show the validator that an upgrade left behind while it calls itself healthy", () => {
    const of = (node: string, recording: string) => ({
      subject: contextOf({ node }),
      answers: {
        report: { value: recorded(recording, "health.get", healthResources.health.result), askedAt: 0, answeredAt: 0 },
        height: undefined,
      },
    });
    const left = of("left", "custom-left-behind");
    expect(left.answers.report.value.healthy).toBe(true);
    const samples = compared([of("good", "custom-helicon-active"), left]);
    expect(samples.get('avax_chain_highest_height{network="local",chain="P"}')).toBe(2);
    expect(lagOf(samples, "left")).toBe(2);
    expect(lagOf(samples, "left", "C")).toBe(6);
  });
});

describe("standing still", () => {
  it("is counted from the first sight of the height", () => {
    const at = (asked: number, height: number) => [direct("a", { height, asked })];
    expect(sinceOf(compared(at(0, 100)), "a")).toBe(T + 0.1);
    expect(sinceOf(compared(at(0, 100), at(15, 100), at(30, 100)), "a")).toBe(T + 0.1);
    expect(sinceOf(compared(at(0, 100), at(15, 101), at(30, 101)), "a")).toBe(T + 15.1);
    expect(sinceOf(compared(at(0, 100), at(15, 99)), "a")).toBe(T + 15.1);
  });

  it("is told of a node that nobody can be compared with, too", () => {
    expect(sinceOf(compared([checked("a", { C: 7 }, 3)]), "a", "C")).toBe(T + 3);
  });
});
