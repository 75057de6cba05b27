import { expect, it } from "vitest";
import { buildReport } from "../../../src/cli/report/build-report.ts";
import type { QueryAnswers } from "../../../src/cli/report/collect-answers.ts";
import { periodUntil } from "../../../src/cli/report/report-period.ts";
import type { RangeSeries } from "../../../src/cli/report/prometheus-client.ts";
import { QUERIES, type QueryName } from "../../../src/cli/report/queries.ts";

import { scarceDowntime, uptimeShortfall } from "../../../src/topics/validators/reward-state.ts";

const DAY = 86_400;
const PERIOD = periodUntil(1_768_176_000, 7 * DAY);

/** The answers to some queries as labels and value; all others are empty. */
function answers(
  given: Partial<Record<QueryName, ReadonlyArray<readonly [Record<string, string>, number]>>>,
): QueryAnswers {
  const states = Object.keys(QUERIES).map((name): [string, readonly RangeSeries[]] => [
    name,
    (given[name as QueryName] ?? []).map(([labels, value]) => ({ labels, samples: [[PERIOD.until, value]] })),
  ]);
  const all = Object.fromEntries(states) as QueryAnswers["states"];
  return { states: all, incidents: [], incidentsBefore: [], hasRules: true };
}

const OF = { network: "n", node_id: "NodeID-A" };

it.each([
  [undefined, 20, 0.1, "unknown"],
  [-1, 20, 0.1, "lost"],
  [0.5, 20, 0.1, "at risk"],
  [0.5, 0.8, 0.1, "safe"],
  [15, 20, -0.1, "at risk"],
  // A young stake.
  [19, 20, -0.1, "safe"],
  [15, 20, 0.1, "safe"],
  [15, undefined, undefined, "safe"],
] as const)("with %s of %s days left and a margin of %s the reward is %s", (left, whole, margin, state) => {
  const { validators } = buildReport(
    answers({
      inSet: [[OF, 1]],
      ...(left === undefined ? {} : { budget: [[OF, left * DAY]] }),
      ...(whole === undefined ? {} : { wholeBudget: [[OF, whole * DAY]] }),
      ...(margin === undefined ? {} : { margin: [[OF, margin]] }),
      ...(left === undefined || whole === undefined ? {} : { scarce: [[OF, scarceDowntime(left, whole) * DAY]] }),
      ...(margin === undefined ? {} : { shortfall: [[OF, uptimeShortfall({ left, whole, margin })]] }),
    }),
    PERIOD,
  );
  expect(validators.map((each) => each.state)).toEqual([state]);
});

it("a validator that left its set is not listed, and odd values are unknown", () => {
  const report = buildReport(
    answers({ inSet: [[OF, 0]], up: [[{ node: "a" }, NaN]], known: [[{ node: "a" }, 0]] }),
    PERIOD,
  );
  expect(report.validators).toEqual([]);
  expect(report.nodes).toMatchObject([{ node: "a", network: undefined, availability: undefined, unknown: 7 * DAY }]);
  expect(report.totals).toEqual({ availability: undefined, unknown: undefined, pages: 0, tickets: 0 });
});

it("downtime of a stake that began in the period counts from its whole budget", () => {
  const stake = { inSet: [[OF, 1]], wholeBudget: [[OF, 10 * DAY]], budget: [[OF, 9 * DAY]] } as const;
  const used = (begin: number, before?: number) =>
    buildReport(
      answers({
        ...stake,
        stakeStart: [[OF, PERIOD.until - begin * DAY]],
        ...(before === undefined ? {} : { budgetBefore: [[OF, before * DAY]] }),
      }),
      PERIOD,
    ).validators.map((each) => each.used);
  expect(used(3, 2)).toEqual([DAY]);
  expect(used(30, 9.5)).toEqual([DAY / 2]);
  expect(used(30)).toEqual([undefined]);
});

it("without rules the incidents are unknown, not none", () => {
  const report = buildReport({ ...answers({}), hasRules: false }, PERIOD);
  expect(report.incidents).toBeUndefined();
  expect(report.totals).toMatchObject({ pages: undefined, tickets: undefined });
});
