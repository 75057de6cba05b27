import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { chainHeight, chains } from "../../../src/topics/chains/chains.ts";
import { lag, LAGGING_FOR } from "../../../src/topics/chains/lag.ts";
import { nodeNetwork } from "../../../src/topics/node/network.ts";
import { subnetHealth } from "../../../src/topics/node/readiness.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { type Mappings, redAbove, PLAIN_SECONDS } from "../parts/format.ts";
import { withSubnetNames, NODE, NODE_CHAIN, standingStill, VIEW, select } from "../parts/selectors.ts";
import { type Row, lines, timeline } from "../parts/panels.ts";

const of = select(NODE_CHAIN);
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
  title: "Chains",
  collapsed: true,
  legend: SERIES,
  panels: [
    timeline(
      "Subnet state",
      "Each configured subnet on the node: not tracked, bootstrapping, unhealthy or healthy. A gap: unknown, because the node did not answer.",
      [withSubnetNames(subnetState), "{{node}} {{name}}"],
      { mappings: SUBNET_STATE, alerts: ["AvaxChainNotBootstrapped", "AvaxSubnetCheckFailing"] },
    ),
    lines(
      "Bootstrapping subnets",
      "Subnets that the node is still bootstrapping, including the Primary Network.",
      [where(nodeNetwork.metrics.bootstrapping, NODE), "{{node}}"],
      { decimals: 0, alerts: ["AvaxChainNotBootstrapped"] },
    ),
    lines(
      "Time behind",
      "Time since another node was first seen above the node's present height. Empty while it keeps up, and without a second node to compare with.",
      `time() - ${of(lag.metrics.behindSince)}`,
      {
        unit: Seconds,
        in: "min",
        noValue: "keeps up, or no other node",
        softMax: 2 * LAGGING_FOR,
        thresholds: redAbove(LAGGING_FOR),
        alerts: ["AvaxNodeLagging"],
      },
    ),
    lines(
      "Stalled for",
      "Time since the height last changed on a node that is behind another. A chain that is quiet on all nodes shows 0.",
      standingStill(NODE_CHAIN),
      { unit: Seconds, in: "min", softMax: 60, alerts: ["AvaxNodeLagging"] },
    ),
    lines(
      "Blocks per second",
      "Growth of the height of each chain on the node.",
      `deriv(${of(chainHeight.metrics.height)}[5m])`,
      { alerts: ["AvaxNodeLagging"] },
    ),
    lines(
      "Connected stake",
      "Share of each chain's stake that the node is connected to. The chain's check fails below the share that consensus needs.",
      of(chains.metrics.connected),
      { unit: PercentUnit, zoomed: true, alerts: ["AvaxNodeUnhealthy"] },
    ),
    lines(
      "Disconnected validators",
      "Validators of each chain without a connection to the node.",
      of(chains.metrics.disconnected),
      { decimals: 0 },
    ),
    lines("Undecided blocks", "Blocks issued on the node and not yet decided.", of(chains.metrics.processing), {
      softMax: 5,
    }),
    lines(
      "Oldest undecided block",
      "Processing time of the oldest undecided block.",
      of(chains.metrics.longestProcessing),
      { unit: PLAIN_SECONDS, softMax: 10 },
    ),
    lines(
      "Block acceptance time",
      "Average time from issuing a block to accepting it. Not every release reports it.",
      of(chains.metrics.acceptanceTime),
      { unit: PLAIN_SECONDS, softMax: 1, noValue: "not reported by this release" },
    ),
  ],
};
