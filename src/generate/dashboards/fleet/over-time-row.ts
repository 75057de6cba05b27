import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { identity } from "../../../topics/node/identity.ts";
import { lag, LAGGING_BLOCKS, LAGGING_FOR } from "../../../topics/chains/lag.ts";
import { networkVerdict } from "../../../topics/validators/network-verdict.ts";
import { FEW_PEERS, peerCount } from "../../../topics/node/peers.ts";
import { polling } from "../../../self/polling.ts";
import { where } from "../../../catalogue/selector.ts";
import { LEAST_REWARDING_RATIO } from "../../../topics/validators/uptime.ts";
import { redAbove, redBelow } from "../parts/thresholds.ts";
import { NODE_STATE, NODE_STATES } from "./node-states.ts";
import { lines, timeline } from "../parts/panels.ts";
import { NODE, shortVersions } from "../parts/selectors.ts";

const lagging = where(lag.metrics.blocks, NODE);

export const overTimeRow = {
  id: 200,
  title: "Over time",
  panels: [
    timeline(
      {
        id: 201,
        title: "Node state",
        about:
          "Red: no answer. Orange: unhealthy. Blue: answers without a health report. Yellow: healthy but behind other nodes. Green: healthy.",
        width: 24,
        height: 11,
        unit: Short,
        mappings: NODE_STATES,
        alerts: ["AvaxNodeDown", "AvaxNodeUnhealthy", "AvaxNodeLagging"],
      },
      [[`max by (node) (${NODE_STATE})`, "{{node}}"]],
    ),
    lines(
      {
        id: 202,
        title: "Blocks behind",
        about: "Blocks behind the highest polled node, on the chain where the node is furthest behind.",
        width: 8,
        unit: Short,
        softMax: 2 * LAGGING_BLOCKS,
        thresholds: redAbove(LAGGING_BLOCKS),
        alerts: ["AvaxNodeLagging"],
      },
      [[`max by (node) (${lagging})`, "{{node}}"]],
    ),
    lines(
      {
        id: 203,
        title: "Behind for",
        about:
          "Time since another polled node accepted the block that this one lacks, longest of its chains. Empty for a node that keeps up.",
        width: 8,
        unit: Seconds,
        softMax: 2 * LAGGING_FOR,
        thresholds: redAbove(LAGGING_FOR),
        alerts: ["AvaxNodeLagging"],
      },
      [[`max by (node) (time() - ${where(lag.metrics.behindSince, NODE)})`, "{{node}}"]],
    ),
    lines(
      {
        id: 204,
        title: "Peers",
        about: "Connected peers of each node.",
        width: 8,
        unit: Short,
        thresholds: redBelow(FEW_PEERS),
        alerts: ["AvaxNodeFewPeers"],
      },
      [[where(peerCount.metrics.count, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 205,
        title: "Rewarding stake",
        about: "Share of all stake that observed enough uptime of the node for its reward.",
        width: 8,
        unit: PercentUnit,
        thresholds: redBelow(LEAST_REWARDING_RATIO),
        alerts: ["AvaxUptimeRewardAtRisk"],
      },
      [[where(networkVerdict.metrics.required, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 206,
        title: "Failed polls (per second)",
        about: "Failed polls per second by node. The cause is the node or the network path to it.",
        width: 8,
        unit: "ops",
        alerts: ["AvaxEndpointFailing", "AvaxNodeDown"],
      },
      [[`sum by (node) (rate(${where(polling.metrics.failures, NODE)}[$__rate_interval]))`, "{{node}}"]],
    ),
    lines(
      {
        id: 208,
        title: "Nodes by version",
        about: "Number of chosen nodes by version. Shows the progress of a rollout.",
        width: 8,
        unit: Short,
        decimals: 0,
      },
      [[shortVersions(`count by (version) (${where(identity.metrics.node, NODE)})`), "{{version}}"]],
      "stacked",
    ),
  ],
};
