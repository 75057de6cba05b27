import { stringify } from "yaml";
import { SEVERITIES, type Severity } from "../src/topics/define/alert.ts";
import { POLICY } from "./alert-policy.ts";

/** The file with the texts of the notifications, beside Alertmanager's configuration. */
export const TEMPLATES = "avax.tmpl";

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

/** The services of each receiver in the example. */
const CHANNELS: Readonly<Record<Severity, readonly Channel[]>> = {
  critical: [PAGERDUTY, TELEGRAM],
  warning: [SLACK, EMAIL],
  info: [DISCORD],
  none: [],
};

/** The receivers of the example as YAML, each line indented by two. */
export function receiversYaml(): readonly string[] {
  return SEVERITIES.flatMap((severity) => [
    `  # ${POLICY[severity].means.replaceAll("**", "")}`,
    `  - name: ${POLICY[severity].receiver}`,
    ...CHANNELS[severity].flatMap(({ set, key, options }) => [
      ...set.map((line) => `    # ${line}`),
      `    ${key}:`,
      ...stringify([options], { lineWidth: 0 })
        .trimEnd()
        .split("\n")
        .map((line) => `      ${line}`),
    ]),
  ]);
}
