import { stringify } from "yaml";
import { SEVERITIES, type Alert, type Cause, type Severity } from "../src/topics/define/alert.ts";
import { matchersOf, matcherText, type Matcher } from "../src/topics/define/selector.ts";
import { ALERTS } from "../src/topics/all/alerts.ts";
import { WATCHDOG } from "../src/topics/exporter/watchdog-alert.ts";
import { POLICY } from "./alert-policy.ts";
import { YAML_HEAD } from "./rules.ts";

/** The file with the texts of the notifications, beside Alertmanager's configuration. */
export const TEMPLATES = "avax.tmpl";

type Name = Alert["name"];

/** Alerts that hold others back while they fire: `explainedBy` of the others, seen from the cause. */
export type Inhibition = Omit<Cause, "alert"> & { readonly source: Name; readonly targets: readonly Name[] };

/** The inhibitions, in the order of the causes; causes that are alike for several alerts are one. */
export function inhibitionsOf(alerts: readonly Alert[] = ALERTS): readonly Inhibition[] {
  const found = new Map<string, { readonly cause: Cause; readonly targets: Name[] }>();
  for (const { name, explainedBy = [] } of alerts)
    for (const cause of explainedBy) {
      const key = JSON.stringify([cause.alert, cause.equal, cause.where, cause.only]);
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
};

/**
 * Nodes with the same symptom are one notification: they rarely have a cause each. A second symptom of the same node is a
 * notification of its own, which does not wait for the interval of the first.
 */
const GROUP_BY = ["alertname", "job", "network"] as const;

/** An example of Alertmanager's configuration: routing by severity, grouping by symptom, and inhibition by cause. */
export function alertmanagerExample({ matchers = [], head = YAML_HEAD }: AlertmanagerOptions = {}): string {
  const own = matchers.filter(({ operator }) => operator === "=").map(matcherText);
  const root = { receiver: POLICY.warning.receiver, group_wait: "30s", group_interval: "5m", repeat_interval: "1d" };
  return [
    head.trimEnd(),
    "# An example: set the addresses and credentials of the receivers, delete the services that you do not use, and merge it with your",
    "# configuration. Nothing is sent before: the hosts of the placeholders do not exist, nor do the files.",
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
    ...receiversYaml(),
    "",
    "inhibit_rules:",
    ...inhibitionsOf().map((inhibition) => indented(commented(inhibition.why, ruleOf(inhibition, own)))),
    "",
  ].join("\n");
}

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
  };
}

function ruleOf({ source, targets, equal, where = {}, only = {} }: Inhibition, own: readonly string[]) {
  return {
    source_matchers: [`alertname="${source}"`, ...own, ...matchersOf(where)],
    target_matchers: [`alertname=~"${targets.join("|")}"`, ...own, ...matchersOf(only)],
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

/** Folder of the credentials in the example. */
const SECRETS = "/etc/alertmanager/secrets";

/** A notification service in Alertmanager's configuration, and what the user sets, in sentences. */
type Channel = { readonly set: readonly string[]; readonly key: string; readonly options: object };

const template = (name: string): string => `{{ template "avax.${name}" . }}`;

const PAGERDUTY: Channel = {
  set: ["PagerDuty: the integration key of a service (Events API v2), alone in the file."],
  key: "pagerduty_configs",
  options: {
    routing_key_file: `${SECRETS}/pagerduty-routing-key`,
    send_resolved: true,
    description: template("title"),
    severity: '{{ or .CommonLabels.severity "error" }}',
    class: "{{ .CommonLabels.alertname }}",
    group: "{{ .CommonLabels.network }}",
    client: "avax-exporter",
    client_url: template("runbook"),
    details: { firing: template("text.firing"), resolved: template("text.resolved") },
  },
};

const TELEGRAM: Channel = {
  set: [
    "Telegram: the token of the bot and the number of the chat. Delete `api_url`, which holds everything back until then.",
    "Releases after 0.25 can read the token from a file: `bot_token_file`.",
  ],
  key: "telegram_configs",
  options: {
    api_url: "https://telegram.invalid",
    bot_token: "0000000000:REPLACE_ME",
    chat_id: -1,
    send_resolved: true,
    parse_mode: "HTML",
    message: template("telegram"),
  },
};

const SLACK: Channel = {
  set: ["Slack: the URL of an incoming webhook, alone in the file, and its channel."],
  key: "slack_configs",
  options: {
    api_url_file: `${SECRETS}/slack-webhook-url`,
    channel: "#avalanche",
    send_resolved: true,
    color: template("slack.color"),
    title: template("title"),
    title_link: template("runbook"),
    fallback: template("title"),
    text: template("slack"),
  },
};

const EMAIL: Channel = {
  set: ["E-mail: the addresses, the mail server and its password, alone in the file."],
  key: "email_configs",
  options: {
    to: "avalanche@mail.invalid",
    from: "alertmanager@mail.invalid",
    smarthost: "smtp.mail.invalid:587",
    auth_username: "alertmanager@mail.invalid",
    auth_password_file: `${SECRETS}/smtp-password`,
    send_resolved: true,
    headers: { Subject: template("title") },
    text: template("text"),
    html: template("email"),
  },
};

const DISCORD: Channel = {
  set: [
    "Discord: the URL of a webhook of the channel.",
    "Releases after 0.25 can read it from a file: `webhook_url_file`.",
  ],
  key: "discord_configs",
  options: {
    webhook_url: "https://discord.invalid/api/webhooks/REPLACE/ME",
    send_resolved: true,
    title: template("title"),
    message: template("discord"),
  },
};

const DEAD_MANS_SWITCH: Channel = {
  set: [
    "Dead man's switch: the URL of a check that expects a request a minute and reports after five without one. It is a service",
    "outside of your network, such as healthchecks.io or Dead Man's Snitch. Releases after 0.25 can read it from a file: `url_file`.",
  ],
  key: "webhook_configs",
  options: { url: "https://dead-mans-switch.invalid/REPLACE/ME", send_resolved: false },
};

/** The services of each receiver in the example. */
const CHANNELS: Readonly<Record<Severity, readonly Channel[]>> = {
  critical: [PAGERDUTY, TELEGRAM],
  warning: [SLACK, EMAIL],
  info: [DISCORD],
  none: [],
};

/** The receivers of the example as YAML, each line indented by two. */
function receiversYaml(): readonly string[] {
  return [
    ...SEVERITIES.flatMap((each) => receiverYaml(POLICY[each].receiver, plain(POLICY[each].means), CHANNELS[each])),
    ...receiverYaml(SWITCH, `Gets ${WATCHDOG}, all the time.`, [DEAD_MANS_SWITCH]),
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
