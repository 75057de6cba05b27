import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { chainHeight, chains } from "../../../src/topics/chains/chains.ts";
import { evmBlocks } from "../../../src/topics/evm/evm-blocks.ts";
import { evmHead } from "../../../src/topics/evm/evm-head.ts";
import { lag, LAGGING_BLOCKS } from "../../../src/topics/chains/lag.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { subnetHealth } from "../../../src/topics/node/readiness.ts";
import { chainStatus } from "../../../src/topics/network/subnet-chains.ts";
import { withSubnetNames } from "../parts/names.ts";
import type { Row } from "../parts/panel-options.ts";
import { redAbove } from "../parts/thresholds.ts";
import { lines, timeline } from "../parts/panels.ts";
import { NETWORK, NODE, NODE_CHAIN, SUBNET } from "../parts/selectors.ts";
import { top } from "../parts/top.ts";
import { GWEI } from "../parts/units.ts";

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
const OWN_OF_NETWORK = { ...NETWORK, chain: "!~P|X|C" } as const;
const CHOSEN = `and on (node, chain) ${where(chainHeight.metrics.height, NODE_CHAIN)}`;
/** Restricts facts to chains that any chosen node runs. */
const CHOSEN_CHAIN = `and on (chain) ${where(chainHeight.metrics.height, NODE_CHAIN)}`;
const STATE = `(3 * ${where(chainStatus.metrics.status, { ...OWN, state: "Validating" })} == 3 or ${where(chainStatus.metrics.status, { ...OWN, state: "Syncing" })} * 2 == 2 or ${where(chainStatus.metrics.status, { ...OWN, state: "Created" })} == 1)`;

export const headsRow: Row = {
  id: 300,
  title: "L1 chains",
  collapsed: true,
  panels: [
    timeline(
      {
        id: 301,
        title: "Node role by chain",
        about:
          "Validating: the node validates the chain. Following: it runs the chain without validating it. Not run: neither. The nodes that did least.",
        width: 12,
        height: 12,
        unit: Short,
        mappings: { 1: ["not run", "red"], 2: ["following", "blue"], 3: ["validating", "green"] },
        alerts: ["AvaxChainNotRun"],
      },
      [
        [
          top(`max by (node, chain) (${STATE} ${CHOSEN_CHAIN})`, { of: "lowest", by: "node, chain", count: MOST_BARS }),
          "{{node}} {{chain}}",
        ],
      ],
    ),
    timeline(
      {
        id: 302,
        title: "Subnet health by node",
        about:
          "Whether the node's health checks of the subnet pass, or that it has none: it does not track the subnet, or is bootstrapping. A gap: unknown, because the node did not answer. The worst nodes.",
        width: 12,
        height: 12,
        unit: Short,
        mappings: { 0: ["unhealthy", "red"], 1: ["healthy", "green"], 2: ["no check", "blue"] },
        alerts: ["AvaxSubnetCheckFailing"],
      },
      [
        [
          withSubnetNames(top(`(${subnetHealthByNode})`, { of: "lowest", by: "node, subnet", count: MOST_BARS })),
          "{{node}} {{name}}",
        ],
      ],
    ),
    lines(
      {
        id: 303,
        title: "Head age",
        about:
          "Time since the last block of each chain, by its own timestamp, on the node that is furthest ahead and on the last one. A quiet chain makes no blocks.",
        width: 12,
        unit: Seconds,
        in: "min",
        softMax: 60,
        alerts: ["AvaxEvmChainStalled"],
      },
      [
        [`time() - max by (network, chain) (${where(evmHead.metrics.time, OWN)} ${CHOSEN})`, "{{network}} {{chain}}"],
        [
          `time() - min by (network, chain) (${where(evmHead.metrics.time, OWN)} ${CHOSEN})`,
          "{{network}} {{chain}} last node",
        ],
      ],
    ),
    lines(
      {
        id: 304,
        title: "Blocks behind",
        about:
          "Blocks behind the highest polled node, on the chain where the node is furthest behind. The nodes that were furthest behind.",
        width: 12,
        unit: Short,
        softMax: 2 * LAGGING_BLOCKS,
        thresholds: redAbove(LAGGING_BLOCKS),
        alerts: ["AvaxNodeLagging"],
      },
      [[top(`max by (node) (${where(lag.metrics.blocks, OWN)} ${CHOSEN})`, { of: "highest" }), "{{node}}"]],
    ),
    lines(
      {
        id: 305,
        title: "Connected stake",
        about:
          "Share of the chain's stake that each node is connected to, from its own health check, on the chain with the lowest share. The nodes with the lowest shares.",
        width: 12,
        unit: PercentUnit,
        zoomed: true,
        alerts: ["AvaxSubnetCheckFailing"],
      },
      [[top(`min by (node) (${where(chains.metrics.connected, OWN)} ${CHOSEN})`, { of: "lowest" }), "{{node}}"]],
    ),
    lines(
      {
        id: 306,
        title: "Blocks per minute",
        about: "Blocks of each chain, counted by the exporter.",
        width: 12,
        unit: Short,
        alerts: ["AvaxEvmChainStalled", "AvaxEvmBlocksSkipped"],
      },
      [
        [
          `60 * rate(${where(evmBlocks.metrics.blocks, OWN_OF_NETWORK)}[$__rate_interval]) ${CHOSEN_CHAIN}`,
          "{{network}} {{chain}}",
        ],
      ],
    ),
    lines(
      {
        id: 307,
        title: "Transactions per second",
        about: "Transactions in the blocks of each chain.",
        width: 12,
        unit: Short,
      },
      [
        [
          `rate(${where(evmBlocks.metrics.transactions, OWN_OF_NETWORK)}[$__rate_interval]) ${CHOSEN_CHAIN}`,
          "{{network}} {{chain}}",
        ],
      ],
    ),
    lines(
      {
        id: 308,
        title: "Base fee",
        about: "Price of gas in the next block, in gwei of the chain's coin. Median of the chosen nodes.",
        width: 12,
        unit: GWEI,
      },
      [
        [
          `quantile by (network, chain) (0.5, ${where(evmHead.metrics.baseFee, OWN)} ${CHOSEN})`,
          "{{network}} {{chain}}",
        ],
      ],
    ),
  ],
};
