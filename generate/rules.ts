import { stringify } from "yaml";
import type { Alert } from "../src/topics/define/alert.ts";
import { ALERT_GROUPS, type AlertGroup } from "../src/topics/all/alerts.ts";
import { matcherText, type Matcher } from "../src/topics/define/selector.ts";
import type { Recording } from "../src/topics/define/recording.ts";
import { isPromql, promqlOf } from "../src/topics/define/condition.ts";
import { recordingsOf } from "../src/topics/all/recordings.ts";
import { isImmediate } from "../src/topics/all/runbook-text.ts";
import { dashboardLink, runbookLink, type AlertAddresses } from "./alert-links.ts";
import { POLICY } from "./alert-policy.ts";
import { forOurs, templateWithMatchers, withMatchers, type More } from "../src/topics/define/with-matchers.ts";

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
  const ruleGroups = [...sharedGroup(groups, options), ...groups.map((group) => ruleGroup(group, options))];
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

/**
 * The rules of a topic. Recordings come before the alerts that read them: the rules of a group are evaluated in order, for the same
 * timestamp.
 */
function ruleGroup({ id, alerts }: AlertGroup, options: RuleOptions): RuleGroup {
  const own = recordingsOf(alerts).filter(({ shared }) => shared !== true);
  return {
    name: `avax-${id}`,
    rules: [...own.map((each) => recordOf(each, options)), ...alerts.map((alert) => ruleOf(alert, id, options))],
  };
}

/** The group of the recordings that alerts of several groups read. */
export const SHARED_GROUP = "avax-shared";

function sharedGroup(groups: readonly AlertGroup[], options: RuleOptions): readonly RuleGroup[] {
  const shared = recordingsOf(groups.flatMap(({ alerts }) => alerts)).filter((each) => each.shared === true);
  return shared.length === 0 ? [] : [{ name: SHARED_GROUP, rules: shared.map((each) => recordOf(each, options)) }];
}

function recordOf({ name, expr }: Recording, options: RuleOptions) {
  const { expression, labels } = restriction(options.matchers ?? []);
  return { record: name, expr: expression(expr), ...(Object.keys(labels).length === 0 ? {} : { labels }) };
}

function ruleOf(alert: Alert, topic: AlertGroup["id"], options: RuleOptions) {
  const { name, expr, for: duration, severity } = alert;
  const { expression, labels } = restriction(options.matchers ?? []);
  const { when, settings } = alert;
  const more = (options.matchers ?? []).map(matcherText);
  return {
    alert: name,
    expr: when === undefined ? expression(expr) : promqlOf(when, { settings, isPage: severity === "critical", more }),
    ...(isImmediate(duration) ? {} : { for: duration }),
    ...keptFor(alert),
    labels: { ...labels, severity },
    annotations: annotationsOf(alert, topic, options),
  };
}

/** What an alert tells whoever gets it. */
export function annotationsOf(
  alert: Alert,
  topic: AlertGroup["id"],
  { matchers = [], runbooks, dashboards }: RuleOptions,
): Readonly<Record<string, string>> {
  const { summary, description, over, severity, action, for: duration } = alert;
  const { template } = restriction(matchers);
  return {
    summary: template(summary),
    description: template(description),
    ...(over === undefined ? {} : { over }),
    // Alertmanager knows when an alert fired, not since when its cause was there.
    ...(isImmediate(duration) || severity === "none" ? {} : { waited: duration }),
    // Who looks at the rest has the runbook open.
    ...(severity === "critical" || severity === "warning" ? { action } : {}),
    runbook_url: runbookLink(alert, runbooks),
    ...(dashboards === undefined ? {} : { dashboard_url: dashboardLink(alert, topic, dashboards) }),
  };
}

/**
 * How matchers restrict a rule. What must be equal is also a label of its result: an aggregation drops labels such as `job`, and
 * the recorded series and alerts of two exporters would be the same. Other matchers cannot be labels, and recorded series are
 * restricted by what they are recorded from.
 */
export function restriction(matchers: readonly Matcher[]) {
  const equal = matchers.filter(({ operator }) => operator === "=");
  const [texts, equalTexts] = [matchers.map(matcherText), equal.map(matcherText)];
  const more: More = (name) => (name.includes(":") ? forOurs(equalTexts)(name) : forOurs(texts)(name));
  return {
    expression: (expr: string) => withMatchers(expr, more),
    template: (text: string) => templateWithMatchers(text, more),
    labels: Object.fromEntries(equal.map(({ label, value }) => [label, value])),
  };
}

/** How long an alert fires on; `undefined` where it ends with its condition. */
export function keepOf({
  keepFiringFor,
  severity,
  when,
}: Pick<Alert, "keepFiringFor" | "severity" | "when">): string | undefined {
  // A comparison is bridged, and ends when its series says so.
  if (when !== undefined && !isPromql(when)) return keepFiringFor;
  return keepFiringFor ?? POLICY[severity].keepFiringFor;
}

function keptFor(alert: Alert) {
  const time = keepOf(alert);
  return time === undefined ? {} : { keep_firing_for: time };
}
