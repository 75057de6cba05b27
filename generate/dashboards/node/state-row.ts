import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { lag, LAGGING_BLOCKS } from "../../../src/topics/chains/lag.ts";
import { CHECKS_FROZEN_AFTER, health } from "../../../src/topics/node/health.ts";
import { identity } from "../../../src/topics/node/identity.ts";
import { LOW_DISK_RATIO, nodeNetwork } from "../../../src/topics/node/network.ts";
import { FEW_PEERS, peerCount } from "../../../src/topics/node/peers.ts";
import { LITTLE_BUDGET } from "../../../src/topics/validators/reward-verdict-alerts.ts";
import { LEAST_REWARDING_RATIO, uptime } from "../../../src/topics/validators/uptime.ts";
import { ENDING_SOON, validator } from "../../../src/topics/validators/validator.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { where } from "../../../src/topics/define/selector.ts";
import type { Row } from "../parts/panel-options.ts";
import { downtimeLeft } from "../parts/rewards.ts";
import { redAbove, redBelow, redOrangeBelow } from "../parts/thresholds.ts";
import { stat } from "../parts/panels.ts";
import { NODE, NODE_CHAIN, PRIMARY, shortVersions, underNodeNames } from "../parts/selectors.ts";
import { overTimePanels, troublePanels } from "./state-panels.ts";

const SIZE = { width: 4, height: 4 } as const;
const WIDER = { width: 5, height: 4 } as const;

export const stateRow: Row = {
  id: 100,
  title: "Current state",
  panels: [
    stat(
      {
        id: 101,
        title: "Reachable",
        about: "Whether the node answers the exporter's polls.",
        ...SIZE,
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
        ...SIZE,
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
        ...SIZE,
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
        ...SIZE,
        unit: Seconds,
        decimals: 0,
        thresholds: redAbove(CHECKS_FROZEN_AFTER),
        alerts: ["AvaxHealthFrozen"],
      },
      [[`time() - max by (node) (${where(health.metrics.lastRun, NODE)})`, "{{node}}"]],
    ),
    stat(
      {
        id: 112,
        title: "Blocks behind",
        about: "Blocks behind the highest polled node, on the chain where the node is furthest behind.",
        ...SIZE,
        unit: Short,
        decimals: 0,
        noValue: "no other node",
        thresholds: redAbove(LAGGING_BLOCKS + 1),
        alerts: ["AvaxNodeLagging"],
      },
      [[`max by (node) (${where(lag.metrics.blocks, NODE_CHAIN)})`, "{{node}}"]],
    ),
    stat(
      {
        id: 105,
        title: "Version",
        about: "AvalancheGo version that the node reports.",
        ...SIZE,
        unit: Short,
        alerts: ["AvaxNodeReplaced"],
      },
      [[shortVersions(`max by (node, version) (${where(identity.metrics.node, NODE)})`), "{{node}} {{version}}"]],
      "name",
    ),
    stat(
      {
        id: 202,
        title: "Rewarding stake",
        about:
          "Share of stake that considers the node above the uptime requirement. It decides on the reward at the end of the staking period. Only validators have it.",
        ...WIDER,
        unit: PercentUnit,
        thresholds: redBelow(LEAST_REWARDING_RATIO),
        alerts: ["AvaxUptimeRewardAtRisk"],
      },
      [[where(uptime.metrics.rewarding, NODE), "{{node}}"]],
    ),
    stat(
      {
        id: 210,
        title: "Downtime left",
        about:
          "Downtime left until the validator's reward is lost, median of the polled nodes. Negative: the reward is lost.",
        ...WIDER,
        unit: Seconds,
        decimals: 1,
        thresholds: redOrangeBelow(0, LITTLE_BUDGET),
        alerts: ["AvaxDowntimeBudgetLow", "AvaxRewardLost"],
      },
      [[underNodeNames(downtimeLeft(PRIMARY)), "{{node}}"]],
    ),
    stat(
      {
        id: 204,
        title: "Stake ends in",
        about: "Time until the staking period of the node's own validator ends.",
        ...WIDER,
        unit: Seconds,
        decimals: 1,
        thresholds: redBelow(ENDING_SOON),
        alerts: ["AvaxValidatorEndingSoon"],
      },
      [[`(${underNodeNames(where(validator.metrics.end, PRIMARY))}) - time()`, "{{node}}"]],
    ),
    stat(
      {
        id: 113,
        title: "Peers",
        about: "Connected peers, as listed by info.peers.",
        ...SIZE,
        unit: Short,
        decimals: 0,
        thresholds: redBelow(FEW_PEERS),
        alerts: ["AvaxNodeFewPeers", "AvaxNodeCutOff"],
      },
      [[where(peerCount.metrics.count, NODE), "{{node}}"]],
    ),
    stat(
      {
        id: 114,
        title: "Free disk",
        about: "Free share of the database's disk. The node shuts down below 3 %.",
        ...WIDER,
        unit: PercentUnit,
        decimals: 0,
        thresholds: redBelow(LOW_DISK_RATIO),
        alerts: ["AvaxNodeDiskLow", "AvaxNodeDiskFilling", "AvaxNodeDiskFull"],
      },
      [[where(nodeNetwork.metrics.diskRatio, NODE), "{{node}}"]],
    ),
    ...troublePanels,
    ...overTimePanels,
  ],
};
