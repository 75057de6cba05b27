import { stringify } from "yaml";
import type { Alert } from "../../src/topics/define/alert.ts";
import { ALERT_GROUPS, type AlertGroup } from "../../src/topics/all/alerts.ts";
import { lingeringOf } from "../../src/topics/all/lingering-of.ts";
import { matcherText, type Matcher } from "../../src/topics/define/selector.ts";
import type { Recording } from "../../src/topics/define/recording.ts";
import { promqlOf, queryOf } from "../../src/topics/define/condition.ts";
import { recordingsOf } from "../../src/topics/all/recordings.ts";
import { isImmediate } from "../../src/topics/all/runbook-text.ts";
import { dashboardLink, runbookLink, type AlertAddresses } from "./alert-links.ts";

/** The first line of every generated YAML file, with the place of its source. */
export const YAML_HEAD = "# Generated from src/topics and generate; change those and run `npm run update`.\n";

/** What a user sets of the rules besides the alerts. */
export type RuleOptions = AlertAddresses & {
  /** Further matchers of every series, so that the rules are about one of several exporters. */
  readonly matchers?: readonly Matcher[];
};

type RuleGroup = { readonly name: string; readonly rules: readonly object[] };

export const KUBERNETES_LABELS = { "app.kubernetes.io/name": "avax-exporter" } as const;

/** The formats of the rules: a rule file of Prometheus and vmalert, that of Mimir's tool, and an object of the Prometheus operator. */
const RULE_FORMATS = ["prometheus", "mimir", "kubernetes"] as const;
export type RuleFormat = (typeof RULE_FORMATS)[number];

/** The rules in a format. @param head a comment, with its line break */
export function rulesIn(
  format: RuleFormat,
  groups: readonly AlertGroup[] = ALERT_GROUPS,
  options: RuleOptions = {},
  head = YAML_HEAD,
): string {
  const ruleGroups = groups.map((group) => ruleGroup(group, options));
  return head + stringify(documentIn(format, ruleGroups), { lineWidth: 0, indentSeq: false });
}

function documentIn(format: RuleFormat, groups: readonly RuleGroup[]): object {
  switch (format) {
    case "prometheus":
      return { groups };
    case "mimir":
      return { namespace: "avax-exporter", groups };
    case "kubernetes":
      return {
        apiVersion: "monitoring.coreos.com/v1",
        kind: "PrometheusRule",
        metadata: { name: "avax-exporter", labels: KUBERNETES_LABELS },
        spec: { groups },
      };
  }
}

/** The rules as a Prometheus rule file. */
export function rulesFile(groups?: readonly AlertGroup[], options?: RuleOptions): string {
  return rulesIn("prometheus", groups, options);
}

/** The rules of a topic. Recordings come before the alerts that read them: the rules of a group are evaluated in order, for the same timestamp. */
function ruleGroup({ id, alerts }: AlertGroup, options: RuleOptions): RuleGroup {
  const recorded = recordingsOf(alerts).map((recording) => recordOf(recording, options));
  return { name: `avax-${id}`, rules: [...recorded, ...alerts.map((alert) => ruleOf(alert, id, options))] };
}

function recordOf({ name, promql }: Recording, { matchers = [] }: RuleOptions) {
  const labels = equalLabels(matchers);
  const expr = promql(queryOf({ settings: new Map(), more: matchers.map(matcherText) }));
  return { record: name, expr, ...(Object.keys(labels).length === 0 ? {} : { labels }) };
}

function ruleOf(alert: Alert, topic: AlertGroup["id"], options: RuleOptions) {
  const { name, when, settings, for: duration, severity } = alert;
  const { matchers = [] } = options;
  const lingering = lingeringOf(alert) === 0 ? undefined : `${lingeringOf(alert)}s`;
  return {
    alert: name,
    expr: promqlOf(when, { settings, isPage: severity === "critical", more: matchers.map(matcherText) }),
    ...(isImmediate(duration) ? {} : { for: duration }),
    ...(lingering === undefined ? {} : { keep_firing_for: lingering }),
    labels: { ...equalLabels(matchers), severity },
    // Alertmanager does not know when the condition of an alert ended.
    annotations: {
      ...annotationsOf(alert, topic, options),
      ...(lingering === undefined ? {} : { lingered: lingering }),
    },
  };
}

/** What an alert tells whoever gets it. */
export function annotationsOf(
  alert: Alert,
  topic: AlertGroup["id"],
  { runbooks, dashboards }: Pick<RuleOptions, "runbooks" | "dashboards">,
): Readonly<Record<string, string>> {
  const { summary, description, over, severity, action, for: duration } = alert;
  const runbook = runbookLink(alert, runbooks);
  const links = {
    ...(runbook === undefined ? {} : { runbook_url: runbook }),
    ...(dashboards === undefined ? {} : { dashboard_url: dashboardLink(alert, topic, dashboards) }),
  };
  // Never sent, but for the links of AvaxWatchdog, which `test-notification` sends and opens.
  if (severity === "none") return { summary, ...links };
  return {
    summary,
    ...(description === undefined ? {} : { description }),
    ...(over === undefined ? {} : { over }),
    // Alertmanager knows when an alert fired, not since when its cause was there.
    ...(isImmediate(duration) ? {} : { waited: duration }),
    // Who looks at the rest has the runbook open.
    ...(severity === "critical" || severity === "warning" ? { action: briefly(action) } : {}),
    ...links,
  };
}

/** What a phone shows of an action. Characters. */
const BRIEF = 90;

/** The first sentences of an action, as far as a phone shows them: the runbook has the others. */
export function briefly(action: string): string {
  const sentences = action.split(/(?<=\.) /);
  const lengths = sentences.map((_each, last) => sentences.slice(0, last + 1).join(" ").length);
  return sentences.slice(0, Math.max(1, lengths.filter((length) => length <= BRIEF).length)).join(" ");
}

/**
 * What must be equal is also a label of the result: an aggregation drops labels such as `job`, and the alerts of two exporters would be
 * the same. Other matchers cannot be labels.
 */
export function equalLabels(matchers: readonly Matcher[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    matchers.filter(({ operator }) => operator === "=").map(({ label, value }) => [label, value]),
  );
}
