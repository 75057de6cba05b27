import { Short } from "@grafana/grafana-foundation-sdk/units";
import { evmBlocks } from "../../../src/topics/evm/evm-blocks.ts";
import { evmHead } from "../../../src/topics/evm/evm-head.ts";
import { where } from "../../../src/topics/define/selector.ts";
import type { Row } from "../parts/panel-options.ts";
import { lines } from "../parts/panels.ts";
import { NETWORK_CHAIN } from "../parts/selectors.ts";
import { GWEI, PLAIN_SECONDS } from "../parts/units.ts";

const { metrics: block } = evmBlocks;
const SERIES = "{{network}} {{chain}}";
const rate = (metric: typeof block.blocks) => `rate(${where(metric, NETWORK_CHAIN)}[$__rate_interval])`;
const interval = (quantile: number) =>
  `histogram_quantile(${quantile}, sum by (network, chain, le) (rate(${block.intervals.name}_bucket{network=~"$network",chain=~"$chain"}[$__rate_interval]))) > 0`;

/** Blocks of each EVM chain that the exporter counted. */
export const blocksPerMinute = `60 * ${rate(block.blocks)}`;

export const evmRow: Row = {
  id: 400,
  title: "EVM chains",
  collapsed: true,
  panels: [
    lines(
      {
        id: 402,
        title: "Transactions per second",
        about: "Transactions in the blocks of each chain.",
        width: 12,
        unit: Short,
      },
      [[rate(block.transactions), SERIES]],
    ),
    lines(
      { id: 403, title: "Gas per second", about: "Gas used by the blocks of each chain.", width: 12, unit: Short },
      [[rate(block.gas), SERIES]],
    ),
    lines(
      {
        id: 404,
        title: "Base fee and tip",
        about:
          "Price of gas in the next block, and the suggested tip, in gwei of the chain's coin. Median of the polled nodes.",
        width: 12,
        unit: GWEI,
      },
      [
        [
          `quantile by (network, chain) (0.5, ${where(evmHead.metrics.baseFee, NETWORK_CHAIN)})`,
          "{{network}} {{chain}}",
        ],
        [
          `quantile by (network, chain) (0.5, ${where(evmHead.metrics.priorityFee, NETWORK_CHAIN)})`,
          "{{network}} {{chain}} tip",
        ],
      ],
    ),
    lines(
      {
        id: 405,
        title: "Fees per minute (coins)",
        about: "Base fee times gas used of the counted blocks, in AVAX or the chain's own coin, without tips.",
        width: 12,
        softMax: 0.01,
        unit: Short,
      },
      [[`60 * ${rate(block.fees)}`, SERIES]],
    ),
    lines(
      {
        id: 406,
        title: "Block interval (p90)",
        about: "Time within which 90 % of the blocks followed the previous one.",
        width: 8,
        unit: PLAIN_SECONDS,
        softMax: 1,
      },
      [[interval(0.9), SERIES]],
    ),
    lines(
      {
        id: 408,
        title: "Transaction pool",
        about: "Transactions in the pools of the nodes that report them. Pending transactions are ready for a block.",
        noValue: "not reported by the nodes",
        width: 8,
        unit: Short,
        decimals: 0,
      },
      [
        [
          `max by (network, chain, state) (${where(evmHead.metrics.txpool, NETWORK_CHAIN)})`,
          "{{network}} {{chain}} {{state}}",
        ],
      ],
    ),
    lines(
      {
        id: 407,
        title: "Skipped blocks per minute",
        about:
          "Blocks of each chain that the exporter skipped, plus changes of its history, per minute. The other counts lack these blocks.",
        width: 8,
        unit: Short,
        alerts: ["AvaxEvmBlocksSkipped", "AvaxEvmHistoryChanged"],
      },
      [[`60 * (${rate(block.skipped)} + ${rate(block.histories)})`, SERIES]],
    ),
  ],
};
