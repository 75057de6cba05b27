import { stringify } from "yaml";
import { ALERTS } from "../definitions/alerts.ts";
import type { Alert, Severity } from "../catalogue/alert.ts";
import { TOPICS } from "../definitions/topics.ts";
import type { Scope } from "../catalogue/metric.ts";
import { YAML_HEAD } from "./rules.ts";

type Name = Alert["name"];

/** Labels that identify one exporter, where the expression of an alert keeps them. */
const EXPORTER = ["job", "instance"] as const;

/** An alert that explains others: while it fires, they are not sent. */
type Inhibition = {
  readonly why: string;
  readonly source: Name;
  readonly targets: readonly Name[];
  /** Labels that must be equal. */
  readonly equal: readonly string[];
};

const all = ALERTS.map(({ name }) => name);
const without = (names: readonly Name[], ...excluded: readonly Name[]): readonly Name[] =>
  names.filter((name) => !excluded.includes(name));
const ofScopes = (...scopes: readonly Scope[]): readonly Alert[] =>
  TOPICS.filter(({ scope }) => scopes.includes(scope)).flatMap(({ alerts }) => alerts);
const withLabel = (alerts: readonly Alert[], label: string): readonly Name[] =>
  alerts.filter(({ fires }) => label in fires.labels).map(({ name }) => name);

/** Alerts with the label of a node. */
const OF_NODE = withLabel(ALERTS, "node");
/** Alerts about facts that a reference node reports. */
const OF_REFERENCE_NODE = withLabel(ofScopes("network"), "network");
/** Alerts that fire for many nodes at once, because of a common cause. */
const OF_MANY: readonly Name[] = ["AvaxNodeUpgradeDue", "AvaxNodeUpgradeNotReady", "AvaxNodeLeftBehind"];

/** Inhibitions, from the exporter to the details. */
export const INHIBITIONS: readonly Inhibition[] = [
  {
    why: "No scrape succeeds: alerts that still fire rest on old samples.",
    source: "AvaxExporterAbsent",
    targets: without(all, "AvaxExporterAbsent"),
    equal: [],
  },
  {
    why: "The exporter reaches none of its nodes. The cause need not be the nodes.",
    source: "AvaxExporterCannotPoll",
    targets: without(all, "AvaxExporterAbsent", "AvaxExporterCannotPoll"),
    equal: EXPORTER,
  },
  {
    why: "The node is down: its other alerts are consequences.",
    source: "AvaxNodeDown",
    targets: without(OF_NODE, "AvaxNodeDown"),
    equal: [...EXPORTER, "node"],
  },
  {
    why: "The node is down and cannot serve as an auxiliary node.",
    source: "AvaxNodeDown",
    targets: ["AvaxAuxiliaryNodeFailing"],
    equal: ["job", "node"],
  },
  {
    why: "The network has no usable reference node: its facts are old or absent.",
    source: "AvaxNetworkWithoutReferenceNode",
    targets: without(OF_REFERENCE_NODE, "AvaxNetworkWithoutReferenceNode"),
    equal: [...EXPORTER, "network"],
  },
  {
    why: "Another node answers: its reports are not about the configured node.",
    source: "AvaxNodeReplaced",
    targets: ["AvaxNodeStoppedValidating", "AvaxUptimeRewardAtRisk", "AvaxRewardingStakeOverstated"],
    equal: [...EXPORTER, "node"],
  },
  {
    why: "A node that is still bootstrapping fails in many ways.",
    source: "AvaxChainNotBootstrapped",
    targets: [
      ...(["AvaxEndpointFailing", "AvaxDataStale", "AvaxNodeUnhealthy", "AvaxHealthCheckFailing"] as const),
      ...(["AvaxNodeLagging", "AvaxNodeStandsStill", "AvaxEvmWebSocketDown"] as const),
    ],
    equal: [...EXPORTER, "node"],
  },
  {
    why: "The alert about the whole node lists the failing checks.",
    source: "AvaxNodeUnhealthy",
    targets: ["AvaxHealthCheckFailing"],
    equal: [...EXPORTER, "node"],
  },
  {
    why: "The network's chain has stopped: the cause is not a single node.",
    source: "AvaxPublicChainStalled",
    targets: ["AvaxEvmChainStalled"],
    equal: ["job", "network", "chain"],
  },
  {
    why: "The node is behind because it missed an upgrade.",
    source: "AvaxNodeLeftBehind",
    targets: ["AvaxNodeLagging", "AvaxNodeStandsStill", "AvaxNodeUpgradeNotReady"],
    equal: [...EXPORTER, "node"],
  },
  {
    why: "A stalled node always lags.",
    source: "AvaxNodeStandsStill",
    targets: ["AvaxNodeLagging"],
    equal: [...EXPORTER, "node", "chain"],
  },
  {
    why: "The reward is already lost.",
    source: "AvaxRewardLost",
    targets: ["AvaxDowntimeBudgetLow", "AvaxUptimeBelowRequirement", "AvaxUptimeNearRequirement"],
    equal: ["network", "subnet", "node_id"],
  },
  {
    why: "Without a valid key or budget, hosted data gets old or never arrives.",
    source: "AvaxHostedKeyRefused",
    targets: ["AvaxHostedDataStale", "AvaxHostedNeverAnswered"],
    equal: [...EXPORTER, "api"],
  },
  {
    why: "Without a valid key or budget, hosted data gets old or never arrives.",
    source: "AvaxHostedBudgetExhausted",
    targets: ["AvaxHostedDataStale", "AvaxHostedNeverAnswered"],
    equal: [...EXPORTER, "api"],
  },
];

/** Receiver and repeat interval by severity. */
const RECEIVERS: Readonly<Record<Severity, { readonly name: string; readonly repeat: string; readonly for: string }>> =
  {
    critical: { name: "page", repeat: "4h", for: "pages on-call" },
    warning: { name: "ticket", repeat: "1d", for: "handle today" },
    info: { name: "record", repeat: "3d", for: "for the record" },
  };
const SEVERITIES = Object.keys(RECEIVERS) as readonly Severity[];

const OWN_ALERTS = 'alertname=~"Avax.+"';

/** Groupings; the first that matches applies. */
const GROUPINGS = [
  { why: "One notification per upgrade, however many nodes.", matchers: among(OF_MANY), by: ["alertname"] },
  { why: "One notification per node.", matchers: [OWN_ALERTS, 'node=~".+"'], by: ["job", "instance", "node"] },
  {
    why: "One notification per network event, not per validator.",
    matchers: [OWN_ALERTS, 'network=~".+"'],
    by: ["alertname", "network"],
  },
  { why: "The exporter and the hosted services.", matchers: [OWN_ALERTS], by: ["alertname", "job"] },
] as const;

/** An example of Alertmanager's configuration: routing by severity, grouping by subject, and inhibition. */
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
    "# An example: add your notification channels to the receivers and merge it with your configuration.",
    "",
    "route:",
    indented(stringify(root)),
    "  routes:",
    ...routes.map((route) => indented(commented(route), 4)),
    "receivers:",
    ...SEVERITIES.map(
      (severity) =>
        `  # ${severity}: ${RECEIVERS[severity].for}. Sends only with webhook_configs, slack_configs, email_configs …\n  - name: ${RECEIVERS[severity].name}`,
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

/** Matchers for some alerts; for nearly all alerts by those that are excluded. */
function among(names: readonly Name[]): readonly string[] {
  const others = without(all, ...names);
  return others.length > 3 ? [`alertname=~"${names.join("|")}"`] : [OWN_ALERTS, `alertname!~"${others.join("|")}"`];
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
