import { DatetimeISO, PercentUnit, Short } from "@grafana/grafana-foundation-sdk/units";
import { bootstrapped, chainHeight, chains } from "../../../src/topics/chains/chains.ts";
import { lag, LAGGING_BLOCKS } from "../../../src/topics/chains/lag.ts";
import { health } from "../../../src/topics/node/health.ts";
import { liveness, readiness } from "../../../src/topics/node/readiness.ts";
import { LEAST_REWARDING_RATIO, uptime } from "../../../src/topics/validators/uptime.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { firing, firingTable } from "../parts/alert-panels.ts";
import { YES_NO } from "../parts/mappings.ts";
import type { PanelBuilder } from "../parts/panel-options.ts";
import { redAbove, redBelow } from "../parts/thresholds.ts";
import { lines, timeline } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { CHOSEN_NODES, NETWORK, NODE, NODE_CHAIN } from "../parts/selectors.ts";
import { top } from "../parts/top.ts";

const failing = `${where(health.metrics.passing, NODE)} == 0`;

/** Alerts about the chosen nodes, and about the validators that are chosen nodes. */
const alerts = `${firing(NODE)} or (${firing({ ...NETWORK, node: "" })} and on (network, node_id) ${CHOSEN_NODES})`;

/** What is wrong with the node. */
export const troublePanels: readonly PanelBuilder[] = [
  firingTable(
    {
      id: 111,
      title: "Firing alerts",
      about:
        "Firing alerts about the chosen nodes and their validators. An alert name links to its runbook. For: time since the condition became true.",
      width: 12,
      height: 9,
    },
    alerts,
    ["node", "chain"],
  ),
  table(
    {
      id: 108,
      title: "Chains",
      about:
        "Chains of the node: bootstrapped, height of the last accepted block, blocks behind other polled nodes, and connected share of stake.",
      width: 12,
      height: 9,
      unit: Short,
      alerts: ["AvaxChainNotBootstrapped", "AvaxNodeLagging"],
    },
    {
      labels: { node: { title: "Node", width: 80 }, chain: { title: "Chain" } },
      sortedBy: "-Behind",
      columns: [
        { width: 105, title: "Bootstrapped", expr: where(bootstrapped.metrics.done, NODE_CHAIN), mappings: YES_NO },
        { width: 110, title: "Height", expr: where(chainHeight.metrics.height, NODE_CHAIN), unit: "locale" },
        {
          title: "Behind",
          expr: where(lag.metrics.blocks, NODE_CHAIN),
          thresholds: redAbove(LAGGING_BLOCKS + 1),
          width: 110,
        },
        {
          title: "Connected",
          expr: where(chains.metrics.connected, NODE_CHAIN),
          unit: PercentUnit,
          decimals: 1,
          width: 95,
        },
      ],
    },
  ),
  table(
    {
      id: 107,
      title: "Failed checks by name",
      about: "Failing health checks, with their consecutive failures and first failure. Empty when all pass.",
      noValue: "all checks pass",
      width: 12,
      unit: Short,
      alerts: ["AvaxNodeUnhealthy", "AvaxSubnetCheckFailing"],
    },
    {
      labels: { node: { title: "Node", width: 90 }, check: { title: "Check" } },
      columns: [
        { title: "In a row", expr: `${where(health.metrics.failures, NODE)} and ${failing}`, width: 80 },
        {
          title: "Since",
          expr: `1000 * ${where(health.metrics.firstFailure, NODE)} and ${failing}`,
          unit: DatetimeISO,
          width: 165,
        },
      ],
    },
  ),
  timeline(
    {
      id: 109,
      title: "Reachability and health",
      about:
        "When the node was reachable, reported itself healthy, and was ready. Starting: live, but not ready yet. A gap: unknown, because the node or the exporter did not answer.",
      width: 12,
      unit: Short,
      mappings: { 0: ["no", "red"], 1: ["starting", "orange"], 2: ["yes", "green"] },
      alerts: ["AvaxNodeDown", "AvaxNodeUnhealthy"],
    },
    [
      [`2 * ${where(polling.metrics.up, NODE)}`, "{{node}} reachable"],
      [`2 * ${where(health.metrics.healthy, NODE)}`, "{{node}} healthy"],
      [`${where(liveness.metrics.live, NODE)} + ${where(readiness.metrics.ready, NODE)}`, "{{node}} ready"],
    ],
  ),
];

/** The story of the day: in step with the others, and earning. */
export const overTimePanels: readonly PanelBuilder[] = [
  lines(
    {
      id: 301,
      title: "Blocks behind by chain",
      about:
        "Blocks behind the highest polled node at the time of the answer, on the chains that were furthest behind. Empty without a second node to compare with.",
      width: 12,
      unit: Short,
      softMax: 2 * LAGGING_BLOCKS,
      thresholds: redAbove(LAGGING_BLOCKS),
      alerts: ["AvaxNodeLagging"],
    },
    [[top(where(lag.metrics.blocks, NODE_CHAIN), { of: "highest", by: "node, chain" }), "{{node}} {{chain}}"]],
  ),
  lines(
    {
      id: 206,
      title: "Rewarding stake and observed uptime",
      about:
        "Both figures of info.uptime. Rewarding stake drops for a minute after a restart of the node. Only validators have them.",
      width: 12,
      unit: PercentUnit,
      zoomed: true,
      thresholds: redBelow(LEAST_REWARDING_RATIO),
      alerts: ["AvaxUptimeRewardAtRisk", "AvaxUptimeNearRequirement"],
    },
    [
      [where(uptime.metrics.rewarding, NODE), "{{node}} rewarding stake"],
      [where(uptime.metrics.average, NODE), "{{node}} average uptime"],
    ],
  ),
];
