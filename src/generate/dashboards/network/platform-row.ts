import { Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { lag } from "../../../topics/chains/lag.ts";
import { platformBlocks } from "../../../topics/chains/platform-blocks.ts";
import { where } from "../../../catalogue/selector.ts";
import { txFees } from "../../../topics/network/upgrades.ts";
import { lines, stat } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NETWORK } from "../parts/selectors.ts";

const { metrics: block } = platformBlocks;

export const platformRow = {
  id: 300,
  title: "P-Chain",
  panels: [
    stat(
      {
        id: 301,
        title: "Height",
        about: "Highest P-Chain height of all polled nodes.",
        width: 6,
        unit: "locale",
      },
      [[where(lag.metrics.highest, { ...NETWORK, chain: "P" }), "{{network}}"]],
    ),
    stat(
      {
        id: 302,
        title: "Last block age",
        about: "Age of the last P-Chain block that the exporter read.",
        width: 6,
        unit: Seconds,
        decimals: 0,
        alerts: ["AvaxPlatformStalled"],
      },
      [[`time() - ${where(block.time, NETWORK)}`, "{{network}}"]],
    ),
    stat(
      {
        id: 303,
        title: "Skipped blocks",
        about:
          "P-Chain blocks in the selected time range that the exporter could not read. The other counts lack them.",
        width: 6,
        unit: Short,
        decimals: 0,
        alerts: ["AvaxPlatformBlocksSkipped"],
      },
      [[`increase(${where(block.skipped, NETWORK)}[$__range])`, "{{network}}"]],
    ),
    stat(
      {
        id: 304,
        title: "Uncounted blocks",
        about: "P-Chain blocks between the last counted one and the highest of all polled nodes.",
        width: 6,
        unit: Short,
      },
      [
        [
          `clamp_min(${where(lag.metrics.highest, { ...NETWORK, chain: "P" })} - on (instance, job, network) ${where(block.height, NETWORK)}, 0)`,
          "{{network}}",
        ],
      ],
    ),
    lines(
      {
        id: 306,
        title: "Blocks per minute",
        about: "P-Chain blocks by kind. Commit and abort blocks decide a proposal.",
        width: 8,
        unit: Short,
      },
      [[`60 * sum by (kind) (rate(${where(block.blocks, NETWORK)}[$__rate_interval])) > 0`, "{{kind}}"]],
      "stacked",
    ),
    lines(
      {
        id: 307,
        title: "Transactions per minute",
        about: "P-Chain transactions by kind.",
        width: 9,
        unit: Short,
      },
      [[`60 * sum by (kind) (rate(${where(block.transactions, NETWORK)}[$__rate_interval])) > 0`, "{{kind}}"]],
      "stacked",
    ),
    table(
      {
        id: 308,
        title: "Fixed fees",
        about:
          "Fee of each kind of transaction. Polled only where configured, because each request leaves a warning in the node's log.",
        width: 7,
        unit: Short,
        noValue: "not polled",
      },
      {
        labels: { network: { title: "Network", width: 85 }, kind: { title: "Transaction" } },
        columns: [{ title: "AVAX", expr: where(txFees.metrics.fee, NETWORK), decimals: 3, width: 75 }],
      },
    ),
  ],
};
