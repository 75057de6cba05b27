import { ALERTS } from "../alerts/alerts.ts";
import type { Alert } from "../metrics/alert.ts";
import { needsHistory, selectorsOf, type Expression, type Selector } from "../promql/expression.ts";
import { parse } from "../promql/parse.ts";

/** An alert whose condition can be judged on the samples of one moment. */
export type Rule = {
  readonly alert: Alert;
  readonly condition: Expression;
  readonly selectors: readonly Selector[];
  /** Place among all alerts. */
  readonly index: number;
};

export type Rules = {
  readonly rules: readonly Rule[];
  /** Names of the alerts whose conditions look back in time. */
  readonly needHistory: readonly string[];
  /** Names of the alerts about what Prometheus scrapes, which it alone can know. */
  readonly ofPrometheus: readonly string[];
  /** Families that the rules read. */
  readonly families: ReadonlySet<string>;
};

/** Sorts the alerts by what it takes to judge them. */
export function rulesOf(alerts: readonly Alert[] = ALERTS): Rules {
  const parsed = alerts.map((alert, index) => {
    const condition = parse(alert.expr);
    return { alert, condition, selectors: selectorsOf(condition), index };
  });
  const isAbsence = ({ condition }: Rule): boolean => condition.kind === "call" && condition.name === "absent";
  const named = (some: readonly Rule[]): readonly string[] => some.map(({ alert }) => alert.name);
  const rules = parsed.filter((rule) => !needsHistory(rule.condition) && !isAbsence(rule));
  return {
    rules,
    needHistory: named(parsed.filter(({ condition }) => needsHistory(condition))),
    ofPrometheus: named(parsed.filter(isAbsence)),
    families: new Set(rules.flatMap(({ selectors }) => selectors.map(({ name }) => name))),
  };
}
