import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { bootstrapped, chainHeight, chains } from "../../../src/topics/chains/chains.ts";
import { lag, LAGGING_BLOCKS } from "../../../src/topics/chains/lag.ts";
import { CHECKS_FROZEN_AFTER, health, liveness, readiness } from "../../../src/topics/node/health.ts";
import { LEAST_REWARDING_RATIO, uptime } from "../../../src/topics/validators/uptime.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { firing, firingTable } from "../parts/alert-panels.ts";
import { YES_NO, redAbove, redBelow, redOrangeBelow, SPAN } from "../parts/format.ts";
import { lines, timeline, type Row, stat, type Panel } from "../parts/panels.ts";
import { column, dates, table, shares } from "../parts/table.ts";
import {
  CHOSEN_NODES,
  NETWORK,
  NODE,
  top,
  shortVersions,
  ofNode,
  ofNodeChain,
  ofPrimaryNode,
} from "../parts/selectors.ts";
import { identity } from "../../../src/topics/node/identity.ts";
import { FULL_DISK_RATIO, LITTLE_DISK_RATIO, nodeDisk } from "../../../src/topics/node/node-disk.ts";
import { FEW_PEERS, peerCount } from "../../../src/topics/node/peers.ts";
import { LITTLE_BUDGET } from "../../../src/topics/validators/reward-state.ts";
import { ENDING_SOON, validator } from "../../../src/topics/validators/validator.ts";
import { NODE_DOWNTIME_LEFT } from "../parts/rewards.ts";

const failing = `${ofNode(health.metrics.passing)} == 0`;

/** Alerts about the chosen nodes, and about the validators that are chosen nodes. */
const alerts = `${firing(NODE)} or (${firing({ ...NETWORK, node: "" })} and on (network, node_id) ${CHOSEN_NODES})`;

/** What is wrong with the node. */
const troublePanels: readonly Panel[] = [
  firingTable(
    "What fires about the node? Alerts about the chosen nodes and their validators.",
    alerts,
    ["node", "chain"],
    { height: 9 },
  ),
  table(
    "Chains",
    "Is each chain bootstrapped, and up to date? Chains of the node: bootstrapped, height of the last accepted block, blocks behind other polled nodes, and connected share of stake.",
    {
      height: 9,
      alerts: ["AvaxChainNotBootstrapped", "AvaxNodeLagging"],
      labels: { node: { title: "Node", width: 80 }, chain: { title: "Chain" } },
      sortedBy: "-Behind",
      columns: [
        column("Bootstrapped", ofNodeChain(bootstrapped.metrics.done), { width: 105, mappings: YES_NO }),
        column("Height", ofNodeChain(chainHeight.metrics.height), { width: 110, unit: "locale" }),
        column("Behind", ofNodeChain(lag.metrics.blocks), { thresholds: redAbove(LAGGING_BLOCKS + 1), width: 110 }),
        shares("Connected", ofNodeChain(chains.metrics.connected), { decimals: 1, width: 95 }),
      ],
    },
  ),
  table(
    "Failed checks by name",
    "Which health check fails, and since when? Failing health checks, with their consecutive failures and first failure. Empty when all pass.",
    {
      noValue: "all checks pass",
      alerts: ["AvaxNodeUnhealthy", "AvaxSubnetCheckFailing"],
      labels: { node: { title: "Node", width: 90 }, check: { title: "Check" } },
      columns: [
        column("In a row", `${ofNode(health.metrics.failures)} and ${failing}`, { width: 80 }),
        dates("Since", `${ofNode(health.metrics.firstFailure)} and ${failing}`),
      ],
    },
  ),
  timeline(
    "Reachability and health",
    "When was the node down, starting or unhealthy? When the node was reachable, reported itself healthy, and was ready. Starting: live, but not ready yet. A gap: unknown, because the node or the exporter did not answer.",
    [
      [`2 * ${ofNode(polling.metrics.up)}`, "{{node}} reachable"],
      [`2 * ${ofNode(health.metrics.healthy)}`, "{{node}} healthy"],
      [`${ofNode(liveness.metrics.live)} + ${ofNode(readiness.metrics.ready)}`, "{{node}} ready"],
    ],
    {
      mappings: { 0: ["no", "red"], 1: ["starting", "orange"], 2: ["yes", "green"] },
      alerts: ["AvaxNodeDown", "AvaxNodeUnhealthy"],
    },
  ),
];

/** The story of the day: in step with the others, and earning. */
const overTimePanels: readonly Panel[] = [
  lines(
    "Blocks behind by chain",
    "On which chain does the node fall behind, and does it catch up? Blocks behind the highest polled node at the time of the answer, on the chains that were furthest behind. Empty without a second node to compare with.",
    [top(ofNodeChain(lag.metrics.blocks), { of: "highest", by: "node, chain" }), "{{node}} {{chain}}"],
    { decimals: 0, alerts: ["AvaxNodeLagging"] },
  ),
  lines(
    "Rewarding stake and observed uptime",
    "When did the network's view of the uptime change? Both figures of info.uptime. Rewarding stake drops for a minute after a restart of the node. Only validators have them.",
    [
      [ofNode(uptime.metrics.rewarding), "{{node}} rewarding stake"],
      [ofNode(uptime.metrics.average), "{{node}} average uptime"],
    ],
    {
      unit: PercentUnit,
      zoomed: true,
      thresholds: redBelow(LEAST_REWARDING_RATIO),
      alerts: ["AvaxUptimeRewardAtRisk"],
    },
  ),
];

export const stateRow: Row = {
  title: "Current state",
  legend: "{{node}}",
  panels: [
    stat("Reachable", "Does the node answer?", ofNode(polling.metrics.up), {
      mappings: { 0: ["no answer", "red"], 1: ["reachable", "green"] },
      alerts: ["AvaxNodeDown", "AvaxExporterCannotPoll"],
    }),
    stat(
      "Healthy",
      "Does the node report itself healthy? The report can be outdated: compare with the age of the last check.",
      ofNode(health.metrics.healthy),
      { mappings: { 0: ["unhealthy", "red"], 1: ["healthy", "green"] }, alerts: ["AvaxNodeUnhealthy"] },
    ),
    stat(
      "Failed checks",
      "How many health checks fail?",
      `sum by (node) (${ofNode(health.metrics.passing)} == bool 0)`,
      { thresholds: redAbove(1), alerts: ["AvaxNodeUnhealthy", "AvaxSubnetCheckFailing"] },
    ),
    stat(
      "Last check age",
      "Is the health report up to date? Time since the last health check ran, by the clocks of Prometheus and of the node. While no check runs, the node repeats its last result.",
      `time() - ${ofNode(health.metrics.lastRun)}`,
      { unit: Seconds, decimals: 0, thresholds: redAbove(CHECKS_FROZEN_AFTER), alerts: ["AvaxHealthFrozen"] },
    ),
    stat(
      "Blocks behind",
      "How far is the node behind? Blocks behind the highest polled node, on the chain where the node is furthest behind.",
      `max by (node) (${ofNodeChain(lag.metrics.blocks)})`,
      { decimals: 0, noValue: "no other node", thresholds: redAbove(LAGGING_BLOCKS + 1), alerts: ["AvaxNodeLagging"] },
    ),
    stat(
      "Version",
      "Which release does the node run?",
      [shortVersions(`max by (node, version) (${ofNode(identity.metrics.node)})`), "{{node}} {{version}}"],
      { alerts: ["AvaxNodeReplaced"], names: true },
    ),
    stat(
      "Rewarding stake",
      "Does enough stake vote for the node's reward? Share of stake that considers the node above the uptime requirement. It decides on the reward at the end of the staking period. Only validators have it.",
      ofNode(uptime.metrics.rewarding),
      { unit: PercentUnit, thresholds: redBelow(LEAST_REWARDING_RATIO), alerts: ["AvaxUptimeRewardAtRisk"] },
    ),
    stat(
      "Downtime left",
      "How long can the node still be down and be paid? Median of the polled nodes.",
      NODE_DOWNTIME_LEFT,
      {
        unit: SPAN,
        negative: "lost",
        thresholds: redOrangeBelow(0, LITTLE_BUDGET),
        alerts: ["AvaxDowntimeBudgetLow", "AvaxRewardLost"],
      },
    ),
    stat(
      "Stake ends in",
      "When does the stake end? Time until the staking period of the node's own validator ends.",
      `min by (node) (${ofPrimaryNode(validator.metrics.end)}) - time()`,
      { unit: SPAN, thresholds: redBelow(ENDING_SOON), alerts: ["AvaxValidatorEndingSoon"] },
    ),
    stat(
      "Peers",
      "How many peers does the node have? Connected peers, as listed by info.peers.",
      ofNode(peerCount.metrics.count),
      { decimals: 0, thresholds: redBelow(FEW_PEERS), alerts: ["AvaxNodeFewPeers", "AvaxNodeCutOff"] },
    ),
    stat(
      "Free disk",
      "Is the disk nearly full? Free share of the database's disk, the last one while the node does not answer. The node shuts down below 3 %.",
      ofNode(nodeDisk.metrics.ratio),
      {
        unit: PercentUnit,
        decimals: 0,
        thresholds: redOrangeBelow(FULL_DISK_RATIO, LITTLE_DISK_RATIO),
        alerts: ["AvaxNodeDiskLow", "AvaxNodeDiskFilling", "AvaxNodeDiskFull"],
      },
    ),
    ...troublePanels,
    ...overTimePanels,
  ],
};
