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
        about: "Height of the P-Chain: the highest of any polled node.",
        width: 6,
        unit: "locale",
      },
      [[where(lag.metrics.highest, { ...NETWORK, chain: "P" }), "{{network}}"]],
    ),
    stat(
      {
        id: 302,
        title: "Last block",
        about: "Age of the last P-Chain block that was read.",
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
        title: "Not counted",
        about:
          "P-Chain blocks of the chosen time that the exporter could not read, so that the counts beside lack them.",
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
        title: "Waiting to be counted",
        about: "P-Chain blocks between the highest of any polled node and those counted.",
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
        title: "Blocks a minute",
        about: "P-Chain blocks by kind. Blocks that decide a proposal are commit or abort.",
        width: 8,
        unit: Short,
      },
      [[`60 * sum by (kind) (rate(${where(block.blocks, NETWORK)}[$__rate_interval])) > 0`, "{{kind}}"]],
      "stacked",
    ),
    lines(
      {
        id: 307,
        title: "Transactions a minute",
        about: "Transactions of the P-Chain by what they do.",
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
          "What each kind of transaction costs. Asked only where it is configured: the question leaves a warning in the node's log.",
        width: 7,
        unit: Short,
        noValue: "not asked",
      },
      {
        labels: { network: { title: "Network", width: 85 }, kind: { title: "Transaction" } },
        columns: [{ title: "AVAX", expr: where(txFees.metrics.fee, NETWORK), decimals: 3, width: 75 }],
      },
    ),
  ],
};
