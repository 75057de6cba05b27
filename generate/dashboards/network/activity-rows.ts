import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { lag } from "../../../src/topics/chains/lag.ts";
import { platformBlocks } from "../../../src/topics/chains/platform-blocks.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { referenceNode } from "../../../src/topics/network/subnet-chains.ts";
import { UPTIME_RANGES } from "../../../src/topics/labels.ts";
import { validators, END_RANGES } from "../../../src/topics/validators/validators.ts";
import { type Row, bars, lines, stat } from "../parts/panels.ts";
import { NETWORK, PRIMARY, ofNetwork, ofPrimary, ofNetworkChain } from "../parts/selectors.ts";
import { supply } from "../../../src/topics/network/supply.ts";
import { GWEI, percentRange, PLAIN_SECONDS } from "../parts/format.ts";
import { evmBlocks } from "../../../src/topics/evm/evm-blocks.ts";
import { evmHead } from "../../../src/topics/evm/evm-head.ts";

const { metrics: set } = validators;

/** Own and delegated stake. Each exporter of a pair has the series: they are counted once. */
const totalStake = `sum by (network) (max by (network, staker) (${ofNetwork(set.stake)}))`;

export const stakeRow: Row = {
  title: "Stake",
  collapsed: true,
  legend: "{{network}}",
  panels: [
    stat(
      "Delegators",
      "How many delegations are there? To all validators of the Primary Network.",
      ofPrimary(set.delegators),
      { height: 8 },
    ),
    stat(
      "Staked share",
      "How much of the supply is staked? Share of the AVAX supply that is staked, own and delegated. Burnt fees are not subtracted from the supply.",
      `${totalStake} / on (network) (max by (network) (${ofNetwork(supply.metrics.avax)}) > 0)`,
      { height: 8, unit: PercentUnit, decimals: 1 },
    ),
    bars(
      "Stake by time left (AVAX)",
      "How much stake ends soon? Own and delegated stake of the Primary Network in AVAX, by days until its staking period ends.",
      END_RANGES.map(
        (remaining) =>
          [`max by (network, remaining) (${where(set.ending, { ...NETWORK, remaining })})`, "{{remaining}}"] as const,
      ),
      { decimals: 1 },
    ),
    lines(
      "Own and delegated stake (AVAX)",
      "Does the stake grow or shrink? Stake of the Primary Network in AVAX, by staker.",
      [ofNetwork(set.stake), "{{staker}}"],
      { stacked: true },
    ),
  ],
};

const { metrics: evm } = evmBlocks;
const SERIES = "{{chain}}";
const rate = (metric: typeof evm.blocks) => `rate(${ofNetworkChain(metric)}[$__rate_interval])`;
const interval = (quantile: number) =>
  `histogram_quantile(${quantile}, sum by (network, chain, le) (rate(${evm.intervals.name}_bucket{network=~"$network",chain=~"$chain"}[$__rate_interval]))) > 0`;

/** Blocks of each EVM chain that the exporter counted. */
const blocksPerMinute = `60 * ${rate(evm.blocks)}`;

export const evmRow: Row = {
  title: "EVM chains",
  collapsed: true,
  legend: SERIES,
  panels: [
    lines(
      "Transactions per second",
      "How busy is each EVM chain? Transactions in the blocks of each chain.",
      rate(evm.transactions),
      { smooth: "2m" },
    ),
    lines(
      "Gas per second",
      "How much gas does each chain use? Gas used by the blocks of each chain; of the C-Chain, also the sum of the gas limits.",
      [
        [rate(evm.gas), SERIES],
        [rate(evm.gasLimits), "{{chain}} limits"],
      ],
      { smooth: "2m" },
    ),
    lines(
      "Base fee and tip",
      "What does a transaction cost now? Price of gas in the next block, and the suggested tip, in gwei of the chain's coin. Median of the polled nodes.",
      [
        [`quantile by (network, chain) (0.5, ${ofNetworkChain(evmHead.metrics.baseFee)})`, "{{chain}}"],
        [`quantile by (network, chain) (0.5, ${ofNetworkChain(evmHead.metrics.priorityFee)})`, "{{chain}} tip"],
      ],
      { unit: GWEI },
    ),
    lines(
      "Fees per minute (coins)",
      "How much does each chain earn in fees? Base fee times gas used of the counted blocks, in AVAX or the chain's own coin, without tips. Of the C-Chain, what transactions paid with tips, and an upper bound of the base fees.",
      [
        [`60 * ${rate(evm.baseFees)}`, SERIES],
        [`60 * ${rate(evm.fees)}`, "{{chain}} with tips"],
        [`60 * ${rate(evm.mostBaseFees)}`, "{{chain}} upper bound"],
      ],
      { softMax: 0.01, smooth: "2m" },
    ),
    lines(
      "Block interval (p90)",
      "How regular are the blocks? Time within which 90 % of the blocks followed the previous one.",
      interval(0.9),
      { unit: PLAIN_SECONDS, softMax: 1 },
    ),
    lines(
      "Transaction pool",
      "Do transactions wait for a block? Transactions in the pools of the nodes that report them. Pending transactions are ready for a block.",
      [`max by (network, chain, state) (${ofNetworkChain(evmHead.metrics.txpool)})`, "{{chain}} {{state}}"],
      { noValue: "not reported by the nodes", decimals: 0 },
    ),
  ],
};

const { metrics: block } = platformBlocks;

export const platformRow: Row = {
  title: "P-Chain",
  collapsed: true,
  legend: "{{network}}",
  panels: [
    lines(
      "Transactions per minute",
      "What happens on the P-Chain? P-Chain transactions by kind.",
      [`60 * sum by (network, kind) (rate(${ofNetwork(block.transactions)}[$__rate_interval])) > 0`, "{{kind}}"],
      { stacked: true, smooth: "2m" },
    ),
    lines(
      "Exports per hour (AVAX)",
      "How much leaves the P-Chain? AVAX that export transactions move to other chains.",
      `3600 * sum by (network) (rate(${ofNetwork(block.exported)}[$__rate_interval]))`,
      { smooth: "2m" },
    ),
  ],
};

export const setRow: Row = {
  title: "Blocks, validators and stake",
  legend: "{{network}}",
  panels: [
    stat(
      "P-Chain height",
      "How high is the P-Chain? Highest P-Chain height of all polled nodes.",
      where(lag.metrics.highest, { ...NETWORK, chain: "P" }),
      { unit: "locale" },
    ),
    stat(
      "Last block age",
      "Does the P-Chain make blocks? Age of the last P-Chain block that the exporter read.",
      `time() - ${ofNetwork(block.time)}`,
      { unit: Seconds, decimals: 0, alerts: ["AvaxPlatformStalled"] },
    ),
    stat(
      "Reference node",
      "Which node do these figures come from? The node that is polled for the facts about the network as a whole.",
      [`${ofNetwork(referenceNode.metrics.node)} == 1`, "{{node}}"],
      { alerts: ["AvaxNetworkWithoutReferenceNode"], names: true },
    ),
    stat(
      "Validators",
      "How many validators does the network have? Those of the Primary Network.",
      ofPrimary(set.count),
    ),
    stat(
      "Connected",
      "How many validators are reachable? Share of the Primary Network's validators that the network's reference node is connected to.",
      `${ofPrimary(set.connected)} / (${ofPrimary(set.count)} > 0)`,
      { unit: PercentUnit, decimals: 1 },
    ),
    stat("Stake (AVAX)", "How much is staked? Own and delegated stake of the Primary Network, in AVAX.", totalStake, {
      decimals: 1,
    }),
    lines(
      "P-Chain blocks per minute",
      "When did the P-Chain make blocks, and of which kind? Commit and abort blocks decide a proposal.",
      [`60 * sum by (network, kind) (rate(${ofNetwork(block.blocks)}[$__rate_interval])) > 0`, "{{kind}}"],
      { alerts: ["AvaxPlatformStalled"], stacked: true, smooth: "2m" },
    ),
    lines(
      "EVM blocks per minute",
      "When did each EVM chain make blocks? Blocks of each EVM chain, counted by the exporter.",
      [blocksPerMinute, "{{chain}}"],
      { alerts: ["AvaxEvmChainStalled", "AvaxPublicChainStalled"], smooth: "2m" },
    ),
    bars(
      "Validators by uptime",
      "How many validators will be paid at their present uptime? Primary Network validators by the uptime that the network's reference node observed. Rewards require 80 or 90 %.",
      UPTIME_RANGES.map(
        (range) =>
          [`max by (network, range) (${where(set.uptime, { ...PRIMARY, range })})`, percentRange(range)] as const,
      ),
      { decimals: 0 },
    ),
  ],
};
