import { stringify } from "yaml";
import type { AlertGroup } from "../../src/topics/all/alerts.ts";
import type { Alert } from "../../src/topics/define/alert.ts";
import { comparedQueryOf, isPromql, promqlOf, type Kind } from "../../src/topics/define/condition.ts";
import { matcherText } from "../../src/topics/define/selector.ts";
import { annotationsOf, equalLabels, YAML_HEAD, type RuleOptions } from "./rules.ts";

/**
 * The alerts as alerts that Grafana itself evaluates: a file for its provisioning, with one query and one threshold each. For whoever
 * has Grafana, and neither Alertmanager nor rules in Prometheus.
 */

/** The data source that the file names; Grafana's own example has this UID, too. */
const PROMETHEUS = "prometheus";
/** Grafana's own data source of expressions. */
const EXPRESSIONS = "__expr__";
/** Every group has the interval of the shipped stack twice: Grafana evaluates at multiples of ten seconds. */
const INTERVAL = "30s";
const WINDOW = { from: 600, to: 0 } as const;

type Evaluator = { readonly type: "gt" | "lt" | "within_range"; readonly params: readonly number[] };

/** By what Grafana before 12 has, too. What is at least or exactly something are states and counts, which are whole. */
const EVALUATORS: Readonly<Record<Kind, (than: number) => Evaluator>> = {
  above: (than) => ({ type: "gt", params: [than] }),
  below: (than) => ({ type: "lt", params: [than] }),
  atLeast: (than) => ({ type: "gt", params: [than - 0.5] }),
  equals: (than) => ({ type: "within_range", params: [than - 0.5, than + 0.5] }),
  within: (than) => ({ type: "lt", params: [than] }),
  longerThan: (than) => ({ type: "gt", params: [than] }),
};

/** PromQL that filters has a result where it fires, whatever its value is. */
const ANY: Evaluator = { type: "gt", params: [-1e300] };

/** The provisioning file. Alerts that are never sent, which only explain others in Alertmanager, have no place in it. */
export function grafanaRules(groups: readonly AlertGroup[], options: RuleOptions = {}, head = YAML_HEAD): string {
  const sent = groups
    .map(({ id, alerts }) => ({ id, alerts: alerts.filter(({ severity }) => severity !== "none") }))
    .filter(({ alerts }) => alerts.length > 0);
  const document = {
    apiVersion: 1,
    groups: sent.map(({ id, alerts }) => ({
      ...{ orgId: 1, name: `avax-${id}`, folder: "avax-exporter", interval: INTERVAL },
      rules: alerts.map((alert) => ruleOf(alert, id, options)),
    })),
  };
  return head + stringify(document, { lineWidth: 0, indentSeq: false, aliasDuplicateObjects: false });
}

function ruleOf(alert: Alert, topic: AlertGroup["id"], options: RuleOptions) {
  const { name, severity } = alert;
  const { query, evaluator } = conditionOf(alert, options);
  const annotations = Object.entries(annotationsOf(alert, topic, options));
  return {
    uid: name,
    title: name,
    condition: "B",
    data: [queryOf(query), thresholdOf(evaluator)],
    // No series means that nothing is the matter; AvaxExporterAbsent fires for what is not scraped.
    noDataState: "OK",
    execErrState: "Error",
    for: alert.for,
    labels: { ...equalLabels(options.matchers ?? []), severity },
    annotations: Object.fromEntries(annotations.map(([key, text]) => [key, templateOf(text)])),
  };
}

/** The query of an alert, and what its value is compared with. The file has no recordings: their expressions are in their place. */
function conditionOf(
  { when, settings, severity }: Alert,
  { matchers = [] }: RuleOptions,
): { readonly query: string; readonly evaluator: Evaluator } {
  const rendering = { settings, isPage: severity === "critical", more: matchers.map(matcherText), inline: true };
  if (isPromql(when)) return { query: promqlOf(when, rendering), evaluator: ANY };
  const { value, kind, than } = comparedQueryOf(when, rendering);
  return { query: value, evaluator: EVALUATORS[kind](than) };
}

function queryOf(expr: string) {
  const model = {
    ...{ refId: "A", expr, instant: true, range: false, editorMode: "code", intervalMs: 1000, maxDataPoints: 43_200 },
    datasource: { type: "prometheus", uid: PROMETHEUS },
  };
  return { refId: "A", relativeTimeRange: WINDOW, datasourceUid: PROMETHEUS, model };
}

function thresholdOf(evaluator: Evaluator) {
  const model = {
    ...{ refId: "B", type: "threshold", expression: "A", intervalMs: 1000, maxDataPoints: 43_200 },
    datasource: { type: EXPRESSIONS, uid: EXPRESSIONS },
    conditions: [{ evaluator }],
  };
  return { refId: "B", relativeTimeRange: WINDOW, datasourceUid: EXPRESSIONS, model };
}

/**
 * A template in Grafana's words: `$value` is a text of all values there, and a label that is absent is no empty text. Without `$`,
 * which a provisioning file takes for a variable of the environment.
 */
function templateOf(text: string): string {
  return text.replaceAll(/\{\{.*?\}\}/gs, (action) =>
    action
      .replaceAll(/\$labels\.(\w+)/g, (_all, label: string) => `(index .Labels "${label}")`)
      .replaceAll(/\$value\b/g, ".Values.A.Value")
      .replaceAll("$", String.raw`\x24`),
  );
}
