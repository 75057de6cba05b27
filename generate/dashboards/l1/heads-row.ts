import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { chainHeight, chains } from "../../../src/topics/chains/chains.ts";
import { evmBlocks } from "../../../src/topics/evm/evm-blocks.ts";
import { evmHead } from "../../../src/topics/evm/evm-head.ts";
import { lag, LAGGING_BLOCKS } from "../../../src/topics/chains/lag.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { subnetHealth } from "../../../src/topics/node/readiness.ts";
import { chainStatus } from "../../../src/topics/network/subnet-chains.ts";
import { withSubnetNames, NETWORK, NODE, NODE_CHAIN, SUBNET, select, top } from "../parts/selectors.ts";
import { type Row, lines, timeline } from "../parts/panels.ts";
import { redAbove, GWEI } from "../parts/format.ts";

const MOST_BARS = 20;
const OF_SUBNET = { ...NODE, ...SUBNET } as const;
/** 2: the node has no check for the subnet. */
const subnetHealthByNode = [
  where(subnetHealth.metrics.healthy, OF_SUBNET),
  `2 + (${where(subnetHealth.metrics.known, OF_SUBNET)} == 0)`,
]
  .map((expr) => `max by (network, node, subnet) (${expr})`)
  .join(" or ");
/** Chains of all subnets except the Primary Network. */
const OWN = { ...NODE, chain: "!~P|X|C" } as const;
const of = select(OWN);
const OWN_OF_NETWORK = { ...NETWORK, chain: "!~P|X|C" } as const;
const CHOSEN = `and on (node, chain) ${where(chainHeight.metrics.height, NODE_CHAIN)}`;
/** Restricts facts to chains that any chosen node runs. */
const CHOSEN_CHAIN = `and on (chain) ${where(chainHeight.metrics.height, NODE_CHAIN)}`;
const STATE = `(3 * ${where(chainStatus.metrics.status, { ...OWN, state: "Validating" })} == 3 or ${where(chainStatus.metrics.status, { ...OWN, state: "Syncing" })} * 2 == 2 or ${where(chainStatus.metrics.status, { ...OWN, state: "Created" })} == 1)`;

export const headsRow: Row = {
  title: "L1 chains",
  collapsed: true,
  legend: "{{network}} {{chain}}",
  panels: [
    timeline(
      "Node role by chain",
      "Validating: the node validates the chain. Following: it runs the chain without validating it. Not run: neither. The nodes that did least.",
      [
        top(`max by (node, chain) (${STATE} ${CHOSEN_CHAIN})`, { of: "lowest", by: "node, chain", count: MOST_BARS }),
        "{{node}} {{chain}}",
      ],
      {
        height: 12,
        mappings: { 1: ["not run", "red"], 2: ["following", "blue"], 3: ["validating", "green"] },
        alerts: ["AvaxChainNotRun"],
      },
    ),
    timeline(
      "Subnet health by node",
      "Whether the node's health checks of the subnet pass, or that it has none: it does not track the subnet, or is bootstrapping. A gap: unknown, because the node did not answer. The worst nodes.",
      [
        withSubnetNames(top(`(${subnetHealthByNode})`, { of: "lowest", by: "node, subnet", count: MOST_BARS })),
        "{{node}} {{name}}",
      ],
      {
        height: 12,
        mappings: { 0: ["unhealthy", "red"], 1: ["healthy", "green"], 2: ["no check", "blue"] },
        alerts: ["AvaxSubnetCheckFailing"],
      },
    ),
    lines(
      "Head age",
      "Time since the last block of each chain, by its own timestamp, on the node that is furthest ahead and on the last one. A quiet chain makes no blocks.",
      [
        [`time() - max by (network, chain) (${of(evmHead.metrics.time)} ${CHOSEN})`, "{{network}} {{chain}}"],
        [`time() - min by (network, chain) (${of(evmHead.metrics.time)} ${CHOSEN})`, "{{network}} {{chain}} last node"],
      ],
      { unit: Seconds, in: "min", softMax: 60, alerts: ["AvaxEvmChainStalled"] },
    ),
    lines(
      "Blocks behind",
      "Blocks behind the highest polled node, on the chain where the node is furthest behind. The nodes that were furthest behind.",
      [top(`max by (node) (${of(lag.metrics.blocks)} ${CHOSEN})`, { of: "highest" }), "{{node}}"],
      { softMax: 2 * LAGGING_BLOCKS, thresholds: redAbove(LAGGING_BLOCKS), alerts: ["AvaxNodeLagging"] },
    ),
    lines(
      "Connected stake",
      "Share of the chain's stake that each node is connected to, from its own health check, on the chain with the lowest share. The nodes with the lowest shares.",
      [top(`min by (node) (${of(chains.metrics.connected)} ${CHOSEN})`, { of: "lowest" }), "{{node}}"],
      { unit: PercentUnit, zoomed: true, alerts: ["AvaxSubnetCheckFailing"] },
    ),
    lines(
      "Blocks per minute",
      "Blocks of each chain, counted by the exporter.",
      `60 * rate(${where(evmBlocks.metrics.blocks, OWN_OF_NETWORK)}[$__rate_interval]) ${CHOSEN_CHAIN}`,
      { alerts: ["AvaxEvmChainStalled", "AvaxEvmBlocksSkipped"] },
    ),
    lines(
      "Transactions per second",
      "Transactions in the blocks of each chain.",
      `rate(${where(evmBlocks.metrics.transactions, OWN_OF_NETWORK)}[$__rate_interval]) ${CHOSEN_CHAIN}`,
    ),
    lines(
      "Base fee",
      "Price of gas in the next block, in gwei of the chain's coin. Median of the chosen nodes.",
      `quantile by (network, chain) (0.5, ${of(evmHead.metrics.baseFee)} ${CHOSEN})`,
      { unit: GWEI },
    ),
  ],
};
