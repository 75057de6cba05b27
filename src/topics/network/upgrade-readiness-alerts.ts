import type { Alert } from "../../catalogue/alert.ts";
import { lag } from "../chains/lag.ts";
import type { Metric } from "../../catalogue/metric.ts";
import { recording } from "../../catalogue/recording.ts";

/** A week leaves time to plan an upgrade of the node. Seconds. */
export const UPGRADE_DUE = 7 * 86_400;
/** Within a day the upgrade is urgent. Seconds. */
export const UPGRADE_IMMINENT = 86_400;

type Readiness = {
  readonly ready: Metric<never, "node">;
  readonly parting: Metric<never, "node">;
};

const CONFIRM =
  "`avax_node_upgrade_state` says in which direction; `avax_network_upgrade_timestamp_seconds` is the network's time, `avax_network_upgrade_stake_ratio` the stake behind each; `info.upgrades` of the node is its own schedule.";
const COMPARE_SCHEDULES: Alert["runbook"]["commands"] = [
  {
    run: "call <node> info.upgrades",
    see: "The node's own schedule; a date in the year 9999 is none.",
  },
  {
    run: "call <any-node> info.upgrades",
    see: "That of a node that is ready: the lines that differ are what the two do not agree on.",
  },
];
const ACTION =
  "Unknown here: install the release that knows the upgrade. Only here, or another time: compare with the announcement of the upgrade; if the date was moved or called off, install the release that says so.";

/** Time until the upgrade; each alert covers one range of it. */
function timeLeft({ ready, parting }: Readiness) {
  return recording({
    name: "node:avax_node_upgrade_parting_seconds:unready",
    about: "Time until a node that is not ready and the network part ways; negative since they did.",
    expr: `${parting} - time() and on (instance, job, node) ${ready} == 0`,
    labels: ["node"],
    proof: {
      series: {
        'avax_node_upgrade_ready{node="a"}': "0x5",
        'avax_node_upgrade_mismatch_timestamp_seconds{node="a"}': "4000x5",
        'avax_node_upgrade_ready{node="b"}': "1x5",
        'avax_node_upgrade_mismatch_timestamp_seconds{node="b"}': "4000x5",
      },
      at: "3m",
      samples: { '{node="a"}': 3820 },
    },
  });
}

export function upgradeReadinessAlerts(readiness: Readiness): readonly Alert[] {
  const left = timeLeft(readiness);
  const records = [left];
  const behind = `max without (chain) (${lag.metrics.blocks}) > 0`;
  return [
    {
      name: "AvaxNodeUpgradeDue",
      severity: "warning",
      expr: `(${left} >= ${UPGRADE_IMMINENT}) < ${UPGRADE_DUE}`,
      records,
      for: "15m",
      summary: "{{ $labels.node }} and the network part ways in {{ $value | humanizeDuration }}",
      description:
        "In {{ $value | humanizeDuration }} an upgrade activates on which {{ $labels.node }} and most of the network's stake do not agree. The node's own health check need not say so.",
      runbook: {
        meaning:
          "The upgrade time of this node is not the one that most stake announces. At the earlier of the two one of them goes on by other rules, and the node stands still.",
        confirm: CONFIRM,
        commands: COMPARE_SCHEDULES,
        action: ACTION,
        falseWhen:
          "You upgraded early and most of the stake has not yet: then the node knows a date that the network will learn.",
      },
      fires: {
        series: {
          'avax_node_upgrade_ready{node="a"}': "0x40",
          'avax_node_upgrade_mismatch_timestamp_seconds{node="a"}': "260000x40",
        },
        at: "20m",
        labels: { node: "a" },
      },
      silent: {
        series: {
          'avax_node_upgrade_ready{node="a"}': "0x40",
          'avax_node_upgrade_mismatch_timestamp_seconds{node="a"}': "2600000x40",
        },
        at: "20m",
        why: "a month is left",
      },
    },
    {
      name: "AvaxNodeUpgradeNotReady",
      severity: "critical",
      expr: `${left} < ${UPGRADE_IMMINENT}`,
      records,
      for: "5m",
      summary: "{{ $labels.node }} is not ready for the network's upgrade ({{ $value | humanizeDuration }} left)",
      description:
        "{{ $labels.node }} and most of the network's stake do not agree on an upgrade that activates in {{ $value | humanizeDuration }}; negative: it is over. The node's own health check need not say so.",
      runbook: {
        meaning:
          "From the activation on a node with another schedule rejects the network's blocks, or the network rejects its. It stands still, calls itself healthy, and its uptime falls.",
        confirm: CONFIRM,
        commands: COMPARE_SCHEDULES,
        action: ACTION,
        falseWhen:
          "Releases differ in the last upgrade that they announce while none is ahead: the node keeps up with the others (`avax_chain_lag_blocks` is 0).",
      },
      fires: {
        series: {
          'avax_node_upgrade_ready{node="a"}': "0x40",
          'avax_node_upgrade_mismatch_timestamp_seconds{node="a"}': "4000x40",
        },
        at: "20m",
        labels: { node: "a" },
      },
      silent: {
        series: {
          'avax_node_upgrade_ready{node="a"}': "0x5 1x40",
          'avax_node_upgrade_mismatch_timestamp_seconds{node="a"}': "4000x5 _x40",
        },
        at: "20m",
        why: "it was upgraded in time",
      },
    },
    {
      name: "AvaxNodeLeftBehind",
      severity: "critical",
      expr: `${behind} and on (instance, job, node) ${left} <= 0`,
      records,
      for: "2m",
      summary: "An upgrade left {{ $labels.node }} behind, by {{ $value }} blocks so far",
      description:
        "{{ $labels.node }} was not ready for the network's last upgrade, and since then it is behind other nodes, now by {{ $value }} blocks. Its own health check says nothing of it.",
      runbook: {
        meaning:
          "The node follows rules that the network has left. It accepts no more blocks while its health, its peers and its connected stake look perfect.",
        confirm:
          "`avax_chain_lag_blocks` and `avax_chain_height_changed_timestamp_seconds` of the node; `avax_node_upgrade_state`; its version beside that of the others.",
        commands: [
          {
            run: "call <node> info.getNodeVersion",
            see: "Older than the release that knows the upgrade.",
          },
          {
            run: "call <node> platform.getHeight",
            see: "Does not move any more, or differs from that of the others.",
          },
          {
            run: "call <any-node> platform.getHeight",
            see: "Moves between two calls.",
          },
        ],
        action:
          "Install the release that knows the upgrade. If the node made or accepted blocks of its own since then, sync it anew.",
        falseWhen: "It is behind for another reason and the releases only announce different last upgrades.",
      },
      fires: {
        series: {
          'avax_node_upgrade_ready{node="a"}': "0x40",
          'avax_node_upgrade_mismatch_timestamp_seconds{node="a"}': "60x40",
          'avax_chain_lag_blocks{node="a",chain="C"}': "0 0 1+1x40",
          'avax_chain_lag_blocks{node="a",chain="P"}': "0 0 0 2x40",
        },
        at: "10m",
        labels: { node: "a" },
      },
      silent: {
        series: {
          'avax_node_upgrade_ready{node="a"}': "1x40",
          'avax_chain_lag_blocks{node="a",chain="C"}': "3x40",
        },
        at: "10m",
        why: "it is behind, and not because of an upgrade",
      },
    },
  ];
}
