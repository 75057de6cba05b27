import { Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { evmConfig } from "../../../src/topics/evm/evm-config.ts";
import { evmHead } from "../../../src/topics/evm/evm-head.ts";
import { evmIdentity } from "../../../src/topics/evm/evm-identity.ts";
import { evmProof } from "../../../src/topics/evm/evm-proof.ts";
import { evmSocket } from "../../../src/topics/exporter/evm-socket.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { chainHeight } from "../../../src/topics/chains/chains.ts";
import { chainStatus } from "../../../src/topics/network/subnet-chains.ts";
import { platformClock } from "../../../src/topics/network/supply.ts";
import { YES_NO } from "../parts/mappings.ts";
import type { Row } from "../parts/panel-options.ts";
import { redAbove } from "../parts/thresholds.ts";
import { lines } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NODE, NODE_CHAIN } from "../parts/selectors.ts";
import { GWEI } from "../parts/units.ts";

const SERIES = "{{node}} {{chain}}";
const { metrics: head } = evmHead;
/** Restricts facts about all chains to EVM chains that the node serves. */
const OF_EVM = `and on (node, chain) ${where(evmIdentity.metrics.chain, NODE_CHAIN)}`;

export const evmRow: Row = {
  id: 700,
  title: "EVM chains",
  collapsed: true,
  panels: [
    table(
      {
        id: 701,
        title: "EVM chains by node",
        about:
          "Each EVM chain that the node serves: whether its chain ID matches, whether the node validates it, and its software, height, peers, WebSocket and changed settings.",
        width: 24,
        unit: Short,
        alerts: ["AvaxEvmWrongChain", "AvaxEvmConfigChanged", "AvaxEvmWebSocketDown", "AvaxChainNotRun"],
      },
      {
        labels: { node: { title: "Node", width: 100 }, chain: { title: "Chain", width: 80 } },
        more: {
          expr: where(evmIdentity.metrics.chain, NODE_CHAIN),
          labels: { evm_chain_id: { title: "Chain ID", width: 90 }, client_version: { title: "Software", width: 170 } },
        },
        columns: [
          { title: "ID matches", expr: where(evmIdentity.metrics.matches, NODE_CHAIN), mappings: YES_NO, width: 120 },
          {
            title: "Validating",
            expr: `${where(chainStatus.metrics.status, { ...NODE_CHAIN, state: "Validating" })} ${OF_EVM}`,
            mappings: { 0: ["no", "text"], 1: ["yes", "green"] },
            width: 120,
          },
          {
            title: "Height",
            expr: `${where(chainHeight.metrics.height, NODE_CHAIN)} ${OF_EVM}`,
            unit: "locale",
            width: 140,
          },
          { title: "EVM peers", expr: where(evmIdentity.metrics.peers, NODE_CHAIN), width: 120 },
          {
            title: "WebSocket",
            expr: where(evmSocket.metrics.up, NODE_CHAIN),
            mappings: { 0: ["down", "red"], 1: ["up", "green"] },
            width: 120,
          },
          { title: "Proof window", expr: where(evmProof.metrics.window, NODE_CHAIN), width: 140 },
          {
            title: "Settings changed",
            expr: `ceil(increase(${where(evmConfig.metrics.changes, NODE_CHAIN)}[$__range]))`,
            thresholds: redAbove(1),
          },
        ],
      },
    ),
    lines(
      {
        id: 702,
        title: "Head age",
        about: "Time since the last block of each chain, by its own timestamp. A quiet chain makes no blocks.",
        width: 8,
        unit: Seconds,
        in: "min",
        softMax: 60,
        alerts: ["AvaxPublicChainStalled", "AvaxEvmChainStalled"],
      },
      [
        [`time() - ${where(head.time, NODE_CHAIN)}`, SERIES],
        [`time() - ${where(platformClock.metrics.clock, NODE)}`, "{{node}} P-Chain clock"],
      ],
    ),
    lines(
      {
        id: 703,
        title: "Gas price",
        about: "Price of gas in the next block, as the node reports it, in gwei of the chain's coin.",
        width: 8,
        unit: GWEI,
      },
      [[where(head.baseFee, NODE_CHAIN), SERIES]],
    ),
    lines(
      {
        id: 704,
        title: "Block gas limit",
        about: "Gas limit of the last block.",
        width: 8,
        unit: Short,
      },
      [[where(head.gasLimit, NODE_CHAIN), SERIES]],
    ),
  ],
};
