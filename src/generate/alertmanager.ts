import { stringify } from "yaml";
import { ALERTS } from "../definitions/alerts.ts";
import type { Alert, Severity } from "../catalogue/alert.ts";
import { TOPICS } from "../definitions/topics.ts";
import type { Scope } from "../catalogue/metric.ts";
import { YAML_HEAD } from "./rules.ts";

type Name = Alert["name"];

/** Labels that every alert of one exporter has in common, when its expression keeps them. */
const EXPORTER = ["job", "instance"] as const;

/** An alert that says why others fire: while it does, they are not sent. */
export type Inhibition = {
  readonly why: string;
  readonly source: Name;
  readonly targets: readonly Name[];
  /** Only where these labels are the same. */
  readonly equal: readonly string[];
};

const all = ALERTS.map(({ name }) => name);
const butFor = (names: readonly Name[], ...left: readonly Name[]): readonly Name[] =>
  names.filter((name) => !left.includes(name));
const ofScopes = (...scopes: readonly Scope[]): readonly Alert[] =>
  TOPICS.filter(({ scope }) => scopes.includes(scope)).flatMap(({ alerts }) => alerts);
const carrying = (alerts: readonly Alert[], label: string): readonly Name[] =>
  alerts.filter(({ fires }) => label in fires.labels).map(({ name }) => name);

/** Everything that names one node. */
const OF_NODE = carrying(ALERTS, "node");
/** Everything that a network's speaker was asked for. */
const OF_SPEAKER = carrying(ofScopes("network"), "network");
/** What is true of many nodes at once, because of one thing outside of them. */
const OF_MANY: readonly Name[] = ["AvaxNodeUpgradeDue", "AvaxNodeUpgradeNotReady", "AvaxNodeLeftBehind"];

/** From the observer to the detail. */
export const INHIBITIONS: readonly Inhibition[] = [
  {
    why: "Nothing is scraped: what still fires is a memory.",
    source: "AvaxExporterAbsent",
    targets: butFor(all, "AvaxExporterAbsent"),
    equal: [],
  },
  {
    why: "The exporter reaches none of its nodes: it is blind, and the nodes need not be the matter.",
    source: "AvaxExporterCannotPoll",
    targets: butFor(all, "AvaxExporterAbsent", "AvaxExporterCannotPoll"),
    equal: EXPORTER,
  },
  {
    why: "The node is down: everything else about it follows from that.",
    source: "AvaxNodeDown",
    targets: butFor(OF_NODE, "AvaxNodeDown"),
    equal: [...EXPORTER, "node"],
  },
  {
    why: "The node is down: it cannot help either.",
    source: "AvaxNodeDown",
    targets: ["AvaxHelperFailing"],
    equal: ["job", "node"],
  },
  {
    why: "Nobody speaks for the network: what the speaker told is old or gone.",
    source: "AvaxNetworkWithoutSpeaker",
    targets: butFor(OF_SPEAKER, "AvaxNetworkWithoutSpeaker"),
    equal: [...EXPORTER, "network"],
  },
  {
    why: "Another node answers: what it says of itself is not about the node that is meant.",
    source: "AvaxNodeReplaced",
    targets: ["AvaxNodeStoppedValidating", "AvaxUptimeRewardAtRisk", "AvaxUptimeClaimContradicted"],
    equal: [...EXPORTER, "node"],
  },
  {
    why: "A node that is not done bootstrapping fails in many ways until it is.",
    source: "AvaxChainNotBootstrapped",
    targets: [
      ...(["AvaxEndpointFailing", "AvaxDataStale", "AvaxNodeUnhealthy", "AvaxHealthCheckFailing"] as const),
      ...(["AvaxNodeLagging", "AvaxNodeStandsStill", "AvaxEvmSocketDown"] as const),
    ],
    equal: [...EXPORTER, "node"],
  },
  {
    why: "The answer about the whole node names the checks that fail.",
    source: "AvaxNodeUnhealthy",
    targets: ["AvaxHealthCheckFailing"],
    equal: [...EXPORTER, "node"],
  },
  {
    why: "The network's chain has stopped: no node can do anything about it.",
    source: "AvaxPublicChainStalled",
    targets: ["AvaxEvmChainStalled"],
    equal: ["job", "network", "chain"],
  },
  {
    why: "An upgrade is why it is behind.",
    source: "AvaxNodeLeftBehind",
    targets: ["AvaxNodeLagging", "AvaxNodeStandsStill", "AvaxNodeUpgradeNotReady"],
    equal: [...EXPORTER, "node"],
  },
  {
    why: "Who stands still lags.",
    source: "AvaxNodeStandsStill",
    targets: ["AvaxNodeLagging"],
    equal: [...EXPORTER, "node", "chain"],
  },
  {
    why: "What is lost cannot be at risk.",
    source: "AvaxRewardLost",
    targets: ["AvaxDowntimeBudgetLow", "AvaxUptimeBelowRequirement", "AvaxUptimeNearRequirement"],
    equal: ["network", "subnet", "node_id"],
  },
  {
    why: "Without a key or a budget answers grow old, or are never given.",
    source: "AvaxHostedKeyRefused",
    targets: ["AvaxHostedDataStale", "AvaxHostedNeverAnswered"],
    equal: [...EXPORTER, "api"],
  },
  {
    why: "Without a key or a budget answers grow old, or are never given.",
    source: "AvaxHostedBudgetExhausted",
    targets: ["AvaxHostedDataStale", "AvaxHostedNeverAnswered"],
    equal: [...EXPORTER, "api"],
  },
];

/** Who hears of what, and how often it is said again while it lasts. */
const RECEIVERS: Readonly<Record<Severity, { readonly name: string; readonly repeat: string; readonly for: string }>> =
  {
    critical: { name: "page", repeat: "4h", for: "wakes somebody" },
    warning: { name: "ticket", repeat: "1d", for: "is looked at today" },
    info: { name: "record", repeat: "3d", for: "is kept for the record" },
  };
const SEVERITIES = Object.keys(RECEIVERS) as readonly Severity[];

const OURS = 'alertname=~"Avax.+"';

/** Ways to group, the first that fits counts. */
const GROUPINGS = [
  { why: "One upgrade, however many nodes.", matchers: among(OF_MANY), by: ["alertname"] },
  { why: "All about one node together.", matchers: [OURS, 'node=~".+"'], by: ["job", "instance", "node"] },
  {
    why: "A network's event is one notification, not one a validator.",
    matchers: [OURS, 'network=~".+"'],
    by: ["alertname", "network"],
  },
  { why: "The exporter and the hosted services.", matchers: [OURS], by: ["alertname", "job"] },
] as const;

/** The example of Alertmanager's configuration: routing by severity, grouping by whose fact it is, and inhibition. */
export function alertmanagerExample(): string {
  const routes = GROUPINGS.map(({ why, matchers, by }) => ({
    why,
    value: { matchers: [...matchers], group_by: [...by], routes: SEVERITIES.map(severityRoute) },
  }));
  const inhibitions = INHIBITIONS.map(({ why, source, targets, equal }) => ({
    why,
    value: {
      source_matchers: [`alertname="${source}"`],
      target_matchers: among(targets),
      ...(equal.length === 0 ? {} : { equal: [...equal] }),
    },
  }));
  const root = { receiver: RECEIVERS.warning.name, group_wait: "30s", group_interval: "5m", repeat_interval: "1d" };
  return [
    YAML_HEAD.trimEnd(),
    "# An example: put your own ways of notifying into the receivers, and merge it with what you have.",
    "",
    "route:",
    indented(stringify(root)),
    "  routes:",
    ...routes.map((route) => indented(commented(route), 4)),
    "receivers:",
    ...SEVERITIES.map(
      (severity) =>
        `  # ${severity}: ${RECEIVERS[severity].for}. Without webhook_configs, slack_configs, email_configs … nothing is sent.\n  - name: ${RECEIVERS[severity].name}`,
    ),
    "",
    "inhibit_rules:",
    ...inhibitions.map((rule) => indented(commented(rule))),
    "",
  ].join("\n");
}

function severityRoute(severity: Severity) {
  const { name, repeat } = RECEIVERS[severity];
  return { matchers: [`severity="${severity}"`], receiver: name, repeat_interval: repeat };
}

/** Matchers of some alerts; of nearly all of them by who is left out. */
function among(names: readonly Name[]): readonly string[] {
  const left = all.filter((name) => !names.includes(name));
  return left.length > 3 ? [`alertname=~"${names.join("|")}"`] : [OURS, `alertname!~"${left.join("|")}"`];
}

function commented({ why, value }: { readonly why: string; readonly value: unknown }): string {
  return `# ${why}\n${stringify([value], { lineWidth: 0, flowCollectionPadding: false })}`;
}

function indented(text: string, by = 2): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `${" ".repeat(by)}${line}`)
    .join("\n");
}
