import { DatetimeISO, PercentUnit, Short } from "@grafana/grafana-foundation-sdk/units";
import { bootstrapped, chainHeight, chains } from "../../../topics/chains/chains.ts";
import { CHECKS_FROZEN_AFTER, health } from "../../../topics/node/health.ts";
import { identity, nodeChanges } from "../../../topics/node/identity.ts";
import { lag, LAGGING_BLOCKS } from "../../../topics/chains/lag.ts";
import { nodeNetwork } from "../../../topics/node/network.ts";
import { polling } from "../../../self/polling.ts";
import { where } from "../../../catalogue/selector.ts";
import { liveness, readiness, subnetHealth } from "../../../topics/node/readiness.ts";
import { firing, firingTable } from "../parts/alert-panels.ts";
import { YES_NO } from "../parts/mappings.ts";
import { redAbove } from "../parts/thresholds.ts";
import { stat, timeline } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { CHOSEN_NODES, NETWORK, NODE, NODE_CHAIN, shortVersions } from "../parts/selectors.ts";

const failing = `${where(health.metrics.passing, NODE)} == 0`;

/** Alerts about the chosen nodes, and about the validators that are chosen nodes. */
const alerts = (more: object) =>
  `${firing({ ...NODE, ...more })} or (${firing({ ...NETWORK, node: "", ...more })} and on (network, node_id) ${CHOSEN_NODES})`;

export const stateRow = {
  id: 100,
  title: "Current state",
  panels: [
    stat(
      {
        id: 101,
        title: "Reachable",
        about: "Whether the node answers the exporter's polls.",
        width: 4,
        unit: Short,
        mappings: { 0: ["no answer", "red"], 1: ["reachable", "green"] },
        alerts: ["AvaxNodeDown", "AvaxExporterCannotPoll"],
      },
      [[where(polling.metrics.up, NODE), "{{node}}"]],
    ),
    stat(
      {
        id: 102,
        title: "Healthy",
        about: "Health that the node reports. It can be outdated: compare with the age of the last check.",
        width: 4,
        unit: Short,
        mappings: { 0: ["unhealthy", "red"], 1: ["healthy", "green"] },
        alerts: ["AvaxNodeUnhealthy"],
      },
      [[where(health.metrics.healthy, NODE), "{{node}}"]],
    ),
    stat(
      {
        id: 103,
        title: "Failed checks",
        about: "Number of failing health checks.",
        width: 4,
        unit: Short,
        thresholds: redAbove(1),
        alerts: ["AvaxNodeUnhealthy", "AvaxSubnetCheckFailing"],
      },
      [[`sum by (node) (${where(health.metrics.passing, NODE)} == bool 0)`, "{{node}}"]],
    ),
    stat(
      {
        id: 104,
        title: "Last check age",
        about:
          "Time since the last health check ran, by the clocks of Prometheus and of the node. While no check runs, the node repeats its last result.",
        width: 4,
        unit: "s",
        thresholds: redAbove(CHECKS_FROZEN_AFTER),
        alerts: ["AvaxHealthFrozen"],
      },
      [[`time() - max by (node) (${where(health.metrics.lastRun, NODE)})`, "{{node}}"]],
    ),
    stat(
      {
        id: 105,
        title: "Version",
        about: "AvalancheGo version that the node reports.",
        width: 4,
        unit: Short,
        alerts: ["AvaxNodeReplaced"],
      },
      [[shortVersions(`max by (node, version) (${where(identity.metrics.node, NODE)})`), "{{node}} {{version}}"]],
      "name",
    ),
    stat(
      {
        id: 106,
        title: "Node ID changes",
        about: "Changes of the node ID that answers at the same address, in the selected time range.",
        width: 4,
        unit: Short,
        thresholds: redAbove(1),
        alerts: ["AvaxNodeReplaced"],
      },
      [[`ceil(increase(${where(nodeChanges.metrics.changes, NODE)}[$__range]))`, "{{node}}"]],
    ),
    firingTable(
      {
        id: 111,
        title: "Firing alerts",
        about:
          "Firing alerts about the chosen nodes and their validators. An alert name links to its runbook. For: time since the condition became true.",
        width: 12,
      },
      alerts({}),
      ["node", "chain"],
    ),
    table(
      {
        id: 108,
        title: "Chains",
        about:
          "Chains of the node: bootstrapped, height of the last accepted block, blocks behind other polled nodes, and connected share of stake.",
        width: 12,
        unit: Short,
        alerts: ["AvaxChainNotBootstrapped", "AvaxNodeLagging"],
      },
      {
        labels: { node: { title: "Node", width: 80 }, chain: { title: "Chain" } },
        columns: [
          { width: 105, title: "Bootstrapped", expr: where(bootstrapped.metrics.done, NODE_CHAIN), mappings: YES_NO },
          { width: 95, title: "Height", expr: where(chainHeight.metrics.height, NODE_CHAIN), unit: "locale" },
          {
            title: "Blocks behind",
            expr: where(lag.metrics.blocks, NODE_CHAIN),
            thresholds: redAbove(LAGGING_BLOCKS + 1),
            width: 110,
          },
          {
            title: "Connected",
            expr: where(chains.metrics.connected, NODE_CHAIN),
            unit: PercentUnit,
            decimals: 1,
            width: 90,
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
        width: 8,
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
        about: "When the node was reachable, live and ready, and reported itself healthy.",
        width: 8,
        unit: Short,
        mappings: YES_NO,
        alerts: ["AvaxNodeDown", "AvaxNodeUnhealthy"],
      },
      [
        [where(polling.metrics.up, NODE), "{{node}} reachable"],
        [where(health.metrics.healthy, NODE), "{{node}} healthy"],
        [where(readiness.metrics.ready, NODE), "{{node}} ready"],
        [where(liveness.metrics.live, NODE), "{{node}} live"],
      ],
    ),
    timeline(
      {
        id: 110,
        title: "Subnet state",
        about:
          "For each configured subnet: whether its chains are bootstrapped on the node, and whether its checks pass. Health is absent for a subnet that the node does not track.",
        width: 8,
        unit: Short,
        mappings: YES_NO,
        alerts: ["AvaxChainNotBootstrapped"],
      },
      [
        [`1 - ${where(nodeNetwork.metrics.subnetBootstrapping, NODE)}`, "{{node}} {{subnet}} bootstrapped"],
        [where(subnetHealth.metrics.healthy, NODE), "{{node}} {{subnet}} healthy"],
        [where(subnetHealth.metrics.known, NODE), "{{node}} {{subnet}} tracked"],
      ],
    ),
  ],
};
