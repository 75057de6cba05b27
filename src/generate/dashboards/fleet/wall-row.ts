import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { chains } from "../../../topics/chains/chains.ts";
import { evmHead } from "../../../topics/evm/evm-head.ts";
import { health } from "../../../topics/node/health.ts";
import { identity, nodeLabels } from "../../../topics/node/identity.ts";
import { l1Validator } from "../../../topics/l1/l1-validator.ts";
import { lag, LAGGING_BLOCKS } from "../../../topics/chains/lag.ts";
import { networkVerdict } from "../../../topics/validators/network-verdict.ts";
import { LOW_DISK_RATIO, nodeNetwork } from "../../../topics/node/network.ts";
import { FEW_PEERS, peerCount } from "../../../topics/node/peers.ts";
import { polling } from "../../../self/polling.ts";
import { where } from "../../../catalogue/selector.ts";
import { LITTLE_BUDGET } from "../../../topics/validators/reward-verdict-alerts.ts";
import { rewardVerdict } from "../../../topics/validators/reward-verdict.ts";
import { upgradeReadiness } from "../../../topics/network/upgrade-readiness.ts";
import { LEAST_REWARDING_RATIO } from "../../../topics/validators/uptime.ts";
import { firing, firingTable, orNone } from "../parts/alert-panels.ts";
import { YES_NO } from "../parts/mappings.ts";
import { redAbove, redBelow, redOrangeBelow } from "../parts/thresholds.ts";
import { NODE_STATE, NODE_STATES } from "./node-states.ts";
import { TO_NETWORK, TO_NODE } from "../parts/links.ts";
import { lines, stat } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { median, NETWORK, NODE, PRIMARY, shortVersions, underNodeNames } from "../parts/selectors.ts";

const failing = `sum by (node) (${where(health.metrics.passing, NODE)} == bool 0)`;
const behind = `max by (node) (${where(lag.metrics.blocks, NODE)})`;
const budget = median(where(rewardVerdict.metrics.budget, PRIMARY), "network, node_id");
const SOUND = { width: 3, unit: Short, decimals: 0, thresholds: redAbove(1) } as const;

/** Alerts about the chosen nodes and networks, and those without these labels. */
const alerts = (more: object = {}) => firing({ node: orNone(NODE.node), network: orNone(NETWORK.network), ...more });

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
        about: "Watched validators with less than a day of downtime left, or with a lost reward.",
        alerts: ["AvaxRewardLost", "AvaxDowntimeBudgetLow"],
      },
      [[`sum(${budget} < bool ${LITTLE_BUDGET})`, "validators"]],
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
        title: "Inactive L1 validators",
        about: "Validators of the configured L1s whose balance ran out. Their weight still counts, but does not sign.",
        alerts: ["AvaxL1RunwayCritical"],
      },
      [[`sum(${where(l1Validator.metrics.active, NETWORK)} == bool 0)`, "validators"]],
    ),
    firingTable(
      {
        id: 110,
        title: "Firing alerts",
        about:
          "Firing alerts about the chosen nodes and networks and about the exporter, worst first. An alert name links to its runbook. For: time since the condition became true.",
        width: 16,
        height: 9,
      },
      alerts({}),
      ["network", "node", "node_id", "subnet", "chain"],
    ),
    lines(
      {
        id: 111,
        title: "Firing alerts over time",
        about: "Number of firing alerts by severity.",
        width: 8,
        height: 9,
        unit: Short,
        decimals: 0,
        noValue: "no alerts (if the rules are installed)",
        colors: { critical: "red", warning: "orange", info: "blue" },
      },
      [[`count by (severity) (${alerts()})`, "{{severity}}"]],
      "stacked",
    ),
    table(
      {
        id: 109,
        title: "Node overview",
        about:
          "One row per node, worst first. Alerts: firing alerts. Rewarding: stake that observed enough uptime for the reward. Downtime left: until the reward is lost, as other nodes see it. Empty: not reported.",
        width: 24,
        height: 14,
        unit: Short,
        alerts: ["AvaxNodeDown", "AvaxNodeUnhealthy", "AvaxNodeLagging"],
      },
      {
        labels: { node: { title: "Node", link: TO_NODE } },
        more: {
          expr: shortVersions(where(identity.metrics.node, NODE)),
          labels: {
            network: { title: "Network", width: 90, link: TO_NETWORK },
            version: { title: "Version", width: 90 },
          },
        },
        sortedBy: "State",
        columns: [
          { title: "State", expr: NODE_STATE, mappings: NODE_STATES, width: 150, first: true },
          { title: "Alerts", expr: `count by (node) (${firing(NODE)})`, thresholds: redAbove(1), width: 70 },
          { title: "Failed checks", expr: failing, thresholds: redAbove(1), width: 110 },
          { title: "Blocks behind", expr: behind, thresholds: redAbove(LAGGING_BLOCKS + 1), width: 115 },
          {
            title: "C head age",
            expr: `time() - ${where(evmHead.metrics.time, { ...NODE, chain: "C" })}`,
            unit: Seconds,
            decimals: 0,
            width: 110,
          },
          { title: "Peers", expr: where(peerCount.metrics.count, NODE), thresholds: redBelow(FEW_PEERS), width: 70 },
          {
            title: "Connected",
            expr: `min by (node) (${where(chains.metrics.connected, NODE)})`,
            unit: PercentUnit,
            decimals: 1,
            width: 95,
          },
          {
            title: "Rewarding",
            expr: where(networkVerdict.metrics.required, NODE),
            unit: PercentUnit,
            decimals: 1,
            thresholds: redBelow(LEAST_REWARDING_RATIO),
            width: 90,
          },
          {
            title: "Downtime left",
            expr: underNodeNames(budget),
            unit: Seconds,
            decimals: 1,
            thresholds: redOrangeBelow(0, LITTLE_BUDGET),
            width: 120,
          },
          { title: "Upgrade ready", expr: where(upgradeReadiness.metrics.ready, NODE), mappings: YES_NO, width: 120 },
          {
            title: "Disk free",
            expr: where(nodeNetwork.metrics.diskRatio, NODE),
            unit: PercentUnit,
            decimals: 0,
            thresholds: redBelow(LOW_DISK_RATIO),
            width: 90,
          },
        ],
      },
    ),
  ],
};
