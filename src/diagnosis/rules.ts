import { ALERTS } from "../definitions/alerts.ts";
import { recordingsOf } from "../definitions/recordings.ts";
import type { Alert } from "../catalogue/alert.ts";
import { needsHistory, selectorsOf, type Expression, type Selector } from "../promql/expression.ts";
import { parse } from "../promql/parse.ts";

/** What the names of recorded series stand for. */
export type Recorded = ReadonlyMap<string, Expression>;

/** An alert whose condition can be judged on the samples of one moment. */
export type Rule = {
  readonly alert: Alert;
  readonly condition: Expression;
  /** Of the exporter's own series: recorded ones are written out. */
  readonly selectors: readonly Selector[];
  /** Place among all alerts. */
  readonly index: number;
};

export type Rules = {
  readonly rules: readonly Rule[];
  readonly recorded: Recorded;
  /** Names of the alerts whose conditions look back in time. */
  readonly needHistory: readonly string[];
  /** Names of the alerts about what Prometheus scrapes, which it alone can know. */
  readonly ofPrometheus: readonly string[];
  /** Families that the rules read. */
  readonly families: ReadonlySet<string>;
};

/** Sorts the alerts by what it takes to judge them. */
export function rulesOf(alerts: readonly Alert[] = ALERTS): Rules {
  const recorded: Recorded = new Map(recordingsOf(alerts).map(({ name, expr }) => [name, parse(expr)]));
  const parsed = alerts.map((alert, index) => {
    const condition = parse(alert.expr);
    return { alert, condition, selectors: selectorsWithin(condition, recorded), index };
  });
  const isOfPrometheus = ({ alert, condition }: Rule): boolean =>
    alert.ofPrometheus === true || (condition.kind === "call" && condition.name === "absent");
  const named = (some: readonly Rule[]): readonly string[] => some.map(({ alert }) => alert.name);
  const looksBack = ({ condition }: Rule): boolean => needsHistoryWithin(condition, recorded);
  const rules = parsed.filter((rule) => !looksBack(rule) && !isOfPrometheus(rule));
  return {
    rules,
    recorded,
    needHistory: named(parsed.filter(looksBack)),
    ofPrometheus: named(parsed.filter(isOfPrometheus)),
    families: new Set(rules.flatMap(({ selectors }) => selectors.map(({ name }) => name))),
  };
}

/** The selectors of a condition, with those of the recorded series that it names in their place. */
function selectorsWithin(condition: Expression, recorded: Recorded): readonly Selector[] {
  return selectorsOf(condition).flatMap((selector) => {
    const rule = recorded.get(selector.name);
    return rule === undefined ? [selector] : selectorsWithin(rule, recorded);
  });
}

/** Whether a condition looks back, or a recorded series that it names does. */
export function needsHistoryWithin(condition: Expression, recorded: Recorded): boolean {
  return (
    needsHistory(condition) ||
    selectorsOf(condition).some(({ name }) => {
      const rule = recorded.get(name);
      return rule !== undefined && needsHistoryWithin(rule, recorded);
    })
  );
}
