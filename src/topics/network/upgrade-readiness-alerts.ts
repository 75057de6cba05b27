import type { Alerts, Runbook } from "../define/alert.ts";
import { lag } from "../chains/lag.ts";
import type { Metric } from "../define/metric.ts";
import { recording } from "../define/recording.ts";
import { where } from "../define/selector.ts";
import { NETWORK_HALTED, NODE_AWAY, REPLACED } from "../define/causes.ts";
import { threshold } from "../define/threshold.ts";

/** A week leaves time to plan an upgrade of the node. Seconds. */
export const UPGRADE_DUE = 7 * 86_400;
/** Within a day the upgrade is urgent. Seconds. */
export const UPGRADE_IMMINENT = 86_400;

/** More stake than this has missed an upgrade: a network loses its quorum with some more. */
const STAKE_LEFT_RATIO = 0.05;

const due = threshold("upgrade-due", "seconds", "when an upgrade that the node lacks activates within this time", {
  standard: UPGRADE_DUE,
  least: 3_600,
  most: 90 * 86_400,
});

const imminent = threshold(
  "upgrade-imminent",
  "seconds",
  "when an upgrade that the node lacks activates within this time",
  { standard: UPGRADE_IMMINENT, least: 3_600, most: 30 * 86_400, below: "upgrade-due" },
);

const stakeLeft = threshold(
  "stake-not-upgraded",
  "share",
  "when more than this share of the stake lacks the active upgrade",
  { standard: STAKE_LEFT_RATIO, least: 0.001, most: 0.5 },
);

type Readiness = {
  readonly ready: Metric<never, "node">;
  readonly parting: Metric<never, "node">;
  readonly readyStake: Metric<never>;
  readonly time: Metric<never>;
  readonly stake: Metric<never, "upgrade_time">;
};

const named = (label: "upgrade" | "release"): string =>
  `{{ with printf "avax_network_upgrade_info{network=%q,${label}!=\\"\\"}" $labels.network | query }}`;
/** "Helicon needs 1.15.0", as far as the peers and schedules of polled nodes show it. */
const NEEDED = `${named("upgrade")}{{ . | first | label "upgrade" }}{{ else }}upgrade{{ end }}${named("release")} needs {{ . | first | label "release" }}{{ else }} not ready{{ end }}`;

const CONFIRM =
  "`avax_node_upgrade_state` shows the kind of mismatch. `avax_network_upgrade_timestamp_seconds` is the network's upgrade time, `avax_network_upgrade_stake_ratio` the stake behind each time. `info.upgrades` of the node is its own schedule.";
const COMPARE_SCHEDULES: Runbook["commands"] = {
  "call <node> info.upgrades": "The node's own schedule; a date in the year 9999 means not scheduled.",
  "call <any-node> info.upgrades": "The schedule of a node that is ready: the lines that differ are the mismatch.",
};
const ACTION =
  "Unknown here: install the release with the upgrade, node after node (`/restart` has the order). Only here, or another time: compare with its announcement.";

/** Time until the upgrade; each alert covers one range of it. */
function timeLeft({ ready, parting }: Readiness) {
  return recording({
    name: "node:avax_node_upgrade_mismatch_seconds:unready",
    about: "Time until a node that is not ready forks off the network; negative afterwards.",
    expr: `${parting} - time() and on (instance, job, node) ${ready} == 0`,
    labels: ["node", "network"],
  });
}

export function upgradeReadinessAlerts(readiness: Readiness): Alerts {
  const { parting, ready, readyStake, time, stake } = readiness;
  const left = timeLeft(readiness);
  const records = [left];
  const most = `max without (chain) (${lag.metrics.blocks})`;
  return {
    AvaxNodeUpgradeDue: {
      severity: "warning",
      expr: `(${left} >= ${imminent}) < ${due}`,
      records,
      labels: ["node", "network"],
      for: "15m",
      thresholds: [due],
      explainedBy: [...NODE_AWAY],
      summary: `{{ $labels.node }} will fork off in {{ $value | humanizeDuration }}: ${NEEDED}`,
      description: "It and most of the stake disagree on the upgrade. Its health check can miss this.",
      meaning:
        "The upgrade time of this node differs from the one that most stake announces. At the earlier of the two times, the rules of node and network diverge, and the node stalls.",
      confirm: CONFIRM,
      commands: COMPARE_SCHEDULES,
      action: ACTION,
      falseWhen:
        "You upgraded early and most of the stake has not: the node has a date that the network does not announce yet.",
    },
    AvaxNodeUpgradeNotReady: {
      severity: "critical",
      expr: `${left} < ${imminent} unless on (job, instance, node) (${left} <= 0 and on (job, instance, node) ${most} >= 0)`,
      whileSilent: `last_over_time(${parting}[1d]) - time() and on (job, instance, node) last_over_time(${ready}[1d]) == 0`,
      labels: ["node", "network"],
      for: "5m",
      thresholds: [imminent],
      records: [left],
      loses: "At the activation the node stops following the network, and its uptime falls.",
      summary: `{{ $labels.node }} {{ if lt $value 0.0 }}forks off now{{ else }}will fork off in {{ $value | humanizeDuration }}{{ end }}: ${NEEDED}`,
      description: "It and most of the stake disagree on the upgrade. Its health check can miss this.",
      meaning:
        "After the activation the node rejects the network's blocks, or the network rejects its blocks. The node stalls but still reports itself healthy, and its uptime falls.",
      confirm: CONFIRM,
      commands: COMPARE_SCHEDULES,
      action: ACTION,
      falseWhen:
        "Releases announce different last upgrades while no upgrade is pending: the node keeps up with the others (`avax_chain_lag_blocks` is 0).",
    },
    AvaxNodeLeftBehind: {
      severity: "critical",
      expr: `${most} > 0 and on (job, instance, node) ${left} <= 0`,
      whileSilent: `max without (chain) (last_over_time(${lag.metrics.blocks}[1d])) > 0`,
      labels: ["node", "network"],
      for: "2m",
      records: [left],
      keepFiringFor: "7m",
      explainedBy: [REPLACED],
      loses:
        "The node no longer follows the network: a validator's votes do not count, and an API node serves old data.",
      summary: "{{ $labels.node }} missed the upgrade and is {{ $value }} blocks behind",
      description: "It was not ready for the network's last upgrade.",
      meaning:
        "The node follows other rules than the network. It accepts no more blocks although its health, peers and connected stake look normal.",
      confirm:
        "`avax_chain_lag_blocks` and `avax_chain_height_changed_timestamp_seconds` of the node; `avax_node_upgrade_state`; its version compared with the other nodes.",
      commands: {
        "call <node> info.getNodeVersion": "A version older than the release with the upgrade.",
        "call <node> platform.getHeight": "Does not rise between two calls, or differs from the height of the others.",
        "call <any-node> platform.getHeight": "Rises between two calls.",
      },
      action:
        "Install the release with the upgrade. If the node made or accepted blocks of its own since then, resync from scratch.",
      falseWhen: "It is behind for another reason, and the releases only announce different last upgrades.",
    },
    AvaxNetworkStakeNotUpgraded: {
      severity: "warning",
      expr: `100 * (1 - ${readyStake} - ignoring (upgrade_time) (${where(stake, { upgrade_time: "unknown" })} or ignoring (upgrade_time) 0 * ${readyStake}) > ${stakeLeft}) and on (job, instance, network) time() > ${time}`,
      labels: ["network"],
      for: "1h",
      thresholds: [stakeLeft],
      explainedBy: [{ ...NETWORK_HALTED, equal: ["network"] }],
      summary:
        '{{ $labels.network }}: {{ $value | printf "%.1f" }} % of the stake has not installed the active upgrade',
      description: "It announces another upgrade, and does not follow the network.",
      meaning:
        "Stake that missed an upgrade does not vote. Below 80 % of connected and upgraded stake the network stops accepting blocks.",
      confirm:
        "`avax_network_upgrade_stake_ratio` is the stake behind each announced time. `avax_network_upgrade_ready_stake_ratio` is the share that announces the network's time.",
      commands: {
        "call <any-node> info.peers":
          "`upgradeTime` and `version` of each peer: the old ones are those that were left behind.",
        "call <any-node> info.upgrades": "The time of the upgrade that is active.",
      },
      action: "Upgrade your own nodes that are among them, and inform the operators of the others.",
      falseWhen: "Validators announce an upgrade that comes later than the active one.",
    },
  };
}
