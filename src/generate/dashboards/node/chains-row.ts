import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { chainHeight, chains } from "../../../topics/chains/chains.ts";
import { lag, LAGGING_BLOCKS, STANDING_AFTER } from "../../../topics/chains/lag.ts";
import { nodeNetwork } from "../../../topics/node/network.ts";
import { where } from "../../../catalogue/selector.ts";
import { redAbove } from "../parts/thresholds.ts";
import { lines } from "../parts/panels.ts";
import { NODE, NODE_CHAIN, standingStill } from "../parts/selectors.ts";

const SERIES = "{{node}} {{chain}}";

export const chainsRow = {
  id: 300,
  title: "Chains",
  panels: [
    lines(
      {
        id: 301,
        title: "Blocks behind",
        about:
          "Blocks that another polled node had already accepted when this one answered. Nothing when there is no other node to compare with.",
        width: 8,
        unit: Short,
        softMax: 2 * LAGGING_BLOCKS,
        thresholds: redAbove(LAGGING_BLOCKS),
        alerts: ["AvaxNodeLagging", "AvaxNodeStandsStill"],
      },
      [[where(lag.metrics.blocks, NODE_CHAIN), SERIES]],
    ),
    lines(
      {
        id: 302,
        title: "Standing still while others go on",
        about:
          "How long ago the height of the chain last changed on the node, where another node has more of it. A chain that is quiet everywhere is 0.",
        width: 8,
        unit: Seconds,
        softMax: 2 * STANDING_AFTER,
        thresholds: redAbove(STANDING_AFTER),
        alerts: ["AvaxNodeStandsStill"],
      },
      [[standingStill(NODE_CHAIN), SERIES]],
    ),
    lines(
      {
        id: 303,
        title: "Blocks a second",
        about: "How fast the height of each chain grows on the node.",
        width: 8,
        unit: Short,
        alerts: ["AvaxNodeLagging"],
      },
      [[`deriv(${where(chainHeight.metrics.height, NODE_CHAIN)}[5m])`, SERIES]],
    ),
    lines(
      {
        id: 304,
        title: "Connected stake",
        about:
          "Share of each chain's stake that the node is connected to. Below what consensus needs, the chain's check fails.",
        width: 8,
        unit: PercentUnit,
        zoomed: true,
        alerts: ["AvaxNodeUnhealthy"],
      },
      [[where(chains.metrics.connected, NODE_CHAIN), SERIES]],
    ),
    lines(
      {
        id: 305,
        title: "Validators without a connection",
        about: "Validators of each chain that the node is not connected to.",
        width: 8,
        unit: Short,
        decimals: 0,
      },
      [[where(chains.metrics.disconnected, NODE_CHAIN), SERIES]],
    ),
    lines(
      {
        id: 306,
        title: "Subnets still bootstrapping",
        about: "How many subnets the node is still bootstrapping, the Primary Network included.",
        width: 8,
        unit: Short,
        decimals: 0,
        alerts: ["AvaxChainNotBootstrapped"],
      },
      [[where(nodeNetwork.metrics.bootstrapping, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 307,
        title: "Undecided blocks",
        about: "Blocks that were issued on the node and are not decided yet.",
        width: 8,
        unit: Short,
        softMax: 5,
      },
      [[where(chains.metrics.processing, NODE_CHAIN), SERIES]],
    ),
    lines(
      {
        id: 308,
        title: "Oldest undecided block",
        about: "How long the oldest undecided block has been processing.",
        width: 8,
        unit: Seconds,
        softMax: 10,
      },
      [[where(chains.metrics.longestProcessing, NODE_CHAIN), SERIES]],
    ),
    lines(
      {
        id: 309,
        title: "Time to accept a block",
        about: "Average time from issuing a block to accepting it. Not every release says it.",
        width: 8,
        unit: Seconds,
      },
      [[where(chains.metrics.acceptanceTime, NODE_CHAIN), SERIES]],
    ),
  ],
};
