import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { identity } from "../../../src/topics/node/identity.ts";
import { lag, LAGGING_BLOCKS, LAGGING_FOR } from "../../../src/topics/chains/lag.ts";
import { networkVerdict } from "../../../src/topics/validators/network-verdict.ts";
import { FEW_PEERS, peerCount } from "../../../src/topics/node/peers.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { LEAST_REWARDING_RATIO } from "../../../src/topics/validators/uptime.ts";
import { redAbove, redBelow } from "../parts/thresholds.ts";
import { lines } from "../parts/panels.ts";
import { NODE, shortVersions } from "../parts/selectors.ts";
import { FEW_LINES, top } from "../parts/top.ts";

const lagging = where(lag.metrics.blocks, NODE);
/** Which nodes a chart shows. */
const worst = (what: string) => `Of the ${FEW_LINES} nodes with the ${what} in the selected time range.`;

export const comparisonRow = {
  id: 300,
  title: "Nodes compared",
  collapsed: true,
  panels: [
    lines(
      {
        id: 202,
        title: "Blocks behind",
        about: `Blocks behind the highest polled node, on the chain where the node is furthest behind. ${worst("most blocks behind")}`,
        width: 8,
        unit: Short,
        softMax: 2 * LAGGING_BLOCKS,
        thresholds: redAbove(LAGGING_BLOCKS),
        alerts: ["AvaxNodeLagging"],
      },
      [[top(`max by (node) (${lagging})`, { of: "highest" }), "{{node}}"]],
    ),
    lines(
      {
        id: 203,
        title: "Behind for",
        about: `Time since another polled node accepted the block that this one lacks, longest of its chains. A node that keeps up has none. ${worst("longest time")}`,
        width: 8,
        unit: Seconds,
        in: "min",
        noValue: "no node is behind",
        softMax: 2 * LAGGING_FOR,
        thresholds: redAbove(LAGGING_FOR),
        alerts: ["AvaxNodeLagging"],
      },
      [[top(`max by (node) (time() - ${where(lag.metrics.behindSince, NODE)})`, { of: "highest" }), "{{node}}"]],
    ),
    lines(
      {
        id: 204,
        title: "Peers",
        about: `Connected peers. ${worst("fewest peers")}`,
        width: 8,
        unit: Short,
        thresholds: redBelow(FEW_PEERS),
        alerts: ["AvaxNodeFewPeers"],
      },
      [[top(`max by (node) (${where(peerCount.metrics.count, NODE)})`, { of: "lowest" }), "{{node}}"]],
    ),
    lines(
      {
        id: 205,
        title: "Rewarding stake",
        about: `Share of all stake that observed enough uptime of the node for its reward. ${worst("least share")}`,
        width: 8,
        unit: PercentUnit,
        thresholds: redBelow(LEAST_REWARDING_RATIO),
        alerts: ["AvaxUptimeRewardAtRisk"],
      },
      [[top(`max by (node) (${where(networkVerdict.metrics.required, NODE)})`, { of: "lowest" }), "{{node}}"]],
    ),
    lines(
      {
        id: 206,
        title: "Failed polls (per second)",
        about: `Failed polls per second by node. The cause is the node or the network path to it. ${worst("most failures")}`,
        width: 8,
        unit: "ops",
        noValue: "no failures",
        alerts: ["AvaxEndpointFailing", "AvaxNodeDown"],
      },
      [
        [
          top(`sum by (node) (rate(${where(polling.metrics.failures, NODE)}[$__rate_interval])) > 0`, {
            of: "highest",
          }),
          "{{node}}",
        ],
      ],
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
} as const;
