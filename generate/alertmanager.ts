import { stringify } from "yaml";
import { SEVERITIES, type Alert, type Cause, type Severity } from "../src/topics/define/alert.ts";
import { matchersOf, matcherText, type Matcher } from "../src/topics/define/selector.ts";
import { ALERTS } from "../src/topics/all/alerts.ts";
import { WATCHDOG } from "../src/topics/exporter/exporter-alerts.ts";
import { POLICY } from "./rules/alert-policy.ts";
import { channelOf, EXAMPLES, switchChannel, type Channel, type Sending } from "./notification-services.ts";
import { YAML_HEAD } from "./rules/rules.ts";

/** The file with the texts of the notifications, beside Alertmanager's configuration. */
export const TEMPLATES = "avax.tmpl";

type Name = Alert["name"];

/** Alerts that hold others back while they fire: `explainedBy` of the others, seen from the cause. */
export type Inhibition = Omit<Cause, "alert" | "names"> & { readonly source: Name; readonly targets: readonly Name[] };

/** The inhibitions, in the order of the causes; causes that are alike for several alerts are one. */
export function inhibitionsOf(alerts: readonly Alert[] = ALERTS): readonly Inhibition[] {
  const found = new Map<string, { readonly cause: Cause; readonly targets: Name[] }>();
  for (const { name, explainedBy = [] } of alerts)
    for (const cause of explainedBy) {
      const key = JSON.stringify([cause.alert, cause.equal, cause.sourceMatchers, cause.targetMatchers]);
      const known = found.get(key);
      if (known === undefined) found.set(key, { cause, targets: [name] });
      else known.targets.push(name);
    }
  const order = (alert: Name): number => alerts.findIndex(({ name }) => name === alert);
  return [...found.values()]
    .map(({ cause: { alert, ...how }, targets }) => ({ ...how, source: alert, targets }))
    .sort((a, b) => order(a.source) - order(b.source));
}

const OWN_ALERTS = 'alertname=~"Avax.+"';

/** What a user sets of the example. */
export type AlertmanagerOptions = {
  /** Labels of the alerts of one exporter, as the rules with these matchers have them. */
  readonly matchers?: readonly Matcher[];
  /** The comment at the beginning, with its line break. */
  readonly head?: string;
  /** The services of the user, instead of an example of each. */
  readonly sending?: Sending;
};

/**
 * How long Alertmanager must remember what it sent, `--data.retention`: longer than the longest interval of a repeat. By default it
 * is 120 h, and it repeats what it forgot.
 */
export const RETENTION = "192h";

/** The alerts of \`test-notification\`. Each takes the route of its severity, without the wait. */
export const TEST_ALERT = "AvaxTestNotification";

/**
 * Nodes with the same symptom are one notification: they rarely have a cause each. A second symptom of the same node is a
 * notification of its own, which does not wait for the interval of the first.
 */
const GROUP_BY = ["alertname", "job", "network"] as const;

/** An example of Alertmanager's configuration: routing by severity, grouping by symptom, and inhibition by cause. */
export function alertmanagerExample({ matchers = [], head = YAML_HEAD, sending }: AlertmanagerOptions = {}): string {
  const own = matchers.filter(({ operator }) => operator === "=").map(matcherText);
  const root = { receiver: POLICY.warning.receiver, group_wait: "30s", group_interval: "5m", repeat_interval: "1d" };
  return [
    head.trimEnd(),
    ...(sending === undefined
      ? EXAMPLE_HEAD
      : ["# This file has credentials: keep it readable by Alertmanager alone."]),
    `# Start Alertmanager with --data.retention=${RETENTION}: after 120h, its default, it repeats what it forgot.`,
    "",
    "templates:",
    `  - ${TEMPLATES}`,
    "",
    "route:",
    indented(stringify(root)),
    "  routes:",
    indented(commented("It always fires: the switch reports when it hears nothing.", watchdogRoute(own)), 4),
    ...SEVERITIES.map((severity) => indented(commented(plain(POLICY[severity].means), routeOf(severity, own)), 4)),
    "receivers:",
    ...receiversYaml(sending),
    "",
    "inhibit_rules:",
    ...inhibitionsOf().map((inhibition) => indented(commented(inhibition.why, ruleOf(inhibition, own)))),
    "",
  ].join("\n");
}

const EXAMPLE_HEAD = [
  "# An example: set the addresses and credentials of the receivers, delete the services that you do not use, and merge it with your",
  "# configuration. Nothing is sent before: the hosts of the placeholders do not exist, nor do the files.",
];

/** Of the dead man's switch. */
const SWITCH = "dead-mans-switch";

/** Before the others, and as often as Alertmanager sends: the switch is to ring after minutes. */
function watchdogRoute(own: readonly string[]) {
  return {
    matchers: [`alertname="${WATCHDOG}"`, ...own],
    receiver: SWITCH,
    group_wait: "0s",
    group_interval: "1m",
    // Below the interval, or every second one would be left out.
    repeat_interval: "50s",
  };
}

function routeOf(severity: Severity, own: readonly string[]) {
  const { receiver, groupWait, groupInterval, repeat } = POLICY[severity];
  return {
    matchers: [OWN_ALERTS, ...own, `severity="${severity}"`],
    receiver,
    group_by: [...GROUP_BY],
    group_wait: groupWait,
    group_interval: groupInterval,
    repeat_interval: repeat,
    ...(TESTED.has(severity) ? { routes: [TEST_ROUTE] } : {}),
  };
}

/** The severities that people are notified of at once or in hours; the others can wait for days. */
const TESTED: ReadonlySet<Severity> = new Set(["critical", "warning"]);
const TEST_ROUTE = { matchers: [`alertname="${TEST_ALERT}"`], group_wait: "0s", group_interval: "10s" };

function ruleOf(
  { source, targets, equal, sourceMatchers = {}, targetMatchers = {} }: Inhibition,
  own: readonly string[],
) {
  return {
    source_matchers: [`alertname="${source}"`, ...own, ...matchersOf(sourceMatchers)],
    target_matchers: [`alertname=~"${targets.join("|")}"`, ...own, ...matchersOf(targetMatchers)],
    ...(equal.length === 0 ? {} : { equal: [...equal] }),
  };
}

/** Without the marks of Markdown. */
function plain(text: string): string {
  return text.replaceAll("**", "");
}

function commented(why: string, value: unknown): string {
  return `# ${why}\n${stringify([value], { lineWidth: 0, flowCollectionPadding: false })}`;
}

function indented(text: string, by = 2): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `${" ".repeat(by)}${line}`)
    .join("\n");
}

/** The services of each receiver in the example. */
const CHANNELS: Readonly<Record<Severity, readonly Channel[]>> = {
  critical: [EXAMPLES.pagerduty, EXAMPLES.telegram],
  warning: [EXAMPLES.slack, EXAMPLES.email],
  info: [EXAMPLES.discord],
  none: [],
};

/** The receivers as YAML, each line indented by two. */
function receiversYaml(sending: Sending | undefined): readonly string[] {
  const switches = sending === undefined || sending.deadMansSwitch !== undefined;
  return [
    ...SEVERITIES.flatMap((severity) => {
      const channels =
        sending === undefined || severity === "none"
          ? CHANNELS[severity]
          : [channelOf(severity === "critical" ? sending.page : sending.ticket)];
      return receiverYaml(POLICY[severity].receiver, plain(POLICY[severity].means), channels);
    }),
    ...receiverYaml(
      SWITCH,
      `Gets ${WATCHDOG}, all the time.`,
      switches ? [switchChannel(sending?.deadMansSwitch)] : [],
    ),
  ];
}

function receiverYaml(name: string, about: string, channels: readonly Channel[]): readonly string[] {
  return [
    `  # ${about}`,
    `  - name: ${name}`,
    ...channels.flatMap(({ set, key, options }) => [
      ...set.map((line) => `    # ${line}`),
      `    ${key}:`,
      ...stringify([options], { lineWidth: 0 })
        .trimEnd()
        .split("\n")
        .map((line) => `      ${line}`),
    ]),
  ];
}
