import { describe, expect, it } from "vitest";
import type { Alert } from "../../src/topics/define/alert.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { continueTrack, keyOf, type Observed, type Track } from "../../src/diagnosis/track.ts";

const [MODEL] = ALERTS;
const START = 1_800_000_000;

function observed(labels: Observed["labels"], over: Partial<Alert> = {}): Observed {
  if (MODEL === undefined) throw new Error("no alert");
  const alert: Alert = { ...MODEL, name: "AvaxDown", severity: "critical", for: "5m", ...over };
  return { alert: alert.name, severity: alert.severity, labels, rule: { alert } };
}

type Step = {
  readonly after: number;
  readonly found: readonly Observed[];
  readonly failed?: readonly string[];
  readonly settled?: boolean;
};

const at = (after: number, ...found: readonly Observed[]): Step => ({ after, found });

/** What each evaluation lists: subject, state, and seconds from the start to the beginning. */
function evaluated(steps: readonly Step[], before: Track = new Map()): readonly unknown[] {
  let track = before;
  return steps.map(({ after, found, failed = [], settled = true }) => {
    const next = continueTrack(track, { now: START + after, found, failed: new Set<string>(failed), settled });
    track = next.track;
    return next.listed.map(({ labels, state, since = NaN }) => `${labels["node"] ?? ""} ${state} ${since - START}`);
  });
}

const A = observed({ node: "a" });
const B = observed({ node: "b" });

describe("a condition", () => {
  it("is pending until its `for` has passed, each series by itself", () => {
    expect(evaluated([at(0, A), at(200, A, B), at(299, A, B), at(300, A, B), at(500, B, A)])).toEqual([
      ["a pending 0"],
      ["a pending 0", "b pending 200"],
      ["a pending 0", "b pending 200"],
      ["a firing 0", "b pending 200"],
      ["b firing 200", "a firing 0"],
    ]);
  });

  it("that is pending does not fire because the clock was set an hour ahead", () => {
    expect(evaluated([0, 15, 3615, 3914, 3915].map((after) => at(after, A)))).toEqual([
      ...["a pending 0", "a pending 0", "a pending 3615", "a pending 3615", "a firing 3615"].map((each) => [each]),
    ]);
  });

  it("fires at once without a wait", () => {
    expect(evaluated([at(7, observed({ node: "a" }, { for: "0m" }))])).toEqual([["a firing 7"]]);
  });

  it("begins again after it has ended", () => {
    expect(evaluated([at(0, A), at(300, A), at(315), at(330, A)])).toEqual([
      ["a pending 0"],
      ["a firing 0"],
      [],
      ["a pending 330"],
    ]);
  });

  it("is unknown, not ended, where it could not be evaluated or not all nodes have been polled", () => {
    expect(
      evaluated([
        { ...at(0, A), settled: false },
        { ...at(100), settled: false },
        { ...at(200), failed: ["AvaxDown"] },
        at(300, A),
        { ...at(315), failed: ["AvaxOther"] },
        at(330, A),
      ]),
    ).toEqual([["a pending 0"], [], [], ["a firing 0"], [], ["a pending 330"]]);
  });

  it("does not begin in the future when the clock is set back", () => {
    expect(evaluated([at(0, A), at(-3_600, A), at(-3_300, A)])).toEqual([
      ["a pending 0"],
      ["a pending -3600"],
      ["a firing -3600"],
    ]);
  });

  it("continues what an earlier process knew", () => {
    const before: Track = new Map([[keyOf(A), { since: START - 900, fired: true }]]);
    expect(evaluated([{ ...at(0, B), settled: false }, at(15, A, B)], before)).toEqual([
      ["b pending 0"],
      ["a firing -900", "b pending 0"],
    ]);
  });
});

it("labels in another order are the same condition, and a node of unknown network; other labels are not", () => {
  const key = keyOf({ alert: "AvaxDown", labels: { node: "a", chain: "C" } });
  expect(keyOf({ alert: "AvaxDown", labels: { chain: "C", node: "a" } })).toBe(key);
  expect(keyOf({ alert: "AvaxDown", labels: { network: "fuji", chain: "C", node: "a" } })).toBe(key);
  expect(keyOf({ alert: "AvaxDown", labels: { chain: "a", node: "C" } })).not.toBe(key);
  const ofNetwork = keyOf({ alert: "AvaxDown", labels: { network: "fuji" } });
  expect(keyOf({ alert: "AvaxDown", labels: { network: "local" } })).not.toBe(ofNetwork);
});
