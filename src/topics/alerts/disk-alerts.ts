import type { Alerts, Runbook } from "../define/alert.ts";
import { atNode, DISK_FULL, NODE_AWAY } from "../define/causes.ts";
import { FULL_DISK_RATIO, LITTLE_DISK_RATIO, nodeDisk } from "../node/node-disk.ts";
import { threshold } from "../define/threshold.ts";

const full = threshold("disk-full", "share", "below this share of free disk; the node stops itself below 3 %", {
  standard: FULL_DISK_RATIO,
  least: 0.03,
  most: 0.5,
  below: "disk-low",
});

const low = threshold("disk-low", "share", "below this share of free disk", {
  standard: LITTLE_DISK_RATIO,
  least: 0.03,
  most: 0.9,
});

const filled = threshold(
  "disk-filled-within",
  "seconds",
  "when the disk is full within this time at the pace of the last 6 hours",
  { standard: 4 * 86_400, least: 3_600, most: 30 * 86_400 },
);

const trend = threshold("disk-trend", "share", "below this share of free disk alone, however fast the disk fills", {
  standard: 0.4,
  least: 0.05,
  most: 1,
});

const DISK_COMMANDS: Runbook["commands"] = {
  "call <node> /ext/health": "Check `diskspace`: `availableDiskPercentage` and `availableDiskBytes`.",
};
const GROWTH: Pick<Runbook, "confirm" | "commands"> = {
  confirm:
    "`avax_node_disk_available_bytes` over the last week, and `df` on the node's machine for the disk of --db-dir.",
  commands: DISK_COMMANDS,
};

const { ratio, bytes } = nodeDisk.metrics;

/** The disk of a node's database: a ticket with days of room, a page when the node is about to stop. */
export const DISK_ALERTS: Alerts = {
  AvaxNodeDiskFull: {
    severity: "critical",
    when: { of: ratio, below: full },
    for: "2m",
    impact: "The node stops itself below 3 % and stays down until the disk has room.",
    summary: '{{ $labels.node }} has {{ $value | printf "%.0f" }} % of its disk left: it stops below 3 %',
    over: "has room on its disk again",
    meaning:
      "AvalancheGo shuts itself down below 3 % of free disk, to protect its database. A stopped validator earns nothing.",
    confirm: "`df` on the node's machine for the disk of --db-dir.",
    commands: DISK_COMMANDS,
    action:
      "Free disk now: delete old snapshots and logs, or enlarge it. If the node has stopped, free disk before you start it.",
    falsePositives: (words) => `The disk is so large that ${words(full)} lasts for weeks.`,
  },
  AvaxNodeDiskLow: {
    severity: "warning",
    when: { of: ratio, below: low },
    for: "5m",
    explainedBy: [DISK_FULL, ...NODE_AWAY],
    summary: '{{ $labels.node }} has {{ $value | printf "%.0f" }} % of its disk left',
    over: "has enough room on its disk again",
    description: "Below 3 % it stops itself.",
    meaning:
      "The disk of the database fills up. There are days left to enlarge it: below 10 % the node reports itself unhealthy, below 3 % it stops itself.",
    ...GROWTH,
    action: "Enlarge the disk, or delete old snapshots and logs. An archive node: prune it, and resync from scratch.",
    falsePositives: (words) =>
      `The disk is so large that ${words(low)} lasts for months. Of a release before 1.14.1, which reports free bytes alone, AvaxNodeUnhealthy and AvaxNodeDiskFilling report the disk.`,
  },
  AvaxNodeDiskFilling: {
    severity: "warning",
    // A trend of six hours: that of a node polled since some minutes is not one. A server that reports bytes alone has no share that
    // is large enough.
    when: {
      promql: ({ series, limit }) =>
        `max without (instance)(predict_linear(${series(bytes)}[6h], ${limit(filled)}) < 0 unless ${series(ratio)} >= ${limit(trend)})`,
    },
    for: "6h",
    explainedBy: [
      DISK_FULL,
      atNode("AvaxNodeDiskLow", "The disk is low already."),
      atNode(
        "AvaxNodeBootstrapping",
        "A node that bootstraps fills its disk until it has the state of the network.",
        "AvaxNodeDiskLow and AvaxNodeDiskFull report a disk that is too small for the state.",
      ),
      ...NODE_AWAY,
    ],
    summary: (words) => `{{ $labels.node }}: the disk will be full within ${words(filled)}`,
    over: "has a disk that fills slowly again",
    description: "The pace is that of the last 6 hours.",
    meaning:
      "The disk of the database fills up faster than usual. There are days left to enlarge it: below 3 % the node stops itself.",
    ...GROWTH,
    action: "Find what grows: the database, logs, snapshots. Enlarge the disk before the node stops itself.",
    falsePositives: "A snapshot or a compaction used much of the disk for some hours.",
  },
};
