import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { health } from "../../../src/topics/node/health.ts";
import { identity, nodeLabels } from "../../../src/topics/node/identity.ts";
import { l1Validator } from "../../../src/topics/l1/l1-validator.ts";
import { lag, LAGGING_BLOCKS } from "../../../src/topics/chains/lag.ts";
import { networkVerdict } from "../../../src/topics/validators/network-verdict.ts";
import { LOW_DISK_RATIO, nodeNetwork } from "../../../src/topics/node/network.ts";
import { FEW_PEERS, peerCount } from "../../../src/topics/node/peers.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { LITTLE_BUDGET } from "../../../src/topics/validators/reward-verdict-alerts.ts";
import { upgradeReadiness } from "../../../src/topics/network/upgrade-readiness.ts";
import { LEAST_REWARDING_RATIO } from "../../../src/topics/validators/uptime.ts";
import { firing, firingTable, orNone } from "../parts/alert-panels.ts";
import { unexplained } from "../parts/explained.ts";
import { orangeBelow, redAbove, redBelow, redOrangeBelow } from "../parts/thresholds.ts";
import { NODE_BUDGET, NODE_STATE, NODE_STATES } from "./node-states.ts";
import { TO_NETWORK, TO_NODE, TO_RUNBOOK } from "../parts/links.ts";
import { lines, stat } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { rewardState } from "../parts/rewards.ts";
import { NETWORK, NODE, orNotOffered, PRIMARY, shortVersions } from "../parts/selectors.ts";

const behind = `max by (node) (${where(lag.metrics.blocks, NODE)})`;
const SOUND = { width: 3, unit: Short, decimals: 0, thresholds: redAbove(1) } as const;

/** Alerts about the chosen nodes and networks, and those without these labels. */
const alerts = firing({ node: orNone(NODE.node), network: orNone(NETWORK.network) });
/** The first cause of what fires about each node, the most urgent one: what another alert explains is left out. */
const problem = `topk by (node) (1, ${unexplained(
  (["info", "warning", "critical"] as const)
    .map((severity, index) => `${index + 1} * ${firing({ ...NODE, severity })}`)
    .join(" or "),
)})`;

export const wallRow = {
  id: 100,
  title: "Current state",
  panels: [
    stat(
      {
        id: 101,
        title: "Nodes",
        about: "Configured nodes that are chosen above, up or down.",
        width: 3,
        unit: Short,
        alerts: ["AvaxExporterAbsent"],
      },
      [[`sum(${where(nodeLabels.metrics.configured, NODE)})`, "configured"]],
    ),
    stat(
      {
        ...SOUND,
        id: 102,
        title: "No answer",
        about: "Nodes that do not answer the exporter's polls.",
        alerts: ["AvaxNodeDown", "AvaxApiNodeDown", "AvaxExporterCannotPoll"],
      },
      [[`sum(${where(polling.metrics.up, NODE)} == bool 0)`, "nodes"]],
    ),
    stat(
      {
        ...SOUND,
        id: 103,
        title: "Unhealthy",
        about: "Nodes that report themselves unhealthy.",
        alerts: ["AvaxNodeUnhealthy", "AvaxSubnetCheckFailing"],
      },
      [[`sum(${where(health.metrics.healthy, NODE)} == bool 0)`, "nodes"]],
    ),
    stat(
      {
        ...SOUND,
        id: 104,
        title: "Behind",
        about: `Nodes more than ${LAGGING_BLOCKS} blocks behind another polled node on any chain, whatever health they report.`,
        alerts: ["AvaxNodeLagging"],
      },
      [[`sum(${behind} > bool ${LAGGING_BLOCKS})`, "nodes"]],
    ),
    stat(
      {
        ...SOUND,
        id: 105,
        title: "Rewards at risk",
        about:
          "Watched validators whose reward is lost or at risk: less than a day of downtime left, below the required uptime, or too little stake that observed enough uptime.",
        alerts: ["AvaxRewardLost", "AvaxDowntimeBudgetLow", "AvaxUptimeBelowRequirement", "AvaxUptimeRewardAtRisk"],
      },
      [[`sum(${rewardState(PRIMARY)} < bool 2)`, "validators"]],
    ),
    stat(
      {
        ...SOUND,
        id: 106,
        title: "Upgrade missing",
        about: "Nodes whose upgrade time differs from the one that most stake announces, in either direction.",
        alerts: ["AvaxNodeUpgradeDue", "AvaxNodeUpgradeNotReady", "AvaxNodeLeftBehind"],
      },
      [[`sum(${where(upgradeReadiness.metrics.ready, NODE)} == bool 0)`, "nodes"]],
    ),
    stat(
      {
        ...SOUND,
        id: 107,
        title: "Low disk",
        about: "Nodes with less free disk than their own health check requires.",
        alerts: ["AvaxNodeDiskLow", "AvaxNodeDiskFull"],
      },
      [[`sum(${where(nodeNetwork.metrics.diskRatio, NODE)} < bool ${LOW_DISK_RATIO})`, "nodes"]],
    ),
    stat(
      {
        ...SOUND,
        id: 108,
        title: "Inactive on L1s",
        about: "Validators of the configured L1s whose balance ran out. Their weight still counts, but does not sign.",
        alerts: ["AvaxL1RunwayCritical"],
      },
      [[`sum(${where(l1Validator.metrics.active, NETWORK)} == bool 0)`, "validators"]],
    ),
    table(
      {
        id: 109,
        title: "Node overview",
        about:
          "One row per node, worst first: no answer, a critical alert, unhealthy, behind, a reward that is lost or at risk, a warning. Problem: the most urgent alert that no other alert explains. Rewarding: stake that observed enough uptime for the reward. Downtime left: until the reward is lost, as other nodes see it. A dash: unknown, or not a validator.",
        width: 24,
        height: 15,
        unit: Short,
        alerts: ["AvaxNodeDown", "AvaxNodeUnhealthy", "AvaxNodeLagging", "AvaxRewardLost"],
      },
      {
        labels: { node: { title: "Node", link: TO_NODE } },
        more: [
          { expr: problem, labels: { alertname: { title: "Problem", width: 240, link: TO_RUNBOOK } } },
          {
            expr: shortVersions(where(identity.metrics.node, NODE)),
            labels: {
              network: { title: "Network", width: 100, link: TO_NETWORK },
              version: { title: "Version", width: 90 },
            },
          },
        ],
        sortedBy: "State",
        columns: [
          { title: "State", expr: NODE_STATE, mappings: NODE_STATES, width: 150, first: true },
          { title: "Alerts", expr: `count by (node) (${firing(NODE)})`, width: 80 },
          {
            title: "Blocks behind",
            expr: behind,
            mappings: { 0: ["–", "text"] },
            thresholds: redAbove(LAGGING_BLOCKS + 1),
            width: 125,
          },
          { title: "Peers", expr: where(peerCount.metrics.count, NODE), thresholds: orangeBelow(FEW_PEERS), width: 80 },
          {
            title: "Rewarding",
            expr: where(networkVerdict.metrics.required, NODE),
            unit: PercentUnit,
            decimals: 1,
            thresholds: redBelow(LEAST_REWARDING_RATIO),
            width: 105,
          },
          {
            title: "Downtime left",
            expr: NODE_BUDGET,
            unit: Seconds,
            decimals: 1,
            thresholds: redOrangeBelow(0, LITTLE_BUDGET),
            width: 130,
          },
          {
            title: "Disk free",
            expr: orNotOffered(where(nodeNetwork.metrics.diskRatio, NODE), where(health.metrics.healthy, NODE)),
            unit: PercentUnit,
            decimals: 0,
            thresholds: redBelow(LOW_DISK_RATIO),
            width: 110,
          },
        ],
      },
    ),
    firingTable(
      {
        id: 110,
        title: "Firing alerts",
        about:
          "What fires about the chosen nodes and networks and about the exporter, worst first: one row per node and cause, without alerts that another firing alert explains. An alert name links to its runbook. For: time since the condition became true.",
        width: 16,
        height: 11,
      },
      alerts,
      ["network", "node", "validator", "subnet"],
    ),
    lines(
      {
        id: 111,
        title: "Firing alerts over time",
        about: "Number of firing alerts by severity, those that another alert explains included.",
        width: 8,
        height: 11,
        unit: Short,
        decimals: 0,
        noValue: "no alerts (if the rules are installed)",
        colors: { critical: "red", warning: "orange", info: "blue" },
      },
      [[`count by (severity) (${alerts})`, "{{severity}}"]],
      "stacked",
    ),
  ],
};
