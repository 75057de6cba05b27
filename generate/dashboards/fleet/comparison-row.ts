import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { identity } from "../../../src/topics/node/identity.ts";
import { lag, LAGGING_BLOCKS, LAGGING_FOR } from "../../../src/topics/chains/lag.ts";
import { networkVerdict } from "../../../src/topics/validators/network-verdict.ts";
import { FEW_PEERS, peerCount } from "../../../src/topics/node/peers.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { LEAST_REWARDING_RATIO } from "../../../src/topics/validators/uptime.ts";
import { redAbove, redBelow } from "../parts/format.ts";
import { type Row, lines } from "../parts/panels.ts";
import { NODE, shortVersions, select, FEW_LINES, top } from "../parts/selectors.ts";

const of = select(NODE);
const lagging = of(lag.metrics.blocks);
/** Which nodes a chart shows. */
const worst = (what: string) => `Of the ${FEW_LINES} nodes with the ${what} in the selected time range.`;

export const comparisonRow: Row = {
  title: "Nodes compared",
  collapsed: true,
  legend: "{{node}}",
  panels: [
    lines(
      "Blocks behind",
      `Blocks behind the highest polled node, on the chain where the node is furthest behind. ${worst("most blocks behind")}`,
      top(`max by (node) (${lagging})`, { of: "highest" }),
      { softMax: 2 * LAGGING_BLOCKS, thresholds: redAbove(LAGGING_BLOCKS), alerts: ["AvaxNodeLagging"] },
    ),
    lines(
      "Behind for",
      `Time since another polled node accepted the block that this one lacks, longest of its chains. A node that keeps up has none. ${worst("longest time")}`,
      top(`max by (node) (time() - ${of(lag.metrics.behindSince)})`, { of: "highest" }),
      {
        unit: Seconds,
        in: "min",
        noValue: "no node is behind",
        softMax: 2 * LAGGING_FOR,
        thresholds: redAbove(LAGGING_FOR),
        alerts: ["AvaxNodeLagging"],
      },
    ),
    lines(
      "Peers",
      `Connected peers. ${worst("fewest peers")}`,
      top(`max by (node) (${of(peerCount.metrics.count)})`, { of: "lowest" }),
      { thresholds: redBelow(FEW_PEERS), alerts: ["AvaxNodeFewPeers"] },
    ),
    lines(
      "Rewarding stake",
      `Share of all stake that observed enough uptime of the node for its reward. ${worst("least share")}`,
      top(`max by (node) (${of(networkVerdict.metrics.required)})`, { of: "lowest" }),
      { unit: PercentUnit, thresholds: redBelow(LEAST_REWARDING_RATIO), alerts: ["AvaxUptimeRewardAtRisk"] },
    ),
    lines(
      "Failed polls (per second)",
      `Failed polls per second by node. The cause is the node or the network path to it. ${worst("most failures")}`,
      top(`sum by (node) (rate(${of(polling.metrics.failures)}[$__rate_interval])) > 0`, {
        of: "highest",
      }),
      { unit: "ops", noValue: "no failures", alerts: ["AvaxEndpointFailing", "AvaxNodeDown"] },
    ),
    lines(
      "Nodes by version",
      "Number of chosen nodes by version. Shows the progress of a rollout.",
      [shortVersions(`count by (version) (${of(identity.metrics.node)})`), "{{version}}"],
      { decimals: 0, stacked: true },
    ),
  ],
};
