import { evmBlocks } from "../../../src/topics/evm/evm-blocks.ts";
import { evmHead } from "../../../src/topics/evm/evm-head.ts";
import { type Row, lines } from "../parts/panels.ts";
import { NETWORK_CHAIN, select } from "../parts/selectors.ts";
import { GWEI, PLAIN_SECONDS } from "../parts/format.ts";

const of = select(NETWORK_CHAIN);
const { metrics: block } = evmBlocks;
const SERIES = "{{network}} {{chain}}";
const rate = (metric: typeof block.blocks) => `rate(${of(metric)}[$__rate_interval])`;
const interval = (quantile: number) =>
  `histogram_quantile(${quantile}, sum by (network, chain, le) (rate(${block.intervals.name}_bucket{network=~"$network",chain=~"$chain"}[$__rate_interval]))) > 0`;

/** Blocks of each EVM chain that the exporter counted. */
export const blocksPerMinute = `60 * ${rate(block.blocks)}`;

export const evmRow: Row = {
  title: "EVM chains",
  collapsed: true,
  legend: SERIES,
  panels: [
    lines("Transactions per second", "Transactions in the blocks of each chain.", rate(block.transactions)),
    lines("Gas per second", "Gas used by the blocks of each chain.", rate(block.gas)),
    lines(
      "Base fee and tip",
      "Price of gas in the next block, and the suggested tip, in gwei of the chain's coin. Median of the polled nodes.",
      [
        [`quantile by (network, chain) (0.5, ${of(evmHead.metrics.baseFee)})`, "{{network}} {{chain}}"],
        [`quantile by (network, chain) (0.5, ${of(evmHead.metrics.priorityFee)})`, "{{network}} {{chain}} tip"],
      ],
      { unit: GWEI },
    ),
    lines(
      "Fees per minute (coins)",
      "Base fee times gas used of the counted blocks, in AVAX or the chain's own coin, without tips.",
      `60 * ${rate(block.fees)}`,
      { softMax: 0.01 },
    ),
    lines("Block interval (p90)", "Time within which 90 % of the blocks followed the previous one.", interval(0.9), {
      unit: PLAIN_SECONDS,
      softMax: 1,
    }),
    lines(
      "Transaction pool",
      "Transactions in the pools of the nodes that report them. Pending transactions are ready for a block.",
      [`max by (network, chain, state) (${of(evmHead.metrics.txpool)})`, "{{network}} {{chain}} {{state}}"],
      { noValue: "not reported by the nodes", decimals: 0 },
    ),
    lines(
      "Skipped blocks per minute",
      "Blocks of each chain that the exporter skipped, plus changes of its history, per minute. The other counts lack these blocks.",
      `60 * (${rate(block.skipped)} + ${rate(block.histories)})`,
      { alerts: ["AvaxEvmBlocksSkipped", "AvaxEvmHistoryChanged"] },
    ),
  ],
};
