import type { Notifier } from "../src/config/base/notifiers.ts";

/** Notification services in Alertmanager's configuration: with placeholders for the example, with the user's answers for a stack. */

/** A service as one entry of a receiver, and what the user sets, in sentences. */
export type Channel = { readonly set: readonly string[]; readonly key: string; readonly options: object };

/** What is asked about a service. `undefined` from `problem` is a good answer. */
type Question = {
  readonly ask: string;
  /** It is not shown while it is typed. */
  readonly isSecret: boolean;
  readonly problem: (answer: string) => string | undefined;
};

/** A service, and the answers to its questions in their order. */
export type Chosen = { readonly service: Notifier; readonly answers: readonly string[] };

/** The services that get the notifications. */
export type Sending = {
  readonly page: Chosen;
  /** Tickets and information. */
  readonly ticket: Chosen;
  /** URL of a check outside of the network that reports silence. */
  readonly deadMansSwitch?: string;
};

type Service = {
  readonly key: string;
  /** Texts, as the example and a stack have them. */
  readonly texts: object;
  readonly questions: readonly Question[];
  /** The credentials in place: releases before 0.26 read only some of them from files. */
  readonly settings: (answers: readonly string[]) => object;
};

const template = (name: string): string => `{{ template "avax.${name}" . }}`;

const url = (ask: string): Question => ({
  ask,
  isSecret: true,
  problem: (answer) => (/^https?:$/.test(URL.parse(answer)?.protocol ?? "") ? undefined : "it is not an http(s) URL"),
});
const text = (ask: string, pattern: RegExp, is: string, isSecret = false): Question => ({
  ask,
  isSecret,
  problem: (answer) => (pattern.test(answer) ? undefined : `it is not ${is}`),
});

export const SERVICES: Readonly<Record<Notifier, Service>> = {
  slack: {
    key: "slack_configs",
    texts: {
      send_resolved: true,
      color: template("slack.color"),
      title: template("title"),
      title_link: template("runbook"),
      fallback: template("title"),
      text: template("slack"),
    },
    questions: [url("URL of the incoming webhook")],
    settings: ([api_url]) => ({ api_url }),
  },
  telegram: {
    key: "telegram_configs",
    texts: { send_resolved: true, parse_mode: "HTML", message: template("telegram") },
    questions: [
      text("Token of the bot", /^\d+:\S+$/, "a token such as 123456:ABC", true),
      text("Number of the chat", /^-?\d{1,15}$/, "a number such as -1001234567890"),
    ],
    settings: ([bot_token, chat]) => ({ bot_token, chat_id: Number(chat) }),
  },
  discord: {
    key: "discord_configs",
    texts: { send_resolved: true, title: template("title"), message: template("discord") },
    questions: [url("URL of the channel's webhook")],
    settings: ([webhook_url]) => ({ webhook_url }),
  },
  pagerduty: {
    key: "pagerduty_configs",
    texts: {
      send_resolved: true,
      description: template("title"),
      severity: '{{ or .CommonLabels.severity "error" }}',
      class: "{{ .CommonLabels.alertname }}",
      group: "{{ .CommonLabels.network }}",
      client: "avax-exporter",
      client_url: template("runbook"),
      details: { firing: template("text.firing"), resolved: template("text.resolved") },
    },
    questions: [text("Integration key (Events API v2)", /^\S{8,}$/, "an integration key", true)],
    settings: ([routing_key]) => ({ routing_key }),
  },
  pushover: {
    key: "pushover_configs",
    texts: {
      send_resolved: true,
      html: true,
      title: template("title"),
      message: template("pushover"),
      url: template("runbook"),
      url_title: "Runbook",
      // An emergency rings every minute until it is acknowledged, for three hours at most.
      priority: '{{ if and (eq .Status "firing") (eq .CommonLabels.severity "critical") }}2{{ else }}0{{ end }}',
      retry: "1m",
      expire: "3h",
    },
    questions: [
      text("User key", /^\w{30}$/, "a key of 30 letters and digits", true),
      text("Token of the application", /^\w{30}$/, "a token of 30 letters and digits", true),
    ],
    settings: ([user_key, token]) => ({ user_key, token }),
  },
  email: {
    key: "email_configs",
    texts: {
      send_resolved: true,
      headers: { Subject: template("title") },
      text: template("text"),
      html: template("email"),
    },
    questions: [
      text("To", /^\S+@\S+$/, "an address"),
      text("From", /^\S+@\S+$/, "an address"),
      text("Mail server (host:port)", /^\S+:\d{1,5}$/, "host:port such as smtp.example.org:587"),
      text("User at the mail server", /\S/, "a name"),
      text("Password", /\S/, "a password", true),
    ],
    settings: ([to, from, smarthost, auth_username, auth_password]) => ({
      ...{ to, from, smarthost, auth_username, auth_password },
    }),
  },
  webhook: {
    key: "webhook_configs",
    texts: { send_resolved: true },
    questions: [url("URL that gets Alertmanager's JSON")],
    settings: ([address]) => ({ url: address }),
  },
};

/** The question about the switch; an empty answer is none. */
export const SWITCH_QUESTION: Question = url(
  "URL of a dead man's switch, which reports when this stack is silent (Enter: none)",
);

/** The service with the user's answers. */
export function channelOf({ service, answers }: Chosen): Channel {
  const { key, texts, settings } = SERVICES[service];
  return { set: [], key, options: { ...settings(answers), ...texts } };
}

/** The switch with its URL, or as an example. */
export function switchChannel(address: string | undefined): Channel {
  const options = { url: address ?? "https://dead-mans-switch.invalid/REPLACE/ME", send_resolved: false };
  const set = [
    "Dead man's switch: the URL of a check that expects a request a minute and reports after five without one. It is a service",
    "outside of your network, such as healthchecks.io or Dead Man's Snitch. Releases after 0.25 can read it from a file: `url_file`.",
  ];
  return { set: address === undefined ? set : [], key: "webhook_configs", options };
}

/** Folder of the credentials in the example. */
const SECRETS = "/etc/alertmanager/secrets";

function example(service: Notifier, set: readonly string[], placeholders: object): Channel {
  const { key, texts } = SERVICES[service];
  return { set, key, options: { ...placeholders, ...texts } };
}

/** The services with placeholders: nothing is sent before they are replaced. */
export const EXAMPLES = {
  pagerduty: example("pagerduty", ["PagerDuty: the integration key of a service (Events API v2), alone in the file."], {
    routing_key_file: `${SECRETS}/pagerduty-routing-key`,
  }),
  telegram: example(
    "telegram",
    [
      "Telegram: the token of the bot and the number of the chat. Delete `api_url`, which holds everything back until then.",
      "Releases after 0.25 can read the token from a file: `bot_token_file`.",
    ],
    { api_url: "https://telegram.invalid", bot_token: "0000000000:REPLACE_ME", chat_id: -1 },
  ),
  slack: example("slack", ["Slack: the URL of an incoming webhook, alone in the file, and its channel."], {
    api_url_file: `${SECRETS}/slack-webhook-url`,
    channel: "#avalanche",
  }),
  email: example("email", ["E-mail: the addresses, the mail server and its password, alone in the file."], {
    to: "avalanche@mail.invalid",
    from: "alertmanager@mail.invalid",
    smarthost: "smtp.mail.invalid:587",
    auth_username: "alertmanager@mail.invalid",
    auth_password_file: `${SECRETS}/smtp-password`,
  }),
  discord: example(
    "discord",
    [
      "Discord: the URL of a webhook of the channel.",
      "Releases after 0.25 can read it from a file: `webhook_url_file`.",
    ],
    { webhook_url: "https://discord.invalid/api/webhooks/REPLACE/ME" },
  ),
} as const;
