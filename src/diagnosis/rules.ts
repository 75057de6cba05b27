import { validatorNames } from "../topics/alerts/shared-recordings.ts";
import { ALERTS } from "../topics/all/alerts.ts";
import { recordingsOf } from "../topics/all/recordings.ts";
import type { Alert } from "../topics/define/alert.ts";
import { causesOf } from "./causes.ts";
import { needsHistory, selectorsOf, type Expression, type Selector } from "./promql/expression.ts";
import { parse } from "./promql/parse.ts";
import type { Recorded } from "./samples.ts";

/** An alert with its parsed condition. */
export type Rule = {
  readonly alert: Alert;
  readonly condition: Expression;
  /** The selectors of the condition; recorded series are replaced by the selectors of their expressions. */
  readonly selectors: readonly Selector[];
};

export type Rules = Readonly<ReturnType<typeof rulesOf>>;

/** Divides the alerts into those that can be evaluated on the samples of one instant, and the others. */
export function rulesOf(alerts: readonly Alert[] = ALERTS) {
  const recorded: Recorded = new Map(recordingsOf(alerts).map(({ name, expr }) => [name, parse(expr)]));
  const parsed = alerts.map((alert) => {
    const condition = parse(alert.expr);
    return { alert, condition, selectors: selectorsWithin(condition, recorded) };
  });
  // Alerts about Prometheus's own scrapes are left to it, too.
  const isOfPrometheus = ({ alert, condition }: Rule): boolean =>
    alert.ofPrometheus === true || (condition.kind === "call" && condition.name === "absent");
  const dependsOnHistory = ({ condition }: Rule): boolean => needsHistoryWithin(condition, recorded);
  return {
    rules: parsed.filter((rule) => !dependsOnHistory(rule) && !isOfPrometheus(rule)),
    recorded,
    /** What explains the findings of each alert. */
    causes: causesOf(alerts),
    /** Names of the alerts whose conditions need earlier samples. */
    needHistory: parsed.filter(dependsOnHistory).map(({ alert }) => alert.name),
  };
}

function selectorsWithin(condition: Expression, recorded: Recorded): readonly Selector[] {
  return selectorsOf(condition).flatMap((selector) => {
    // Names are no evidence.
    if (selector.name === validatorNames.name) return [];
    const rule = recorded.get(selector.name);
    // The figures of single observers differ from that of the alert, which is their median.
    const isMedian = rule?.kind === "aggregate" && rule.operator === "quantile";
    return rule === undefined || isMedian ? [selector] : selectorsWithin(rule, recorded);
  });
}

/** Whether a condition, or a recorded series in it, needs earlier samples. */
export function needsHistoryWithin(condition: Expression, recorded: Recorded): boolean {
  return (
    needsHistory(condition) ||
    selectorsOf(condition).some(({ name }) => {
      const rule = recorded.get(name);
      return rule !== undefined && needsHistoryWithin(rule, recorded);
    })
  );
}
