import { SEVERITIES, type Alert, type Severity } from "../../topics/define/alert.ts";
import { ALERTS } from "../../topics/all/alerts.ts";
import { secondsOf } from "../../topics/all/alert-settings.ts";
import { lengthOf, subjectOf } from "../report/incidents-of.ts";
import type { Run } from "./firing.ts";
import type { BacktestEvaluation, BacktestScope, Impossible } from "./create-evaluator.ts";
import type { NoticeOutcome } from "../report/notice-outcome.ts";

/** The figures of a backtest. Times are Unix seconds, durations seconds; what was chosen beside what is shipped. */
export type Backtest = {
  readonly from: number;
  readonly until: number;
  readonly step: number;
  readonly covered: number;
  readonly alerts: {
    readonly alert: Alert["name"];
    readonly severity: Severity;
    readonly for: number;
    readonly chosen: FiringCounts;
    readonly shipped: FiringCounts | undefined;
  }[];
  readonly subjects: ReadonlyArray<
    Omit<FiringCounts, "short" | "longestShort"> & {
      readonly alert: Alert["name"];
      readonly severity: Severity;
      readonly subject: string;
    }
  >;
  readonly pagesByHour: { readonly chosen: readonly number[]; readonly shipped: readonly number[] | undefined };
  readonly changed: ReadonlyArray<Alert["name"]>;
  readonly neverPossible: readonly Impossible[] | undefined;
};
/** How often an alert fired, and for how long, seconds. */
export type FiringCounts = {
  /** Conditions that ended before `for`. */
  readonly short: number;
  readonly longestShort: number | undefined;
  readonly fired: number;
  readonly sent: number;
  /** By the alert that held them back; those that were sent later count as sent alone. */
  readonly held: Record<string, number>;
  readonly seconds: number;
  readonly longest: number | undefined;
};

/** What was evaluated. */
type Evaluated = {
  readonly scope: Omit<BacktestScope, "matchers">;
  readonly covered: readonly Run[];
  /** The alerts with the user's thresholds. */
  readonly alerts: readonly Alert[];
  readonly chosen: BacktestEvaluation;
  /** That of the shipped thresholds; `undefined` where these are chosen. */
  readonly shipped: BacktestEvaluation | undefined;
  readonly neverPossible: readonly Impossible[] | undefined;
};

/** The figures of a backtest. Times are Unix seconds, durations seconds; states that are never sent are left out. */
export function backtestSummary({ scope, covered, alerts, chosen, shipped, neverPossible }: Evaluated): Backtest {
  const sent = alerts.filter(({ severity }) => severity !== "none");
  return {
    ...scope,
    covered: covered.reduce(
      (sum, [first, last]) => sum + Math.max(0, last - Math.max(first, scope.from) + scope.step),
      0,
    ),
    alerts: sent
      .map(({ name, severity, ...alert }) => ({
        alert: name,
        severity,
        for: secondsOf(alert),
        chosen: countsOf(name, chosen, scope),
        shipped: shipped === undefined ? undefined : countsOf(name, shipped, scope),
      }))
      .toSorted(
        (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || b.chosen.sent - a.chosen.sent,
      ),
    subjects: sent
      .flatMap(({ name, severity }) => subjectsOf(name, severity, chosen, scope))
      .toSorted((a, b) => a.subject.localeCompare(b.subject, "en", { numeric: true })),
    pagesByHour: { chosen: pagesByHour(chosen, scope), shipped: shipped && pagesByHour(shipped, scope) },
    changed: shipped === undefined ? [] : sent.flatMap(({ name, ...alert }) => (isChanged(name, alert) ? [name] : [])),
    neverPossible: neverPossible?.filter(({ alert }) => sent.some(({ name }) => name === alert)),
  };
}

type During = Pick<BacktestScope, "from" | "until">;

function isChanged(name: Alert["name"], { expr, for: duration }: Pick<Alert, "expr" | "for">): boolean {
  const standard = ALERTS.find((alert) => alert.name === name);
  return standard?.expr !== expr || secondsOf(standard) !== secondsOf({ for: duration });
}

/** Episodes of the period: one that began before counts, and its time within. */
function countsOf(name: string, { outcomes, short }: BacktestEvaluation, during: During): FiringCounts {
  const some = outcomes.filter(({ alert }) => alert === name);
  const brief = short.filter(({ alert }) => alert === name);
  return {
    ...countsOfOutcomes(some, during),
    short: brief.length,
    longestShort: brief.length === 0 ? undefined : Math.max(...brief.map(({ run: [first, last] }) => last - first)),
  };
}

function countsOfOutcomes(some: readonly NoticeOutcome[], { from, until }: During) {
  const lengths = some.map((outcome) => lengthOf({ ...outcome, from: Math.max(from, outcome.from) }, until));
  const held: Record<string, number> = {};
  for (const { sentAt, heldBy } of some)
    if (sentAt === undefined && heldBy !== undefined) held[heldBy] = (held[heldBy] ?? 0) + 1;
  return {
    fired: some.length,
    sent: some.filter(({ sentAt }) => sentAt !== undefined && sentAt > from).length,
    held,
    seconds: lengths.reduce((sum, length) => sum + length, 0),
    longest: lengths.length === 0 ? undefined : Math.max(...lengths),
  };
}

function subjectsOf(alert: Alert["name"], severity: Severity, { outcomes }: BacktestEvaluation, during: During) {
  const some = outcomes.filter((outcome) => outcome.alert === alert);
  return [...Map.groupBy(some, subjectOf)].map(([subject, each]) => ({
    alert,
    severity,
    subject,
    ...countsOfOutcomes(each, during),
  }));
}

/** Pages that were sent in each hour of the day, UTC. */
function pagesByHour({ outcomes }: BacktestEvaluation, { from }: During): readonly number[] {
  const sent = outcomes.flatMap(({ severity, sentAt = 0 }) =>
    severity === "critical" && sentAt > from ? [sentAt] : [],
  );
  const byHour = Map.groupBy(sent, (at) => new Date(at * 1000).getUTCHours());
  return Array.from({ length: 24 }, (_, hour) => byHour.get(hour)?.length ?? 0);
}
