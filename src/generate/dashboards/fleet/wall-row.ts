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
  title: "Now",
  panels: [
    stat(
      {
        id: 101,
        title: "Nodes",
        about: "Nodes of the configuration that are chosen above, up or not.",
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
        about: "Nodes that do not answer the exporter.",
        alerts: ["AvaxNodeDown", "AvaxExporterCannotPoll"],
      },
      [[`sum(${where(polling.metrics.up, NODE)} == bool 0)`, "nodes"]],
    ),
    stat(
      {
        ...SOUND,
        id: 103,
        title: "Unhealthy",
        about: "Nodes that call themselves unhealthy.",
        alerts: ["AvaxNodeUnhealthy", "AvaxHealthCheckFailing"],
      },
      [[`sum(${where(health.metrics.healthy, NODE)} == bool 0)`, "nodes"]],
    ),
    stat(
      {
        ...SOUND,
        id: 104,
        title: "Behind",
        about: `Nodes that are more than ${LAGGING_BLOCKS} blocks behind another polled node on one of their chains, whatever they say of their health.`,
        alerts: ["AvaxNodeLagging", "AvaxNodeStandsStill"],
      },
      [[`sum(${behind} > bool ${LAGGING_BLOCKS})`, "nodes"]],
    ),
    stat(
      {
        ...SOUND,
        id: 105,
        title: "Rewards in danger",
        about: "Watched validators that may be offline for less than a day more, or have lost their reward already.",
        alerts: ["AvaxRewardLost", "AvaxDowntimeBudgetLow"],
      },
      [[`sum(${budget} < bool ${LITTLE_BUDGET})`, "validators"]],
    ),
    stat(
      {
        ...SOUND,
        id: 106,
        title: "Upgrade missing",
        about: "Nodes whose upgrade time is not the one that most stake announces, in either direction.",
        alerts: ["AvaxNodeUpgradeDue", "AvaxNodeUpgradeNotReady", "AvaxNodeLeftBehind"],
      },
      [[`sum(${where(upgradeReadiness.metrics.ready, NODE)} == bool 0)`, "nodes"]],
    ),
    stat(
      {
        ...SOUND,
        id: 107,
        title: "Low on disk",
        about: "Nodes with less free disk than they need to call themselves healthy.",
        alerts: ["AvaxNodeDiskLow"],
      },
      [[`sum(${where(nodeNetwork.metrics.diskRatio, NODE)} < bool ${LOW_DISK_RATIO})`, "nodes"]],
    ),
    stat(
      {
        ...SOUND,
        id: 108,
        title: "L1 members unpaid",
        about: "Validators of the configured L1s whose balance ran out: their weight stays, and nobody signs with it.",
        alerts: ["AvaxL1ValidatorInactive"],
      },
      [[`sum(${where(l1Validator.metrics.active, NETWORK)} == bool 0)`, "validators"]],
    ),
    firingTable(
      {
        id: 110,
        title: "Firing alerts",
        about:
          "What Prometheus alerts about now, worst first: about the chosen nodes and networks, and about the exporter itself. A name leads to its runbook. For: since the condition holds.",
        width: 16,
        height: 9,
      },
      alerts,
      ["network", "node", "node_id", "subnet", "chain"],
    ),
    lines(
      {
        id: 111,
        title: "Firing alerts over time",
        about: "How many alerts fire, by severity.",
        width: 8,
        height: 9,
        unit: Short,
        decimals: 0,
        noValue: "no alert fired, where the rules are installed",
        colors: { critical: "red", warning: "orange", info: "blue" },
      },
      [[`count by (severity) (${alerts()})`, "{{severity}}"]],
      "stacked",
    ),
    table(
      {
        id: 109,
        title: "Every node",
        about:
          "One line a node, the worst first. Alerts: those that fire about it. Reward: stake that grants it enough uptime. May be offline: what is left until the reward is lost, as the others see it. Empty where a node says nothing.",
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
          { title: "Checks failing", expr: failing, thresholds: redAbove(1), width: 110 },
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
            title: "Reward",
            expr: where(networkVerdict.metrics.required, NODE),
            unit: PercentUnit,
            decimals: 1,
            thresholds: redBelow(LEAST_REWARDING_RATIO),
            width: 90,
          },
          {
            title: "May be offline",
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
