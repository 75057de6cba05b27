import { Health } from "../../api/node/health.ts";
import { scheduled } from "../../api/node/info.ts";
import { BLS_STATES, nodeHealthOf } from "./health-messages.ts";
import type { Alert } from "../../catalogue/alert.ts";
import { gauge, gauges, states } from "../../catalogue/metric.ts";
import { topic } from "../../catalogue/topic.ts";
import { DISK_FULL, NODE_AWAY, SAME_NODE } from "../../catalogue/causes.ts";

/** Below this share of free disk AvalancheGo reports itself unhealthy. */
export const LOW_DISK_RATIO = 0.1;
/** Leaves days to enlarge the disk before the node reports itself unhealthy. */
export const LITTLE_DISK_RATIO = 0.15;
/** The node stops itself below 3 %, and reports whole percent. */
export const FULL_DISK_RATIO = 0.05;
/** A trend is an alert when the disk is full after this time. Seconds. */
const FILLED_WITHIN = 4 * 86_400;
/** With more free disk than this no trend of some hours is an alert. */
const TREND_RATIO = 0.4;

const DISK_COMMANDS: Alert["runbook"]["commands"] = [
  { run: "call <node> /ext/health", see: "Check `diskspace`: `availableDiskPercentage` and `availableDiskBytes`." },
];

export const nodeNetwork = topic(
  {
    id: "node-network",
    about: "Is the node connected, with free disk and answered requests?",
    scope: "node",
    needs: { report: Health },
  },
  {
    sendFail: gauge(
      "avax_node_send_failure_ratio",
      "Share of messages that could not be sent (health API, check network: `sendFailRate`).",
      ({ report }) => nodeHealthOf(report).sendFailRatio,
    ),
    lastReceived: gauge(
      "avax_node_last_message_received_timestamp_seconds",
      "Time of the last message that the node received from any peer, by its own clock (health API, check network: `timestamp` less `timeSinceLastMsgReceived`).",
      ({ report }) => nodeHealthOf(report).lastReceivedAt,
    ),
    lastSent: gauge(
      "avax_node_last_message_sent_timestamp_seconds",
      "Time of the last message that the node sent to any peer, by its own clock (health API, check network: `timestamp` less `timeSinceLastMsgSent`).",
      ({ report }) => nodeHealthOf(report).lastSentAt,
    ),
    ingress: gauge(
      "avax_node_ingress_connections",
      "Inbound connections from other nodes to this validator; available ten minutes after its start (health API, check network: `ingressConnectionCount`).",
      ({ report }) => nodeHealthOf(report).ingressConnections,
    ),
    diskBytes: gauge(
      "avax_node_disk_available_bytes",
      "Free bytes on the database's disk; the node stops itself below 3 % (health API, check diskspace: `availableDiskBytes`).",
      ({ report }) => nodeHealthOf(report).diskBytes,
    ),
    diskRatio: gauge(
      "avax_node_disk_available_ratio",
      "Free share of the database's disk, whole percent (health API, check diskspace: `availableDiskPercentage`).",
      ({ report }) => nodeHealthOf(report).diskRatio,
    ),
    outstanding: gauge(
      "avax_node_outstanding_requests",
      "Unanswered requests to peers (health API, check router: `outstandingRequests`).",
      ({ report }) => nodeHealthOf(report).outstandingRequests,
    ),
    longestRequest: gauge(
      "avax_node_longest_running_request_seconds",
      "Age of the oldest unanswered request to a peer (health API, check router: `longestRunningRequest`).",
      ({ report }) => nodeHealthOf(report).longestRequest,
    ),
    bootstrapping: gauge(
      "avax_node_bootstrapping_subnets",
      "Subnets whose chains are still bootstrapping on this node (health API, check bootstrapped: length of `message`).",
      ({ report }) => nodeHealthOf(report).bootstrapping?.length,
    ),
    subnetBootstrapping: gauges(
      "avax_subnet_bootstrapping",
      "1 while a chain of this configured subnet is bootstrapping on this node (health API, check bootstrapped: `message`).",
      ["subnet"],
      ({ report }, { subnets }) => {
        const list = nodeHealthOf(report).bootstrapping;
        return list === undefined || list === null ? [] : subnets.map(({ id }) => [{ subnet: id }, list.includes(id)]);
      },
    ),
    localUpgrade: gauge(
      "avax_node_upgrade_local_timestamp_seconds",
      "Time of the next upgrade in this node's schedule; absent without one (health API, check futureupgrade: `localUpgradeTime`).",
      ({ report }) => scheduled(nodeHealthOf(report).localUpgradeTime),
    ),
    modeUpgrade: gauge(
      "avax_node_upgrade_mode_timestamp_seconds",
      "Upgrade time that most stake announces, as observed by this node; absent while that is not a date (health API, check futureupgrade: `modeUpgradeTime`).",
      ({ report }) => scheduled(nodeHealthOf(report).modeUpgradeTime),
    ),
    modeRatio: gauge(
      "avax_node_upgrade_mode_stake_ratio",
      "Share of stake behind the most announced upgrade time, as observed by this node (health API, check futureupgrade: `modeUpgradeWeightPercentage`).",
      ({ report }) => nodeHealthOf(report).modeUpgradeRatio,
    ),
    bls: states(
      "avax_node_bls_state",
      "State of the node's BLS key against the validator set; exactly one is 1 (health API, check bls).",
      ["state"],
      BLS_STATES,
      ({ report }) => {
        const state = nodeHealthOf(report).bls;
        return state === undefined ? [] : [[{}, state]];
      },
    ),
  },
  ({ diskRatio, diskBytes }) => [
    {
      name: "AvaxNodeDiskFull",
      severity: "critical",
      expr: `100 * (${diskRatio} < ${FULL_DISK_RATIO} or (last_over_time(${diskRatio}[1d]) < ${FULL_DISK_RATIO} and on (job, instance, node) avax_node_up == 0))`,
      for: "2m",
      keepFiringFor: "10m",
      loses: "The node stops itself below 3 % and stays down until the disk has room.",
      summary: '{{ $labels.node }} has {{ $value | printf "%.0f" }} % of its disk left: it stops, or has stopped',
      description: `The database's disk of {{ $labels.node }} has {{ $value | printf "%.0f" }} % free, or had when it last answered. Below 3 % the node stops itself.`,
      runbook: {
        meaning:
          "AvalancheGo shuts itself down below 3 % of free disk, to protect its database. A stopped validator earns nothing.",
        confirm: "`df` on the node's machine for the disk of --db-dir.",
        commands: DISK_COMMANDS,
        action:
          "Free disk now: delete old snapshots and logs, or enlarge the disk. If the node has stopped, free disk before you start it.",
        falseWhen: "The disk is so large that 5 % lasts for weeks.",
      },
      fires: {
        series: { 'avax_node_disk_available_ratio{node="a",network="n"}': "0.04x20" },
        at: "4m",
        labels: { node: "a", network: "n" },
      },
      silent: {
        series: { 'avax_node_disk_available_ratio{node="a",network="n"}': "0.05x20" },
        at: "4m",
        why: "5 % is free",
      },
    },
    {
      name: "AvaxNodeDiskLow",
      severity: "warning",
      expr: `100 * (${diskRatio} < ${LITTLE_DISK_RATIO})`,
      for: "30m",
      explainedBy: [DISK_FULL, ...NODE_AWAY],
      summary: '{{ $labels.node }} has {{ $value | printf "%.0f" }} % of its disk left',
      description: `The database's disk of {{ $labels.node }} has {{ $value | printf "%.0f" }} % free. Below 10 % the node reports itself unhealthy, below 3 % it stops itself.`,
      runbook: {
        meaning: "The disk of the database fills up. There are days left to enlarge it.",
        confirm:
          "`avax_node_disk_available_bytes` over the last week, and `df` on the node's machine for the disk of --db-dir.",
        commands: DISK_COMMANDS,
        action:
          "Enlarge the disk, or delete old snapshots and logs. Or convert an archive node to a pruned one and resync from scratch.",
        falseWhen:
          "The disk is so large that 15 % lasts for months. A server that reports free bytes without the share does not raise this alert.",
      },
      fires: {
        series: { 'avax_node_disk_available_ratio{node="a",network="n"}': "0.14x50" },
        at: "35m",
        labels: { node: "a", network: "n" },
      },
      silent: {
        series: {
          'avax_node_disk_available_ratio{node="a",network="n"}': "0.28x50",
          'avax_node_disk_available_bytes{node="a",network="n"}': "280000000000x50",
        },
        at: "35m",
        why: "28 % is free",
      },
    },
    {
      name: "AvaxNodeDiskFilling",
      severity: "warning",
      expr: `predict_linear(${diskBytes}[6h], ${FILLED_WITHIN}) < 0 and ${diskBytes} offset 5h and ${diskRatio} < ${TREND_RATIO}`,
      for: "1h",
      explainedBy: [
        DISK_FULL,
        { alert: "AvaxNodeDiskLow", equal: SAME_NODE, why: "The disk is low already." },
        ...NODE_AWAY,
      ],
      summary: "{{ $labels.node }}: the disk will be full within four days",
      description:
        "At the pace of the last 6 hours the database's disk of {{ $labels.node }} is full within four days. Below 10 % the node reports itself unhealthy, below 3 % it stops itself.",
      runbook: {
        meaning: "The disk of the database fills up faster than usual. There are days left to enlarge it.",
        confirm:
          "`avax_node_disk_available_bytes` over the last week, and `df` on the node's machine for the disk of --db-dir.",
        commands: DISK_COMMANDS,
        action: "Find what grows: the database, logs, snapshots. Enlarge the disk before the node stops itself.",
        falseWhen: "A snapshot or a compaction used much of the disk for some hours.",
      },
      fires: {
        series: {
          'avax_node_disk_available_ratio{node="a",network="n"}': "0.3x500",
          'avax_node_disk_available_bytes{node="a",network="n"}': "300000000000-100000000x500",
        },
        at: "420m",
        labels: { node: "a", network: "n" },
      },
      silent: {
        series: {
          'avax_node_disk_available_ratio{node="a",network="n"}': "0.3x500",
          'avax_node_disk_available_bytes{node="a",network="n"}': "300000000000-1000000x500",
        },
        at: "420m",
        why: "it is full in two hundred days",
      },
    },
  ],
);
