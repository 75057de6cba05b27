import { describe, expect, it } from "vitest";
import type { Alert } from "../../src/topics/define/alert.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { continueTrack, keyOf, type Observed, type Track } from "../../src/diagnosis/tracker.ts";

const MODEL = ALERTS.find(({ keepFiringFor }) => keepFiringFor === undefined);
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

/** What each evaluation lists: subject, state, and seconds from the start to the beginning. */
function evaluated(steps: readonly Step[], before: Track<Observed> = new Map()): readonly unknown[] {
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
    expect(
      evaluated([
        { after: 0, found: [A] },
        { after: 200, found: [A, B] },
        { after: 299, found: [A, B] },
        { after: 300, found: [A, B] },
        { after: 500, found: [B, A] },
      ]),
    ).toEqual([
      ["a pending 0"],
      ["a pending 0", "b pending 200"],
      ["a pending 0", "b pending 200"],
      ["a firing 0", "b pending 200"],
      ["b firing 200", "a firing 0"],
    ]);
  });

  it("that is pending does not fire because the clock was set an hour ahead", () => {
    const found = [A];
    expect(evaluated([0, 15, 3615, 3914, 3915].map((after) => ({ after, found })))).toEqual([
      ...["a pending 0", "a pending 0", "a pending 3615", "a pending 3615", "a firing 3615"].map((each) => [each]),
    ]);
  });

  it("fires at once without a wait", () => {
    expect(evaluated([{ after: 7, found: [observed({ node: "a" }, { for: "0m" })] }])).toEqual([["a firing 7"]]);
  });

  it("begins again after it has ended", () => {
    expect(
      evaluated([
        { after: 0, found: [A] },
        { after: 300, found: [A] },
        { after: 315, found: [] },
        { after: 330, found: [A] },
      ]),
    ).toEqual([["a pending 0"], ["a firing 0"], [], ["a pending 330"]]);
  });

  it("is unknown, not ended, where it could not be evaluated or not all nodes have been polled", () => {
    expect(
      evaluated([
        { after: 0, found: [A], settled: false },
        { after: 100, found: [], settled: false },
        { after: 200, found: [], failed: ["AvaxDown"] },
        { after: 300, found: [A] },
        { after: 315, found: [], failed: ["AvaxOther"] },
        { after: 330, found: [A] },
      ]),
    ).toEqual([["a pending 0"], [], [], ["a firing 0"], [], ["a pending 330"]]);
  });

  it("fires on for `keep_firing_for` with its last values, if it has fired", () => {
    const kept = observed({ node: "a" }, { for: "1m", keepFiringFor: "2m" });
    expect(
      evaluated([
        { after: 0, found: [kept] },
        { after: 15, found: [] },
        { after: 30, found: [kept] },
        { after: 90, found: [kept] },
        { after: 105, found: [] },
        { after: 224, found: [] },
        { after: 225, found: [] },
        { after: 240, found: [kept] },
        { after: 300, found: [kept] },
        { after: 400, found: [] },
        { after: 410, found: [kept] },
      ]),
    ).toEqual([
      ["a pending 0"],
      [],
      ["a pending 30"],
      ["a firing 30"],
      ["a firing 30"],
      ["a firing 30"],
      [],
      ["a pending 240"],
      ["a firing 240"],
      ["a firing 240"],
      ["a firing 240"],
    ]);
  });

  it("does not begin in the future when the clock is set back", () => {
    expect(
      evaluated([
        { after: 0, found: [A] },
        { after: -3_600, found: [A] },
        { after: -3_300, found: [A] },
      ]),
    ).toEqual([["a pending 0"], ["a pending -3600"], ["a firing -3600"]]);
  });

  it("continues what an earlier process knew", () => {
    const before: Track<Observed> = new Map([[keyOf(A), { since: START - 900, fired: true }]]);
    expect(
      evaluated(
        [
          { after: 0, found: [B], settled: false },
          { after: 15, found: [A, B] },
        ],
        before,
      ),
    ).toEqual([["b pending 0"], ["a firing -900", "b pending 0"]]);
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
