import { ALERTS } from "../topics/all/alerts.ts";
import type { Alert } from "../topics/define/alert.ts";
import { isPromql, resultOf, seriesOf, type Compared } from "../topics/define/condition.ts";
import { causesOf, type Causes } from "./causes.ts";
import type { Samples } from "./samples.ts";
import type { Reading } from "../exposition/sample.ts";

/** An alert whose condition can be judged on the values of one instant. */
export type Rule = {
  readonly alert: Alert;
  /** The series that meet the condition, each with the value of the alert. */
  readonly find: (samples: Samples) => readonly FoundSeries[];
};

/** A series that meets a condition, and the alert's value. */
export type FoundSeries = { readonly series: Reading; readonly value: number };

export type Rules = {
  readonly rules: Rule[];
  /** What explains the findings of each alert. */
  readonly causes: Causes;
  /** Names of the alerts that Prometheus alone can judge. */
  readonly ofPrometheus: ReadonlyArray<Alert["name"]>;
};

/** Divides the alerts into those that can be judged on the values of one instant, and those that Prometheus alone can judge. */
export function rulesOf(alerts: readonly Alert[] = ALERTS): Rules {
  const rules = alerts.flatMap((alert): readonly Rule[] =>
    isPromql(alert.when) || alert.ofPrometheus === true ? [] : [ruleOf(alert, alert.when)],
  );
  const judged = new Set(rules.map(({ alert }) => alert));
  return {
    rules,
    causes: causesOf(alerts),
    ofPrometheus: alerts.filter((alert) => !judged.has(alert)).map(({ name }) => name),
  };
}

function ruleOf(alert: Alert, condition: Compared): Rule {
  const { metric } = seriesOf(condition);
  const result = resultOf(condition, alert.settings);
  return {
    alert,
    find: (samples) =>
      samples.samples(metric.name).flatMap((series): readonly FoundSeries[] => {
        const value = result(series, samples.now);
        return value === undefined ? [] : [{ series, value }];
      }),
  };
}
