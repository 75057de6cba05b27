import { expect, it } from "vitest";
import type { Severity } from "../../../src/topics/define/alert.ts";
import { createConditions, firingsOf } from "../../../src/cli/backtest/firing.ts";
import { outcomesOf, type Episode } from "../../../src/cli/report/notice-outcome.ts";
import { ALERTS } from "../../../src/topics/all/alerts.ts";

const END = 6_000;

/** Runs and firings as `600-1200 1320-`: an open one has no end. */
const textOf = (some: ReadonlyArray<readonly [from: number, until: number | undefined]>) =>
  some.map(([from, until]) => `${from}-${until ?? ""}`).join(" ");
const runsOf = (text: string) =>
  text.split(" ").map((run): readonly [number, number] => {
    const [first = 0, last = 0] = run.split("-").map(Number);
    return [first, last];
  });

it.each([
  // What: runs of points a minute apart, for, keep_firing_for, firings, runs that were too short.
  ["at once without for", "600-600", 0, 0, "600-660", ""],
  ["after for, until the first point without it", "600-1200", 300, 0, "900-1260", ""],
  ["at the point that completes for", "600-900", 300, 0, "900-960", ""],
  ["at the next point, where for is between two", "600-900", 270, 0, "900-960", ""],
  ["not one point earlier", "600-840", 300, 0, "", "600-840"],
  ["anew after a gap", "600-1200 1320-1800", 300, 0, "900-1260 1620-1860", ""],
  ["on through a gap that keep_firing_for covers", "600-1200 1560-1620", 300, 300, "900-1980", ""],
  ["anew after a longer gap, whose run is then too short", "600-1200 1620-1680", 300, 300, "900-1560", "1620-1680"],
  ["at the end, and pending there is not too short", `600-${END}`, 300, 0, "900-", ""],
  ["not while it is pending at the end", `5900-${END}`, 300, 0, "", ""],
])("fires %s", (_what, runs, hold, keep, firings, short) => {
  const found = firingsOf(runsOf(runs), { step: 60, hold, keep, end: END });
  expect(textOf(found.firings.map(({ from, until }) => [from, until]))).toBe(firings);
  expect(textOf(found.short)).toBe(short);
});

it("joins the points of pieces by labels, and a missing point is a gap", () => {
  const conditions = createConditions(60);
  conditions.add([
    {
      labels: { __name__: "avax_a", b: "1", a: "2" },
      samples: [
        [60, 1],
        [120, NaN],
        [240, 0],
      ],
    },
  ]);
  conditions.add([
    { labels: { a: "2", b: "1" }, samples: [[300, 1]] },
    { labels: {}, samples: [[300, 1]] },
  ]);
  expect(conditions.all()).toEqual([
    {
      labels: { a: "2", b: "1" },
      runs: [
        [60, 120],
        [240, 300],
      ],
    },
    { labels: {}, runs: [[300, 300]] },
  ]);
});

const SEVERITY: Readonly<Record<string, Severity>> = { AvaxNodeRestarting: "none", AvaxNodeUnhealthy: "warning" };
const fired = (alert: string, from: number, until?: number, node = "a"): Episode => ({
  alert,
  severity: SEVERITY[alert] ?? "critical",
  labels: { node, network: "n", instance: "e", job: "j" },
  from,
  until,
});

it.each([
  ["a page after 45 s", [fired("AvaxNodeDown", 600, 900)], 645, undefined],
  ["a ticket after 5 min", [fired("AvaxNodeUnhealthy", 600, 960)], 900, undefined],
  ["nothing that ends before", [fired("AvaxNodeUnhealthy", 600, 900)], undefined, undefined],
  [
    "nothing while a cause fires",
    [fired("AvaxNodeUnhealthy", 600, 1_200), fired("AvaxNodeDown", 840, 1_260)],
    undefined,
    "AvaxNodeDown",
  ],
  [
    "all the same, when the cause is that of another node",
    [fired("AvaxNodeUnhealthy", 600, 1_200), fired("AvaxNodeDown", 840, 1_260, "b")],
    900,
    undefined,
  ],
  [
    "all the same, when the cause comes later",
    [fired("AvaxNodeUnhealthy", 600, 1_200), fired("AvaxNodeDown", 960, 1_260)],
    900,
    undefined,
  ],
  [
    "it with the next interval after the cause",
    [fired("AvaxNodeUnhealthy", 600), fired("AvaxNodeDown", 840, 1_260)],
    1_500,
    "AvaxNodeDown",
  ],
  [
    "nothing while the cause fires to the end",
    [fired("AvaxNodeUnhealthy", 600), fired("AvaxNodeRestarting", 840)],
    undefined,
    "AvaxNodeRestarting",
  ],
] as const)("Alertmanager sends %s", (_what, episodes, sentAt, heldBy) => {
  expect(outcomesOf(episodes, ALERTS, END)[0]).toMatchObject({ sentAt, heldBy });
});
