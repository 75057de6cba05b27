import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { chainHeight, chains } from "../../../src/topics/chains/chains.ts";
import { lag, LAGGING_FOR } from "../../../src/topics/chains/lag.ts";
import { nodeNetwork } from "../../../src/topics/node/network.ts";
import { subnetHealth } from "../../../src/topics/node/readiness.ts";
import { where } from "../../../src/topics/define/selector.ts";
import type { Mappings } from "../parts/mappings.ts";
import { withSubnetNames } from "../parts/names.ts";
import type { Row } from "../parts/panel-options.ts";
import { redAbove } from "../parts/thresholds.ts";
import { lines, timeline } from "../parts/panels.ts";
import { NODE, NODE_CHAIN, standingStill, VIEW } from "../parts/selectors.ts";
import { PLAIN_SECONDS } from "../parts/units.ts";

const SERIES = "{{node}} {{chain}}";

const SUBNET_STATE: Mappings = {
  0: ["not tracked", "blue"],
  1: ["bootstrapping", "orange"],
  2: ["unhealthy", "red"],
  3: ["healthy", "green"],
};
const subnet = (expr: string) => `max by (network, node, subnet) (${expr})`;
const subnetState = [
  `1 * (${where(nodeNetwork.metrics.subnetBootstrapping, VIEW)} == 1)`,
  `2 + ${where(subnetHealth.metrics.healthy, VIEW)}`,
  `0 * (${where(subnetHealth.metrics.known, VIEW)} == 0)`,
]
  .map(subnet)
  .join(" or ");

export const chainsRow: Row = {
  id: 300,
  title: "Chains",
  collapsed: true,
  panels: [
    timeline(
      {
        id: 110,
        title: "Subnet state",
        about:
          "Each configured subnet on the node: not tracked, bootstrapping, unhealthy or healthy. A gap: unknown, because the node did not answer.",
        width: 16,
        unit: Short,
        mappings: SUBNET_STATE,
        alerts: ["AvaxChainNotBootstrapped", "AvaxSubnetCheckFailing"],
      },
      [[withSubnetNames(subnetState), "{{node}} {{name}}"]],
    ),
    lines(
      {
        id: 306,
        title: "Bootstrapping subnets",
        about: "Subnets that the node is still bootstrapping, including the Primary Network.",
        width: 8,
        unit: Short,
        decimals: 0,
        alerts: ["AvaxChainNotBootstrapped"],
      },
      [[where(nodeNetwork.metrics.bootstrapping, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 310,
        title: "Time behind",
        about:
          "Time since another node was first seen above the node's present height. Empty while it keeps up, and without a second node to compare with.",
        width: 8,
        unit: Seconds,
        in: "min",
        noValue: "keeps up, or no other node",
        softMax: 2 * LAGGING_FOR,
        thresholds: redAbove(LAGGING_FOR),
        alerts: ["AvaxNodeLagging"],
      },
      [[`time() - ${where(lag.metrics.behindSince, NODE_CHAIN)}`, SERIES]],
    ),
    lines(
      {
        id: 302,
        title: "Stalled for",
        about:
          "Time since the height last changed on a node that is behind another. A chain that is quiet on all nodes shows 0.",
        width: 8,
        unit: Seconds,
        in: "min",
        softMax: 60,
        alerts: ["AvaxNodeLagging"],
      },
      [[standingStill(NODE_CHAIN), SERIES]],
    ),
    lines(
      {
        id: 303,
        title: "Blocks per second",
        about: "Growth of the height of each chain on the node.",
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
          "Share of each chain's stake that the node is connected to. The chain's check fails below the share that consensus needs.",
        width: 12,
        unit: PercentUnit,
        zoomed: true,
        alerts: ["AvaxNodeUnhealthy"],
      },
      [[where(chains.metrics.connected, NODE_CHAIN), SERIES]],
    ),
    lines(
      {
        id: 305,
        title: "Disconnected validators",
        about: "Validators of each chain without a connection to the node.",
        width: 12,
        unit: Short,
        decimals: 0,
      },
      [[where(chains.metrics.disconnected, NODE_CHAIN), SERIES]],
    ),
    lines(
      {
        id: 307,
        title: "Undecided blocks",
        about: "Blocks issued on the node and not yet decided.",
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
        about: "Processing time of the oldest undecided block.",
        width: 8,
        unit: PLAIN_SECONDS,
        softMax: 10,
      },
      [[where(chains.metrics.longestProcessing, NODE_CHAIN), SERIES]],
    ),
    lines(
      {
        id: 309,
        title: "Block acceptance time",
        about: "Average time from issuing a block to accepting it. Not every release reports it.",
        width: 8,
        unit: PLAIN_SECONDS,
        softMax: 1,
        noValue: "not reported by this release",
      },
      [[where(chains.metrics.acceptanceTime, NODE_CHAIN), SERIES]],
    ),
  ],
};
