import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { lag } from "../../../src/topics/chains/lag.ts";
import { platformBlocks } from "../../../src/topics/chains/platform-blocks.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { referenceNode } from "../../../src/topics/network/reference-node.ts";
import { UPTIME_RANGES } from "../../../src/topics/labels.ts";
import { validators } from "../../../src/topics/validators/validators.ts";
import { type Row, bars, lines, stat } from "../parts/panels.ts";
import { NETWORK, PRIMARY, select } from "../parts/selectors.ts";
import { blocksPerMinute } from "./evm-row.ts";
import { totalStake } from "./stake-row.ts";

const of = select(NETWORK);
const { metrics: set } = validators;
const { metrics: block } = platformBlocks;

export const setRow: Row = {
  title: "Blocks, validators and stake",
  legend: "{{network}}",
  panels: [
    stat(
      "P-Chain height",
      "Highest P-Chain height of all polled nodes.",
      where(lag.metrics.highest, { ...NETWORK, chain: "P" }),
      { unit: "locale" },
    ),
    stat("Last block age", "Age of the last P-Chain block that the exporter read.", `time() - ${of(block.time)}`, {
      unit: Seconds,
      decimals: 0,
      alerts: ["AvaxPlatformStalled"],
    }),
    stat(
      "Reference node",
      "The node that is polled for the facts about the network as a whole.",
      [`${of(referenceNode.metrics.node)} == 1`, "{{network}}: {{node}}"],
      { alerts: ["AvaxNetworkWithoutReferenceNode"], names: true },
    ),
    stat("Validators", "Validators of the Primary Network.", where(set.count, PRIMARY)),
    stat(
      "Connected",
      "Share of the Primary Network's validators that the network's reference node is connected to.",
      `${where(set.connected, PRIMARY)} / (${where(set.count, PRIMARY)} > 0)`,
      { unit: PercentUnit, decimals: 1 },
    ),
    stat("Stake (AVAX)", "Own and delegated stake of the Primary Network, in AVAX.", totalStake, { decimals: 1 }),
    lines(
      "P-Chain blocks per minute",
      "P-Chain blocks by kind. Commit and abort blocks decide a proposal.",
      [`60 * sum by (network, kind) (rate(${of(block.blocks)}[$__rate_interval])) > 0`, "{{network}} {{kind}}"],
      { alerts: ["AvaxPlatformStalled"], stacked: true },
    ),
    lines(
      "EVM blocks per minute",
      "Blocks of each EVM chain, counted by the exporter.",
      [blocksPerMinute, "{{network}} {{chain}}"],
      { alerts: ["AvaxEvmChainStalled", "AvaxPublicChainStalled"] },
    ),
    bars(
      "Validators by uptime",
      "Primary Network validators by the uptime that the network's reference node observed. Rewards require 80 or 90 %.",
      UPTIME_RANGES.map(
        (range) =>
          [`max by (network, range) (${where(set.uptime, { ...PRIMARY, range })})`, "{{network}} {{range}}"] as const,
      ),
      { decimals: 0 },
    ),
  ],
};
