import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { identity } from "../../../topics/node/identity.ts";
import { lag, LAGGING_BLOCKS, STANDING_AFTER } from "../../../topics/chains/lag.ts";
import { networkVerdict } from "../../../topics/validators/network-verdict.ts";
import { FEW_PEERS, peerCount } from "../../../topics/node/peers.ts";
import { polling } from "../../../self/polling.ts";
import { where } from "../../../catalogue/selector.ts";
import { LEAST_REWARDING_RATIO } from "../../../topics/validators/uptime.ts";
import { redAbove, redBelow } from "../parts/thresholds.ts";
import { NODE_STATE, NODE_STATES } from "./node-states.ts";
import { lines, timeline } from "../parts/panels.ts";
import { NODE, shortVersions, standingStill } from "../parts/selectors.ts";

const lagging = where(lag.metrics.blocks, NODE);

export const overTimeRow = {
  id: 200,
  title: "Over time",
  panels: [
    timeline(
      {
        id: 201,
        title: "State of each node",
        about:
          "Red: no answer. Orange: the node calls itself unhealthy. Blue: it answers and has no health to tell. Yellow: it calls itself healthy and is behind the others. Green: well.",
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
        about: "Blocks that another polled node had already accepted, on the chain where the node is furthest behind.",
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
        title: "Standing still while others go on",
        about:
          "How long ago the height of a chain last changed on the node, where another node has more of it: the longest of its chains. A chain that is quiet everywhere is 0.",
        width: 8,
        unit: Seconds,
        softMax: 2 * STANDING_AFTER,
        thresholds: redAbove(STANDING_AFTER),
        alerts: ["AvaxNodeStandsStill"],
      },
      [[`max by (node) (${standingStill(NODE)})`, "{{node}}"]],
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
        title: "Stake that would reward",
        about: "Share of all stake that saw the node up often enough for its reward.",
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
        title: "Failing polls",
        about: "Polls of each node that failed, a second: its own trouble, or the way to it.",
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
        about: "How many of the chosen nodes run each version: a rollout is seen as it goes.",
        width: 8,
        unit: Short,
        decimals: 0,
      },
      [[shortVersions(`count by (version) (${where(identity.metrics.node, NODE)})`), "{{version}}"]],
      "stacked",
    ),
  ],
};
