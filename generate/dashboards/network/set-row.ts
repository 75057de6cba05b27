import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { lag } from "../../../src/topics/chains/lag.ts";
import { platformBlocks } from "../../../src/topics/chains/platform-blocks.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { referenceNode } from "../../../src/topics/network/reference-node.ts";
import { UPTIME_RANGES } from "../../../src/topics/labels.ts";
import { validators } from "../../../src/topics/validators/validators.ts";
import type { Row } from "../parts/panel-options.ts";
import { bars, lines, stat } from "../parts/panels.ts";
import { NETWORK, PRIMARY } from "../parts/selectors.ts";
import { blocksPerMinute } from "./evm-row.ts";
import { totalStake } from "./stake-row.ts";

const { metrics: set } = validators;
const { metrics: block } = platformBlocks;

const SIZE = { width: 4, height: 4 } as const;
export const setRow: Row = {
  id: 100,
  title: "Blocks, validators and stake",
  panels: [
    stat(
      {
        id: 301,
        title: "P-Chain height",
        about: "Highest P-Chain height of all polled nodes.",
        ...SIZE,
        unit: "locale",
      },
      [[where(lag.metrics.highest, { ...NETWORK, chain: "P" }), "{{network}}"]],
    ),
    stat(
      {
        id: 302,
        title: "Last block age",
        about: "Age of the last P-Chain block that the exporter read.",
        ...SIZE,
        unit: Seconds,
        decimals: 0,
        alerts: ["AvaxPlatformStalled"],
      },
      [[`time() - ${where(block.time, NETWORK)}`, "{{network}}"]],
    ),
    stat(
      {
        id: 106,
        title: "Reference node",
        about: "The node that is polled for the facts about the network as a whole.",
        ...SIZE,
        unit: Short,
        alerts: ["AvaxNetworkWithoutReferenceNode"],
      },
      [[`${where(referenceNode.metrics.node, NETWORK)} == 1`, "{{network}}: {{node}}"]],
      "name",
    ),
    stat(
      {
        id: 101,
        title: "Validators",
        about: "Validators of the Primary Network.",
        ...SIZE,
        unit: Short,
      },
      [[where(set.count, PRIMARY), "{{network}}"]],
    ),
    stat(
      {
        id: 102,
        title: "Connected",
        about: "Share of the Primary Network's validators that the network's reference node is connected to.",
        ...SIZE,
        unit: PercentUnit,
        decimals: 1,
      },
      [[`${where(set.connected, PRIMARY)} / (${where(set.count, PRIMARY)} > 0)`, "{{network}}"]],
    ),
    stat(
      {
        id: 103,
        title: "Stake (AVAX)",
        about: "Own and delegated stake of the Primary Network, in AVAX.",
        ...SIZE,
        unit: Short,
        decimals: 1,
      },
      [[totalStake, "{{network}}"]],
    ),
    lines(
      {
        id: 306,
        title: "P-Chain blocks per minute",
        about: "P-Chain blocks by kind. Commit and abort blocks decide a proposal.",
        width: 8,
        unit: Short,
        alerts: ["AvaxPlatformStalled"],
      },
      [
        [
          `60 * sum by (network, kind) (rate(${where(block.blocks, NETWORK)}[$__rate_interval])) > 0`,
          "{{network}} {{kind}}",
        ],
      ],
      "stacked",
    ),
    lines(
      {
        id: 401,
        title: "EVM blocks per minute",
        about: "Blocks of each EVM chain, counted by the exporter.",
        width: 8,
        unit: Short,
        alerts: ["AvaxEvmChainStalled", "AvaxPublicChainStalled"],
      },
      [[blocksPerMinute, "{{network}} {{chain}}"]],
    ),
    bars(
      {
        id: 107,
        title: "Validators by uptime",
        about:
          "Primary Network validators by the uptime that the network's reference node observed. Rewards require 80 or 90 %.",
        width: 8,
        unit: Short,
        decimals: 0,
      },
      UPTIME_RANGES.map(
        (range) =>
          [`max by (network, range) (${where(set.uptime, { ...PRIMARY, range })})`, "{{network}} {{range}}"] as const,
      ),
    ),
  ],
};
