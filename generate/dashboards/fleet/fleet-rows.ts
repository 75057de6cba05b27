import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { health } from "../../../src/topics/node/health.ts";
import { identity, nodeLabels } from "../../../src/topics/node/identity.ts";
import { l1Validator } from "../../../src/topics/l1/l1-validator.ts";
import { BEHIND_FOR, lag, LAGGING_BLOCKS, LAGGING_FOR } from "../../../src/topics/chains/lag.ts";
import { networkVerdict } from "../../../src/topics/validators/network-verdict.ts";
import { FULL_DISK_RATIO, LITTLE_DISK_RATIO, nodeDisk } from "../../../src/topics/node/node-disk.ts";
import { FEW_PEERS, peerCount } from "../../../src/topics/node/peers.ts";
import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { LITTLE_BUDGET } from "../../../src/topics/validators/reward-state.ts";
import { upgradeReadiness } from "../../../src/topics/network/upgrade-readiness.ts";
import { LEAST_REWARDING_RATIO } from "../../../src/topics/validators/uptime.ts";
import { firing, firingTable, orNone, PROBLEMS } from "../parts/alert-panels.ts";
import { unexplained } from "../parts/explained.ts";
import { TO_EXPORTER } from "../../../src/topics/exporter/exporter-pages.ts";
import { orangeBelow, redAbove, redBelow, redOrangeBelow, PER_MINUTE } from "../parts/format.ts";
import { NODE_STATE, NODE_STATES } from "./node-states.ts";
import { TO_NETWORK, TO_RUNBOOK, column, table, usual, shares, spans } from "../parts/table.ts";
import { lines, stat, timeline, type Row } from "../parts/panels.ts";
import { NODE_DOWNTIME_LEFT, rewardState } from "../parts/rewards.ts";
import {
  FEW_BARS,
  NETWORK,
  NODE,
  orNotOffered,
  PRIMARY,
  shortVersions,
  top,
  ofNetwork,
  ofNode,
  FEW_LINES,
} from "../parts/selectors.ts";

const behind = `max by (node) (${ofNode(lag.metrics.behindFor)})`;
const SOUND = { width: 3, unit: Short, decimals: 0, thresholds: redAbove(1) } as const;

/** Alerts about the chosen nodes and networks, and those without these labels. */
const alerts = firing({ node: orNone(NODE.node), network: orNone(NETWORK.network) });
/** Alerts about each node, the more urgent the higher. */
const ranked = (state: "firing" | "pending"): string =>
  (["info", "warning", "critical"] as const)
    .map((severity, index) => `${index + 1} * ${firing({ ...NODE, severity, alertstate: state })}`)
    .join(" or ");
/**
 * The first cause of what fires about each node, the most urgent one: what another alert explains is left out. Where nothing else
 * fires, an explained alert, else one that is pending: a node that is not well has its reason beside it.
 */
const problem = [unexplained(ranked("firing")), ranked("firing"), ranked("pending")]
  .map((alerts) => `topk by (node) (1, ${alerts})`)
  .join(" or on (node) ");

export const wallRow: Row = {
  title: "Current state",
  legend: "nodes",
  panels: [
    stat(
      "Nodes",
      "How many nodes are configured? Those that are chosen above, up or down.",
      [`sum(${ofNode(nodeLabels.metrics.configured)})`, "configured"],
      { alerts: ["AvaxExporterAbsent"] },
    ),
    stat(
      "No answer",
      "How many nodes do not answer? Nodes that do not answer the exporter's polls.",
      `sum(${ofNode(polling.metrics.up)} == bool 0)`,
      { ...SOUND, alerts: ["AvaxNodeDown", "AvaxApiNodeDown", "AvaxValidatorApiDown", "AvaxExporterCannotPoll"] },
    ),
    stat(
      "Unhealthy",
      "How many nodes report themselves unhealthy?",
      `sum(${ofNode(health.metrics.healthy)} == bool 0)`,
      { ...SOUND, alerts: ["AvaxNodeUnhealthy", "AvaxSubnetCheckFailing"] },
    ),
    stat(
      "Behind",
      `How many nodes are behind? Nodes that have been behind another polled node for more than ${BEHIND_FOR} s on a chain that they have bootstrapped, whatever health they report.`,
      `sum(${behind} > bool ${BEHIND_FOR})`,
      { ...SOUND, alerts: ["AvaxNodeLagging"] },
    ),
    stat(
      "Not on track",
      "How many rewards are lost or at risk? Watched validators with less than a day of downtime left, below the required uptime, or with too little stake that observed enough uptime.",
      [`sum(${rewardState(PRIMARY)} < bool 2)`, "validators"],
      {
        ...SOUND,
        alerts: ["AvaxRewardLost", "AvaxDowntimeBudgetLow", "AvaxUptimeBelowRequirement", "AvaxUptimeRewardAtRisk"],
      },
    ),
    stat(
      "Upgrade missing",
      "How many nodes are not ready for the next upgrade, or missed the last one? Nodes whose upgrade time differs from the network's, in either direction.",
      `sum(${ofNode(upgradeReadiness.metrics.ready)} == bool 0)`,
      { ...SOUND, alerts: ["AvaxNodeUpgradeDue", "AvaxNodeUpgradeNotReady", "AvaxNodeLeftBehind"] },
    ),
    stat(
      "Low disk",
      `How many disks are nearly full? Nodes with less free disk than ${100 * LITTLE_DISK_RATIO} %.`,
      `sum(${ofNode(nodeDisk.metrics.ratio)} < bool ${LITTLE_DISK_RATIO})`,
      { ...SOUND, alerts: ["AvaxNodeDiskLow", "AvaxNodeDiskFull"] },
    ),
    stat(
      "Inactive on L1s",
      "How many L1 validators have no balance? Validators of the configured L1s whose balance ran out. Their weight still counts, but does not sign.",
      [`sum(${ofNetwork(l1Validator.metrics.active)} == bool 0)`, "validators"],
      { ...SOUND, alerts: ["AvaxL1RunwayCritical"] },
    ),
    table(
      "Node overview",
      "Which node has a problem, and which one? One row per node, worst first: no answer, a critical alert, unhealthy, behind, a reward that is lost or at risk, a warning. Problem: the most urgent alert, one that no other alert explains and that fires if there is one; else a pending one. Exporter: its own pages, where there are several. Rewarding: stake that observed enough uptime for the reward. Downtime left: until the reward is lost, as other nodes see it. Restart: whether the node can be down for 10 minutes; why not: `/restart`. A dash: unknown, or not a validator.",
      {
        height: 15,
        alerts: ["AvaxNodeDown", "AvaxNodeUnhealthy", "AvaxNodeLagging", "AvaxRewardLost"],
        labels: usual("node"),
        more: [
          {
            expr: problem,
            labels: { alertname: { title: "Problem", width: 225, link: TO_RUNBOOK, mappings: PROBLEMS } },
          },
          {
            // One exporter is the same in every line.
            expr: `topk by (node) (1, ${ofNode(polling.metrics.up)} + 1) and on () count(count by (instance) (${ofNode(polling.metrics.up)})) > 1`,
            labels: { instance: { title: "Exporter", width: 125, link: TO_EXPORTER } },
          },
          {
            expr: shortVersions(ofNode(identity.metrics.node)),
            labels: {
              network: { title: "Network", width: 85, link: TO_NETWORK },
              version: { title: "Version", width: 90 },
            },
          },
        ],
        sortedBy: "State",
        columns: [
          column("State", NODE_STATE, { mappings: NODE_STATES, width: 120, first: true }),
          column("Alerts", `count by (node) (${firing(NODE)})`, { width: 80 }),
          column("Blocks behind", `max by (node) (${ofNode(lag.metrics.blocks)})`, {
            mappings: { 0: ["–", "text"] },
            thresholds: redAbove(LAGGING_BLOCKS + 1),
            width: 120,
          }),
          column("Peers", ofNode(peerCount.metrics.count), { thresholds: orangeBelow(FEW_PEERS), width: 80 }),
          shares("Rewarding", ofNode(networkVerdict.metrics.required), {
            decimals: 1,
            thresholds: redBelow(LEAST_REWARDING_RATIO),
            width: 105,
          }),
          spans("Downtime left", NODE_DOWNTIME_LEFT, {
            negative: "lost",
            thresholds: redOrangeBelow(0, LITTLE_BUDGET),
            width: 130,
          }),
          column("Restart", ofNode(EXPORTER_FAMILIES.restartSafe), {
            mappings: { 0: ["wait", "text"], 1: ["safe", "green"] },
            width: 85,
          }),
          shares("Disk free", orNotOffered(ofNode(nodeDisk.metrics.ratio), ofNode(health.metrics.healthy)), {
            decimals: 0,
            thresholds: redOrangeBelow(FULL_DISK_RATIO, LITTLE_DISK_RATIO),
            width: 110,
          }),
        ],
      },
    ),
    firingTable(
      "What fires now? About the chosen nodes and networks and about the exporter, worst first: one row per node and cause, without alerts that another firing alert explains.",
      alerts,
      ["network", "node", "validator", "subnet"],
      { width: 16, height: 11 },
    ),
    lines(
      "Firing alerts over time",
      "When did alerts fire? Number of firing alerts by severity, those that another alert explains included.",
      [`count by (severity) (${alerts})`, "{{severity}}"],
      {
        height: 11,
        decimals: 0,
        noValue: "no alerts (if the rules are installed)",
        colors: { critical: "red", warning: "orange", info: "blue" },
        stacked: true,
      },
    ),
  ],
};

export const overTimeRow: Row = {
  title: "Over time",
  panels: [
    timeline(
      "Node state",
      `Since when has each node had its problem? The worst that was the matter with each node, as in the overview: of the ${FEW_BARS} nodes that were worst in the selected time range. A gap: the exporter was not scraped.`,
      [top(NODE_STATE, { of: "lowest", count: FEW_BARS }), "{{node}}"],
      { height: 11, mappings: NODE_STATES, alerts: ["AvaxNodeDown", "AvaxNodeUnhealthy", "AvaxNodeLagging"] },
    ),
  ],
};

const lagging = ofNode(lag.metrics.blocks);
/** Which nodes a chart shows. */
const worst = (what: string) => `Of the ${FEW_LINES} nodes with the ${what} in the selected time range.`;

export const comparisonRow: Row = {
  title: "Nodes compared",
  collapsed: true,
  legend: "{{node}}",
  panels: [
    lines(
      "Blocks behind",
      `Which nodes fall behind, and do they catch up? Blocks behind the highest polled node, on the chain where the node is furthest behind. ${worst("most blocks behind")}`,
      top(`max by (node) (${lagging})`, { of: "highest" }),
      { decimals: 0, alerts: ["AvaxNodeLagging"] },
    ),
    lines(
      "Behind for",
      `How long has each node been behind? Time since another polled node accepted the block that this one lacks, longest of the chains that it has bootstrapped. 0 while it keeps up. ${worst("longest time")}`,
      top(behind, { of: "highest" }),
      {
        unit: Seconds,
        in: "min",
        noValue: "no other node",
        softMax: 2 * LAGGING_FOR,
        thresholds: redAbove(LAGGING_FOR),
        alerts: ["AvaxNodeLagging"],
      },
    ),
    lines(
      "Peers",
      `Which nodes lose peers? Connected peers. ${worst("fewest peers")}`,
      top(`max by (node) (${ofNode(peerCount.metrics.count)})`, { of: "lowest" }),
      { thresholds: redBelow(FEW_PEERS), alerts: ["AvaxNodeFewPeers"] },
    ),
    lines(
      "Rewarding stake",
      `Which nodes lose the votes for their reward? Share of all stake that observed enough uptime of the node for its reward. ${worst("least share")}`,
      top(`max by (node) (${ofNode(networkVerdict.metrics.required)})`, { of: "lowest" }),
      { unit: PercentUnit, thresholds: redBelow(LEAST_REWARDING_RATIO), alerts: ["AvaxUptimeRewardAtRisk"] },
    ),
    lines(
      "Failed polls",
      `Which nodes fail to answer, and when? Failed polls per minute by node. The cause is the node or the network path to it. ${worst("most failures")}`,
      top(`60 * sum by (node) (rate(${ofNode(polling.metrics.failed)}[$__rate_interval])) > 0`, { of: "highest" }),
      { unit: PER_MINUTE, noValue: "no failures", alerts: ["AvaxEndpointFailing", "AvaxNodeDown"] },
    ),
    lines(
      "Nodes by version",
      "How far is the rollout of a release? Number of chosen nodes by version.",
      [shortVersions(`count by (version) (${ofNode(identity.metrics.node)})`), "{{version}}"],
      { decimals: 0, stacked: true },
    ),
  ],
};
