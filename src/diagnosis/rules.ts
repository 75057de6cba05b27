import { ALERTS } from "../topics/all/alerts.ts";
import { recordingsOf } from "../topics/all/recordings.ts";
import type { Alert } from "../topics/define/alert.ts";
import { droppedBy, isPromql, resultOf, seriesOf, type Compared } from "../topics/define/condition.ts";
import { matcherOf } from "../topics/define/selector.ts";
import { causesOf } from "./causes.ts";
import { evaluate } from "./promql/evaluate.ts";
import { labelsOf, seriesOf as seriesOfLabels, type Sample } from "./promql/sample.ts";
import { PromqlError, needsHistory, selectorsOf, type Expression, type Selector } from "./promql/expression.ts";
import { parse } from "./promql/parse.ts";
import type { Recorded, Samples } from "./samples.ts";

/** An alert whose condition can be judged on the values of one instant. */
export type Rule = {
  readonly alert: Alert;
  /** What its condition finds in the samples. */
  readonly find: (samples: Samples) => readonly Sample[];
  /** Whether a series is what the condition is about. */
  readonly isEvidence: (sample: Sample, now: number) => boolean;
  /** The selectors of the condition; recorded series are replaced by the selectors of their expressions. */
  readonly selectors: readonly Selector[];
};

export type Rules = Readonly<ReturnType<typeof rulesOf>>;

/** Divides the alerts into those that can be evaluated on the samples of one instant, and the others. */
export function rulesOf(alerts: readonly Alert[] = ALERTS) {
  const recorded: Recorded = new Map(recordingsOf(alerts).map(({ name, expr }) => [name, parse(expr)]));
  const rules = alerts.flatMap((alert): readonly Rule[] => {
    if (alert.ofPrometheus === true) return [];
    if (alert.when !== undefined) return isPromql(alert.when) ? [] : [comparedRule(alert, alert.when)];
    const condition = parse(alert.expr);
    // Alerts about Prometheus's own scrapes are left to it, too.
    const isLeft =
      needsHistoryWithin(condition, recorded) || (condition.kind === "call" && condition.name === "absent");
    return isLeft ? [] : [parsedRule(alert, condition, recorded)];
  });
  const judged = new Set(rules.map(({ alert }) => alert));
  return {
    rules,
    recorded,
    /** What explains the findings of each alert. */
    causes: causesOf(alerts),
    /** Names of the alerts that Prometheus alone can judge. */
    needHistory: alerts.filter((alert) => !judged.has(alert)).map(({ name }) => name),
  };
}

function comparedRule(alert: Alert, condition: Compared): Rule {
  const { metric, matchers } = seriesOf(condition);
  const result = resultOf(condition, alert.settings);
  const dropped = droppedBy(condition);
  const resultIn = (sample: Sample, now: number) => result(Object.fromEntries(labelsOf(sample)), sample.value, now);
  return {
    alert,
    find: (samples) =>
      samples.samples(metric.name).flatMap((sample) => {
        const value = resultIn(sample, samples.now);
        return value === undefined ? [] : [{ name: "", series: seriesWithout(sample, dropped), value }];
      }),
    isEvidence: (sample, now) => sample.name !== metric.name || resultIn(sample, now) !== undefined,
    selectors: [
      {
        kind: "selector",
        name: metric.name,
        matchers: Object.entries(matchers).map(([label, text]) => ({ label, ...matcherOf(text ?? "") })),
      },
    ],
  };
}

function seriesWithout(sample: Sample, dropped: readonly string[]): Sample["series"] {
  return seriesOfLabels(new Map([...labelsOf(sample)].filter(([label]) => !dropped.includes(label))));
}

function parsedRule(alert: Alert, condition: Expression, recorded: Recorded): Rule {
  return {
    alert,
    find(samples) {
      const value = evaluate(condition, samples);
      if (typeof value === "number") throw new PromqlError("the condition is a number");
      return value;
    },
    isEvidence: () => true,
    selectors: selectorsWithin(condition, recorded),
  };
}

function selectorsWithin(condition: Expression, recorded: Recorded): readonly Selector[] {
  return selectorsOf(condition).flatMap((selector) => {
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
