import type { FlagName } from "./flags.ts";

type Command = {
  readonly about: string;
  /** Its positional arguments, for help texts and completion; absent when it takes none. */
  readonly words?: string;
  readonly flags: readonly FlagName[];
  readonly examples: readonly string[];
};

const SHARD = ["shard.index", "shard.total"] as const;
const AUTO_RELOAD = ["config.enable-auto-reload", "config.auto-reload-interval"] as const;
const PAGES = [
  "web.listen-address",
  "web.telemetry-path",
  "web.max-requests",
  "web.badges",
  "dashboard-url",
  "alertmanager-url",
  "web.external-url",
] as const;
const FROM_PROMETHEUS = [
  "prometheus",
  "prometheus.auth-file",
  "since",
  "until",
  "selector",
  "format",
  "output",
  "report.timeout",
] as const;
const SIMULATED = ["nodes", "scenario", "dialect", "release", "speed", "port"] as const;

const TABLE = {
  run: {
    about: "Poll the nodes and serve /metrics (the default).",
    flags: [
      "config.file",
      ...AUTO_RELOAD,
      ...PAGES,
      "web.systemd-socket",
      "web.config.file",
      "web.calendar-token-file",
      "web.disable-exporter-metrics",
      "web.enable-debug",
      "storage.path",
      ...SHARD,
      "log.level",
      "log.format",
    ],
    examples: ["", "--config.file=mine.yaml", "--config.file=mine.yaml --web.listen-address=127.0.0.1:9750"],
  },
  init: {
    about: "Write a configuration for the nodes at the URLs, from their answers.",
    words: "[URL...]",
    flags: [
      "output",
      "add",
      "from",
      "doctor.timeout",
      "allow-down",
      "stack",
      "reached-at",
      "node-exporter",
      "receiver",
      "page",
      "ticket",
    ],
    examples: [
      "init",
      "init --stack http://10.0.0.1:9650 http://10.0.0.2:9650",
      "init --add --output=mine.yaml http://10.0.0.3:9650",
    ],
  },
  "check-config": {
    about: "Check the configuration; print every problem with file, line and column.",
    flags: ["config.file", "web.config.file", "shard.total"],
    examples: ["check-config --config.file=mine.yaml", "check-config --web.config.file=web.yaml"],
  },
  once: {
    about: "Poll everything once and print the metrics; fails when a configured poll failed.",
    flags: ["config.file", "once.timeout", ...SHARD, "log.level"],
    examples: ["once --config.file=mine.yaml"],
  },
  doctor: {
    about: "Report problems with evidence and remedy; exit code 0 for none, 1 for some, 2 if it could not look.",
    words: "[URL...]",
    flags: ["config.file", "doctor.timeout", "unknown", "since", "exporter", "login-file"],
    examples: ["doctor http://10.0.0.1:9650 http://10.0.0.2:9650", "doctor --since=24h"],
  },
  "restart-plan": {
    about: "Ask a running exporter which nodes can be restarted now, and in which order.",
    flags: ["down", "node", "wait", "silence", "comment", "job", "alertmanager", "exporter", "login-file"],
    examples: [
      "restart-plan",
      "restart-plan --version=1.15.0 --down=20m",
      "restart-plan --node=val-3 --wait=30m",
      "restart-plan --silence",
    ],
  },
  silence: {
    about: "Silence the alerts about one node in Alertmanager for a time.",
    words: "NODE",
    flags: ["for", "comment", "job", "alertmanager", "exporter", "login-file"],
    examples: ["silence val-3", 'silence val-3 --for=30m --comment="new disk"'],
  },
  call: {
    about: "Send one request to a node and print the result as JSON.",
    words: "NODE METHOD [JSON]",
    flags: ["config.file", "chain", "allow-write", "call.timeout"],
    examples: [
      "call http://127.0.0.1:9650 info.uptime",
      "call http://127.0.0.1:9650 /ext/health",
      "call my-validator evm.head --chain=my-l1 --config.file=mine.yaml",
    ],
  },
  report: {
    about: "Print a report of the last week from Prometheus: availability, rewards, incidents.",
    flags: [...FROM_PROMETHEUS, "set", "config.file"],
    examples: ["report --prometheus=http://127.0.0.1:9090", "report --prometheus=http://10.0.0.9:9090 --format=html"],
  },
  backtest: {
    about: "Print what the alerts would have sent in the last 30 days with your thresholds, from a Prometheus.",
    flags: [...FROM_PROMETHEUS, "step", "set", "config.file"],
    examples: ["backtest --prometheus=http://127.0.0.1:9090 --set=lag=5m"],
  },
  export: {
    about: "Print rules, dashboards, Alertmanager's configuration or runbooks with your settings.",
    words: "rules|dashboards|alertmanager|runbooks [NAME]",
    flags: [
      "job",
      "selector",
      "runbook-url",
      "dashboard-url",
      "exporter-url",
      "config.file",
      "set",
      "rules.format",
      "output",
    ],
    examples: ["export rules --job=avax-exporter --set=disk-low=20%", "export dashboards --output=dashboards"],
  },
  "test-notification": {
    about: "Send a harmless page, a ticket and their resolution through Alertmanager.",
    flags: ["alertmanager", "job", "login-file"],
    examples: ["test-notification", "test-notification --alertmanager=http://10.0.0.9:9093"],
  },
  healthcheck: {
    about: "Ask a running exporter whether it is alive, for containers: exit code 0 or 1.",
    words: "[URL]",
    flags: [],
    examples: ["healthcheck", "healthcheck https://avax.example.org"],
  },
  simulate: {
    about: "Run the simulated network without the exporter.",
    flags: SIMULATED,
    examples: ["simulate --nodes=3", "simulate --scenario=2=lagging,3=bootstrapping"],
  },
  demo: {
    about: "Run the simulated network and the exporter on it.",
    flags: [...SIMULATED, ...PAGES],
    examples: ["demo", "demo --nodes=4 --scenario=4=left-behind", "demo --web.listen-address=127.0.0.1:9800"],
  },
  completion: {
    about: "Print the completion script of a shell.",
    words: "bash|zsh|fish",
    flags: [],
    examples: ["completion bash", "completion zsh", "completion fish"],
  },
} satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof TABLE;
/** The commands, in the order of the help text. */
export const COMMANDS: Readonly<Record<CommandName, Command>> = TABLE;
export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];
