import { Health, type HealthReport, isFailing, Liveness, Readiness, SubnetHealth } from "../../api/node/health.ts";
import { type Context, counters, gauge, gauges, perRow } from "../define/metric.ts";
import { PRIMARY, Validators } from "../../api/node/platform.ts";
import { optional, type Data } from "../define/needs.ts";
import type { Alert, Alerts } from "../define/alert.ts";
import { type Named, selector } from "../define/selector.ts";
import { reducer, topic } from "../define/topic.ts";
import { OLD_PLUGIN } from "../define/alert-texts.ts";
import { atNode, DISCONNECTED, NETWORK_HALTED, NODE_BROKEN, NODE_OUT, SAME_NODE } from "../define/causes.ts";
import { type ChainIds, chainIds, checkLabel, OTHER, subnetOfCheck } from "../chain-ids.ts";
import { threshold } from "../define/threshold.ts";
import { perAnswer } from "../per-answer.ts";

/** Maximum of checks with series per node; a node has about a dozen and one per tracked chain. */
const MOST_CHECKS = 100;

/** Six rounds at the node's default of 30 s: its checks no longer run. Seconds. */
export const CHECKS_FROZEN_AFTER = 180;

const frozen = threshold("health-frozen", "seconds", "when no health check has run for longer than this", {
  standard: CHECKS_FROZEN_AFTER,
  least: 30,
  most: 86_400,
});

const flapping = threshold(
  "health-flapping",
  "number",
  "when a health check failed and passed again at least this often within an hour",
  { standard: 3, least: 2, most: 60 },
);

/**
 * Alerts about what some checks are about too. They hold AvaxNodeUnhealthy back where they fire, and leave nothing unsaid where they
 * cannot: releases before 1.14.1 report no share of the disk, and only configured subnets are asked whether they are bootstrapped.
 * `futureupgrade` is left to AvaxNodeUpgradeDue, which reads the message of the failing check.
 */
const SAID_ELSEWHERE: ReadonlyArray<readonly [check: string, alert: Alert["name"], why: string, outranked?: string]> = [
  ["diskspace", "AvaxNodeDiskLow", "Its disk is low."],
  ["bootstrapped", "AvaxSubnetCheckFailing", "A chain of a subnet does not work."],
  [
    "bootstrapped",
    "AvaxChainBootstrapping",
    "A chain is bootstrapping, or does not run.",
    "Bootstrapping is no fault. AvaxChainNotBootstrapped is a ticket after an hour.",
  ],
];

/** Checks of what lasts: one of them that comes and goes follows from a restart, or stands at its limit. */
const LASTING: ReadonlySet<string> = new Set(["bootstrapped", "diskspace", "futureupgrade"]);

/** The check of a report that is unhealthy and says no reason, as from a server that lists no checks. */
const UNNAMED = "unnamed";

const SUBNET =
  "`subnet` is the subnet of a chain's check: primary for P, X and C, the ID of a configured subnet that lists the chain, or other; empty for a check of the whole node";

const needs = { report: Health, ids: chainIds, sets: optional(Validators) };

/** The checks, sorted by name so that the limit always keeps the same ones. */
const checksOf = perAnswer(
  (
    { checks }: HealthReport,
    knownChains: Context["knownChains"],
    networkSubnets: Context["networkSubnets"],
    ids: ChainIds,
  ) =>
    Object.entries(checks)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, MOST_CHECKS)
      .map((entry) => {
        const facts = { knownChains, networkSubnets };
        return [
          { check: checkLabel(facts, ids, entry[0]), subnet: subnetOfCheck(facts, ids, entry) },
          entry[1],
        ] as const;
      }),
);

const ofCheck = perRow({
  labels: ["check", "subnet"],
  of: ({ report, ids }: Data<typeof needs>, { knownChains, networkSubnets }: Context) =>
    checksOf(report, knownChains, networkSubnets, ids),
});

/** Whether each check passes. A report that is unhealthy by no check has one that fails, so that the node is never unhealthy unseen. */
function passingOf(data: Data<typeof needs>, context: Context) {
  const checks = ofCheck.rows(data, context);
  const rows = checks.map(([labels, check]) => {
    const isEmpty = labels.check === "network" && labels.subnet === "" && isAlone(data, context);
    return [labels, isEmpty || !isFailing(check)] as const;
  });
  const isUnnamed = !data.report.healthy && !checks.some(([, check]) => isFailing(check));
  return isUnnamed ? [...rows, [{ check: UNNAMED, subnet: "" }, false] as const] : rows;
}

/** Whether the node is the only validator of its network, as in a devnet: there is nobody to whom it could be connected. */
function isAlone({ sets }: Data<typeof needs>, { nodeId }: Context): boolean {
  const [first, second] = sets?.get(PRIMARY)?.validators ?? [];
  return first !== undefined && second === undefined && first.nodeID === nodeId;
}

/** The newest run of any check. */
function lastRunOf(data: Data<typeof needs>, context: Context): number | undefined {
  const runs = ofCheck.rows(data, context).map(([, check]) => check.timestamp);
  const known = runs.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** By check that has failed, whether it does now, and how often it passed again. */
type Failed = ReadonlyMap<string, { readonly fails: boolean; readonly recoveries: number }>;

function countRecoveries(state: Failed, data: Data<typeof needs>, context: Context): Failed {
  const changed = passingOf(data, context).flatMap(([{ check }, passes]) => {
    const known = state.get(check) ?? { fails: false, recoveries: 0 };
    if (known.fails === !passes || LASTING.has(check)) return [];
    return [[check, { fails: !passes, recoveries: known.recoveries + (passes ? 1 : 0) }] as const];
  });
  // Names of a node that makes up new ones must not fill the memory.
  return changed.length === 0 ? state : new Map([...state, ...changed].slice(-2 * MOST_CHECKS));
}

export const health = reducer(
  {
    id: "health",
    about: "What health does the node report?",
    scope: "node",
    needs,
    start: (): Failed => new Map(),
    next: countRecoveries,
  },
  {
    healthy: gauge(
      "avax_node_healthy",
      "1 when the node reports itself healthy (health API, `healthy`).",
      ({ report }) => report.healthy,
    ),
    passing: gauges(
      "avax_node_health_check_passing",
      `1 when this check passes, that is, has no \`error\`; check network passes on the only validator of a network (platform.getCurrentValidators, \`nodeID\`); check ${UNNAMED} is 0 while the node is unhealthy and names no failing check; ${SUBNET} (health API, \`checks\`, \`healthy\`).`,
      ["check", "subnet"],
      passingOf,
    ),
    recoveries: counters(
      "avax_node_health_check_recoveries_total",
      `How often this check failed and passed again since the exporter started; absent for a check that has not failed since, and for those of what lasts (${[...LASTING].join(", ")}) (health API, \`checks\`, \`healthy\`).`,
      ["check", "subnet"],
      ({ state, ...data }, context) =>
        passingOf(data, context).map(([labels]) => [labels, state.get(labels.check)?.recoveries]),
    ),
    failures: ofCheck.gauge(
      "avax_node_health_check_contiguous_failures",
      "Consecutive failures of this check; absent while it passes (health API, `contiguousFailures`).",
      (check) => (isFailing(check) ? check.contiguousFailures : undefined),
    ),
    firstFailure: ofCheck.gauge(
      "avax_node_health_check_first_failure_timestamp_seconds",
      "When this check began to fail, by the node's clock; absent while it passes (health API, `timeOfFirstFailure`).",
      ({ timeOfFirstFailure }) => timeOfFirstFailure,
    ),
    lastRun: gauge(
      "avax_node_health_last_run_timestamp_seconds",
      "When a check of the node last ran, by the node's clock: the newest run of any; absent before the first (health API, `timestamp`).",
      lastRunOf,
    ),
  },
  ({ passing, recoveries, lastRun }) => ({
    ...nodeCheckAlerts(passing, recoveries),
    AvaxHealthFrozen: {
      severity: "warning",
      when: { of: lastRun, longerThan: frozen },
      for: "5m",
      explainedBy: [
        ...NODE_BROKEN,
        atNode("AvaxNodeUnhealthy", "The node is unhealthy already, whatever it checks now."),
      ],
      summary: "{{ $labels.node }} checks nothing: its health is {{ $value | humanizeDuration }} old",
      over: "runs its health checks again",
      meaning:
        "The node repeats the result of an earlier round of checks. This happens when one check hangs, usually on a chain whose lock is held: no further round starts and every timestamp is stalled, whatever the real state of the node.",
      confirm:
        "Compare `timestamp` of the checks in `/ext/health` with the current time. Check whether `avax_chain_height` of this node still rises.",
      commands: {
        "call <node> /ext/health": "`timestamp` of every check is minutes old and does not change between two calls.",
        "call <node> platform.getHeight":
          "Rises between two calls while a chain is still processed; is stalled when the whole node hangs.",
      },
      action:
        "Take a goroutine dump if the admin API is on, then restart the node. Report the dump to the VM's developers.",
      falsePositives:
        "The clock of the node or of this machine is wrong by minutes, or the node runs with a --health-check-frequency above a minute.",
    },
    AvaxSubnetCheckFailing: {
      severity: "warning",
      when: { of: selector(passing, { subnet: "!~|primary" }), equals: 0 },
      labels: ["node", "network", "check", "subnet"],
      for: "10m",
      explainedBy: [
        ...NODE_OUT,
        NETWORK_HALTED,
        {
          alert: "AvaxSubnetQuorumLost",
          equal: ["network", "subnet"],
          why: "The subnet has lost its quorum: no node accepts its blocks.",
        },
        { ...DISCONNECTED, sourceMatchers: { subnet: "primary" } },
        {
          alert: "AvaxChainNotRun",
          equal: [...SAME_NODE, "subnet"],
          why: "The node does not run a chain of a subnet: its check fails.",
        },
      ],
      summary: "{{ $labels.node }}: check of chain {{ $labels.check }} fails",
      over: "passes the check of {{ $labels.check }}",
      meaning:
        "The chain of a subnet does not work on this node, or the node is connected to too little of the subnet's weight. The whole node reports itself unhealthy because of it, even if P, X and C work.",
      confirm:
        "The status page, `doctor` and the exporter's log quote the `error` of the check: it is the cause, and a known one has its remedy there.",
      commands: {
        "call <node> /ext/health":
          "The check of this name: `error` is the cause, `timeOfFirstFailure` the start of the failure.",
      },
      action: "Install the right VM plugin and restart. Connected weight: bring the validators back.",
      falsePositives: "The node is not meant to run this subnet: remove it from its track-subnets.",
    },
  }),
);

/** Alerts about checks of the node that fail, or that come and go. */
function nodeCheckAlerts(passing: Named<"check" | "subnet">, recoveries: Named<string>): Alerts {
  return {
    AvaxNodeUnhealthy: {
      severity: "warning",
      when: { of: selector(passing, { subnet: "=~|primary", check: "!=futureupgrade" }), equals: 0 },
      labels: ["node", "network", "check", "subnet"],
      for: "10m",
      explainedBy: [
        ...NODE_BROKEN,
        NETWORK_HALTED,
        { ...DISCONNECTED, sourceMatchers: { subnet: "primary" } },
        atNode("AvaxNodeLagging", "A stalled chain fails its check."),
        ...SAID_ELSEWHERE.map(([check, ...cause]) => ({ ...atNode(...cause), targetMatchers: { check, subnet: "" } })),
      ],
      summary: "{{ $labels.node }}: health check {{ $labels.check }} fails",
      over: "passes its health check {{ $labels.check }}",
      meaning:
        "A health check fails that is about the node itself or the Primary Network; `unnamed` where the node is unhealthy and names none. A validator without enough connected stake, or that does not process blocks, does not do its work. Checks of a subnet's chains are reported by AvaxSubnetCheckFailing, `futureupgrade` by AvaxNodeUpgradeDue.",
      confirm:
        "The status page, `doctor` and the exporter's log quote the `error` of the check: it is the cause, and a known one has its remedy there.",
      commands: {
        "call <node> /ext/health": `Every check with an \`error\` fails, and \`error\` is the cause. ${OLD_PLUGIN}`,
      },
      action:
        "Read what the check reports (`/ext/health`), and act on it. `network`: peers and firewall of port 9651. `bls`: the node's own staking keys. `diskspace`: more disk. A chain: its VM plugin and log.",
      falsePositives: "On a small test network the loss of two validators makes every node unhealthy.",
    },
    AvaxNodeHealthFlapping: {
      severity: "warning",
      when: {
        promql: ({ series, limit }) =>
          `round(max without (instance)(increase(${series(recoveries)}[1h]))) >= ${limit(flapping)}`,
      },
      labels: ["node", "network", "check", "subnet"],
      explainedBy: [
        ...NODE_BROKEN,
        NETWORK_HALTED,
        atNode("AvaxNodeCrashLoop", "The node starts again and again: its checks fail after each start."),
        ...(["AvaxNodeUnhealthy", "AvaxSubnetCheckFailing"] as const).map((alert) => ({
          alert,
          equal: [...SAME_NODE, "check", "subnet"],
          why: "The check fails for longer.",
        })),
      ],
      summary: "{{ $labels.node }}: check {{ $labels.check }} failed {{ $value }} times in an hour",
      over: "has had a steady check {{ $labels.check }} for an hour",
      meaning:
        "A health check fails for seconds or minutes, and passes again. What stands behind it, such as slow blocks of a chain or peers that are lost, comes back: the node does part of its work late.",
      confirm: "Query `avax_node_health_check_passing` of the node and check over the last hours.",
      commands: {
        "call <node> /ext/health": "While the check fails, its `error` is the cause; `timeOfFirstFailure` its start.",
      },
      action:
        "Compare the times with the node's log, its CPU and disk, and with other nodes. A check of a chain on every node: update the release.",
      falsePositives: "You restarted the node that often.",
    },
  };
}

export const readiness = topic(
  { id: "readiness", about: "Has the node finished starting?", scope: "node", needs: { report: Readiness } },
  {
    ready: gauge(
      "avax_node_ready",
      "1 once the node has finished starting; stays 1 until it restarts (health API readiness, `healthy`).",
      ({ report }) => report.healthy,
    ),
  },
);

export const liveness = topic(
  { id: "liveness", about: "Is the node's API available?", scope: "node", needs: { report: Liveness } },
  {
    live: gauge(
      "avax_node_live",
      "1 when the node's API is available (health API liveness, `healthy`).",
      ({ report }) => report.healthy,
    ),
  },
);

const ofSubnets = { reports: SubnetHealth, ids: chainIds };

export const subnetHealth = topic(
  {
    id: "subnet-health",
    about: "Are the chains of each configured subnet healthy on this node?",
    scope: "node",
    needs: ofSubnets,
  },
  {
    healthy: gauges(
      "avax_subnet_healthy",
      "1 when the global checks and those of this subnet pass; absent when the node has no check for it (health API with tag, `healthy`).",
      ["subnet"],
      (data, context) =>
        [...data.reports].map(([subnet, report]) => [
          { subnet },
          hasOwnCheck(data, context, subnet) ? report.healthy : undefined,
        ]),
    ),
    known: gauges(
      "avax_subnet_health_known",
      "0 when the node has no check for this subnet: it does not track it, or the ID is mistyped (health API with tag, `checks`).",
      ["subnet"],
      (data, context) => [...data.reports.keys()].map((subnet) => [{ subnet }, hasOwnCheck(data, context, subnet)]),
    ),
  },
);

/** For an unknown tag the node answers with the global checks only, which would read as healthy. */
function hasOwnCheck({ reports, ids }: Data<typeof ofSubnets>, context: Context, subnet: string): boolean {
  const found = Object.entries(reports.get(subnet)?.checks ?? {}).map((each) => subnetOfCheck(context, ids, each));
  return found.includes(subnet) || found.includes(OTHER);
}
