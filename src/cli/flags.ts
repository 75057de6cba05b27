import { z } from "zod";
import { parseDuration } from "../config/base/units.ts";
import { oneOf } from "../config/base/error-texts.ts";
import { parseListenAddress } from "../http/server/parse-listen-address.ts";
import { plainAddress } from "./text/urls.ts";
import { hostOf } from "./text/host-of.ts";
import { NOTIFIERS } from "../config/base/notifiers.ts";
import { parseMatchers } from "./text/matchers.ts";
import type { Assignment } from "../config/base/alert-limit.ts";
import { SCENARIO_NAMES, type ScenarioName } from "../../simulator/world/scenarios.ts";

/** A flag of the command line; `T` is the type of its value. */
export type Flag<T> = {
  readonly about: string;
  /** Name of the value in help texts; absent for a flag without a value. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** The value when the flag is given without one; a value then follows after `=` alone. */
  readonly bare?: string;
  /** It can be given several times: the texts are joined by commas. */
  readonly repeats?: true;
  /** Words that complete `--flag: "…" is not …`. */
  readonly is: string;
  /** `undefined` for an invalid text. */
  readonly read: (text: string) => T | undefined;
  /** Words of which one was probably meant. */
  readonly words?: readonly string[];
};

/** More shards would have less than one node each in the largest fleet. */
const MOST_SHARDS = 1_000;

/** Scenarios with their nodes, counted from 1. */
export type Assigned = ReadonlyArray<{ readonly node: number | "all"; readonly name: ScenarioName }>;

/** The value of `--version` without one. */
export const OWN_VERSION = "";

/** Every flag of every command, in the spelling of Prometheus and its exporters. */
const TABLE = {
  "config.file": text("FILE", "Configuration file (YAML). Default: watch http://127.0.0.1:9650 under the host name."),
  "config.enable-auto-reload": toggle(
    "Reload when the content of the configuration, or of a file that it names, changes.",
  ),
  "config.auto-reload-interval": wholeSeconds("Time between two looks at these files. Default: 30s.", 86_400),
  "web.listen-address": {
    ...flag(
      "ADDRESS",
      "Address to listen on, several times. Default: :9750; demo: 127.0.0.1:9750.",
      "host:port, :port or [IPv6]:port",
      listenAddresses,
    ),
    repeats: true,
  },
  "web.systemd-socket": toggle("Listen on the sockets that systemd passes, instead of --web.listen-address."),
  "web.telemetry-path": flag("PATH", "Path of the metrics. Default: /metrics.", "a path such as /metrics", (given) =>
    /^\/[^\s?#]*$/.test(given) ? given : undefined,
  ),
  "web.config.file": text(
    "FILE",
    "TLS, client certificates, basic authentication and rate limit of the exporter's own pages.",
  ),
  "web.max-requests": whole(
    "N",
    "Maximum number of concurrent scrapes; one client address can have half of them. 0: no limit. Default: 40.",
    0,
    999_999,
  ),
  "web.badges": choice(
    "ACCESS",
    "Serve badges: protected, with the login of the pages, or public, without it. Default: none.",
    ["protected", "public"],
  ),
  "web.calendar-token-file": text(
    "FILE",
    "Serve calendars to whoever has the token in this file, as ?token=, instead of with the login of the pages.",
  ),
  "web.enable-debug": toggle(
    "Serve heap snapshots and CPU profiles on /debug/. Requires a login in --web.config.file: they hold credentials.",
  ),
  "web.external-url": address("This exporter's address for people, behind a proxy. Default: none."),
  "web.disable-exporter-metrics": toggle("Omit process_*, nodejs_* and avax_exporter_*."),
  "storage.path": text(
    "DIRECTORY",
    "Directory of the state file and the history, which keep node IDs, outages, validators that left and the last day over restarts. Default: data, where it can be written; empty: none.",
  ),
  "shard.index": text("N", "Number of this shard, from 0; auto: the number at the end of the host name."),
  "shard.total": whole("N", "Number of processes that share the nodes.", 1, MOST_SHARDS),
  "log.level": choice("LEVEL", "Log level. Default: info; once: error.", ["debug", "info", "warn", "error"]),
  "log.format": choice("FORMAT", "Log format. Default: logfmt.", ["logfmt", "json"]),
  "once.timeout": duration("Timeout. Default: 60s."),
  output: text(
    "FILE",
    "File to write, or directory of several files; - prints it. Default of init: avax-exporter.yaml; of others: -.",
  ),
  stack: {
    ...flag(
      "DIR",
      "Write a folder with Prometheus, Alertmanager and Grafana, too. Default: avax-stack.",
      "a folder",
      (given) => (given === "" ? undefined : given),
    ),
    bare: "avax-stack",
  },
  receiver: choice("SERVICE", "Service that gets the alerts of --stack. Default: init asks.", NOTIFIERS),
  page: choice("SERVICE", "Service that gets the pages of --stack. Default: that of --receiver.", NOTIFIERS),
  ticket: choice(
    "SERVICE",
    "Service that gets the tickets and the information of --stack. Default: that of --receiver.",
    NOTIFIERS,
  ),
  "reached-at": flag(
    "HOST",
    "Address at which your phone reaches this machine, for the links of --stack; none: no links. Default: init asks.",
    "a host name or an IP address without a port, or none",
    hostOf,
  ),
  "node-exporter": toggle("Measure disks, memory and processors of this machine in --stack, too."),
  add: toggle("Put the nodes into the existing file of --output; all else in it stays as it is."),
  from: text("FILE", "File with URLs of nodes, one a line."),
  "allow-down": toggle("Leave out nodes that do not answer. Default: write nothing."),
  for: duration("How long the alerts are silent. Default: 2h."),
  comment: text("TEXT", "Why, for who sees the silence. Default: Maintenance."),
  silence: toggle(
    "Silence the first batch, or --node, for --down, and end each silence when its node was down and is back.",
  ),
  "login-file": text("FILE", "File with user:password of the exporter and of Alertmanager, such as login of --stack."),
  alertmanager: address("Alertmanager that sends the notifications. Default: http://127.0.0.1:9093."),
  "doctor.timeout": duration("Timeout. Default: 30s, longer for many nodes."),
  unknown: toggle("Print what the nodes send that is new to this release, instead of problems."),
  since: duration("Length of the period. Default: 7d; backtest: 30d; doctor: no history of a running exporter."),
  exporter: address("The running exporter. Default: http://127.0.0.1:9750."),
  chain: text("CHAIN", "EVM chain by configured name, alias or ID. Default: C."),
  "allow-write": toggle("Allow methods that can change the node or the network."),
  "call.timeout": duration("Timeout. Default: 30s."),
  nodes: whole("N", "Number of nodes. Default: 5; demo: 8.", 1, 5_000),
  scenario: {
    ...flag(
      "NAME",
      "Scenario for all nodes, or NODE=NAME, comma-separated.",
      "a scenario or NODE=SCENARIO; demo --help lists the scenarios",
      scenarios,
    ),
    words: SCENARIO_NAMES,
  },
  dialect: choice("DIALECT", "API dialect of the nodes. Default: avalanchego.", ["avalanchego", "spec"]),
  release: choice("RELEASE", "Release of the nodes; 1.14.2: the network before Helicon. Default: 1.15.0.", [
    "1.14.2",
    "1.15.0",
  ]),
  speed: flag("FACTOR", "Simulated seconds per second. Default: 1.", "a factor above 0", (given) =>
    Number(given) > 0 && Number(given) <= 100_000 ? Number(given) : undefined,
  ),
  port: whole("PORT", "First port of the nodes. Default: 19650; demo: any free port.", 0, 65_535),
  prometheus: address("Prometheus that scrapes the exporter. Required."),
  "prometheus.auth-file": text("FILE", "File with user:password, or with a bearer token, for Prometheus."),
  until: flag("TIME", "End of the period, UTC. Default: now.", "a time such as 2026-01-05 or 2026-01-05T08:00", moment),
  selector: flag(
    "MATCHERS",
    'Further matchers of all series, such as job="avax-exporter".',
    'matchers such as job="avax-exporter"',
    parseMatchers,
  ),
  job: text(
    "JOB",
    "Scrape job of the exporter, for rules about it alone. Default: any; test-notification: avax-exporter.",
  ),
  "runbook-url": address(
    "Address of your runbooks, such as http://HOST:9750/runbooks; an alert's name follows. Default: those of the project.",
  ),
  "exporter-url": address("Address of the exporter for links of dashboards. Default: where Prometheus scrapes it."),
  "dashboard-url": address("Address of your Grafana for links of alerts and pages. Default: no links to dashboards."),
  "alertmanager-url": address("Address of your Alertmanager, for links to silences. Default: no links."),
  set: {
    ...flag<readonly Assignment[] | "help">(
      "NAME=VALUE",
      "Threshold of an alert, several times; help lists them.",
      "NAME=VALUE such as lag=5m, or help",
      assignments,
    ),
    repeats: true,
  },
  "rules.format": choice("FORMAT", "Format of the rules. Default: prometheus.", [
    "prometheus",
    "mimir",
    "kubernetes",
    "grafana",
  ]),
  format: choice("FORMAT", "Format of the result. Default: text.", ["text", "html", "json"]),
  step: wholeSeconds("Time between two evaluations. Default: 1m.", 3_600),
  "report.timeout": duration("Timeout of each request. Default: 60s."),
  down: duration("How long a node is down until it takes part again. Default: 10m."),
  node: text("NAME", "The node that is to be restarted: exit code 0 when it can be, 1 when it has to wait."),
  wait: duration("How long to wait until --node can be restarted. Default: not at all.", parseDuration),
  version: {
    ...text("VERSION", "Print version and revision. With a value, of restart-plan: leave out nodes that run it."),
    bare: OWN_VERSION,
  },
  help: toggle("Print this help."),
} as const;

export type FlagName = keyof typeof TABLE;
/** The flags by name, each with all its options. */
export const FLAGS: Readonly<Record<FlagName, Flag<unknown>>> = TABLE;
export const FLAG_NAMES = Object.keys(FLAGS) as readonly FlagName[];

/** The given flags, parsed. */
export type Flags = { readonly [K in FlagName]?: Exclude<ReturnType<(typeof TABLE)[K]["read"]>, undefined> };

function flag<T>(value: string, about: string, is: string, read: Flag<T>["read"]): Flag<T> {
  return { about, value, is, read };
}

function toggle(about: string): Flag<boolean> {
  return { about, is: "", read: () => true };
}

function text(value: string, about: string): Flag<string> {
  return flag(value, about, "", (given) => given);
}

/** An address for links, without the slash at its end. */
function address(about: string): Flag<string> {
  return flag("URL", about, "a URL such as https://avax.example.org/path", plainAddress);
}

/** Seconds, more than 0 by default. */
function duration(about: string, read: Flag<number>["read"] = (given) => parseDuration(given) || undefined) {
  return flag("DURATION", about, "a duration such as 30s", read);
}

function wholeSeconds(about: string, most: number): Flag<number> {
  return flag("DURATION", about, `a duration in whole seconds from 1s to ${most}s`, (given) => {
    const seconds = parseDuration(given) ?? 0;
    return Number.isInteger(seconds) && seconds >= 1 && seconds <= most ? seconds : undefined;
  });
}

function whole(value: string, about: string, least: number, most: number): Flag<number> {
  return flag(value, about, `a number from ${least} to ${most}`, (given) =>
    /^\d{1,6}$/.test(given) && Number(given) >= least && Number(given) <= most ? Number(given) : undefined,
  );
}

function choice<const T extends string>(value: string, about: string, choices: readonly T[]): Flag<T> {
  return { about, value, choices, is: oneOf(choices), read: (given) => choices.find((each) => each === given) };
}

/** `:9750,127.0.0.1:9751` */
function listenAddresses(given: string): readonly string[] | undefined {
  const addresses = given.split(",").map((each) => each.trim());
  return addresses.every((each) => parseListenAddress(each) !== undefined) ? addresses : undefined;
}

/** `a=1,b=2`, or `help`. */
function assignments(given: string): readonly Assignment[] | "help" | undefined {
  if (given === "help") return "help";
  const found = given.split(",").flatMap((part) => {
    const [, name, text] = /^\s*([A-Za-z0-9.-]+)=(\S+)\s*$/.exec(part) ?? [];
    return name === undefined || text === undefined ? [] : [{ name, text }];
  });
  return found.length === given.split(",").length ? found : undefined;
}

const MOMENT = z.union([z.iso.date(), z.iso.datetime({ local: true })]);

/** Unix seconds. */
function moment(given: string): number | undefined {
  if (!MOMENT.safeParse(given).success) return undefined;
  return Date.parse(given.length === 10 || given.endsWith("Z") ? given : `${given}Z`) / 1000;
}

/** `lagging` for all nodes, or `2=lagging,3=bootstrapping`. */
function scenarios(given: string): Assigned | undefined {
  const assigned = given.split(",").map((part) => {
    const [left = "", right] = part.split("=").map((word) => word.trim());
    return right === undefined ? { node: "all" as const, name: left } : { node: Number(left), name: right };
  });
  const known = assigned.flatMap(({ node, name }) => {
    const scenario = SCENARIO_NAMES.find((each) => each === name);
    return scenario === undefined || (node !== "all" && !Number.isInteger(node)) ? [] : [{ node, name: scenario }];
  });
  return known.length === assigned.length ? known : undefined;
}
