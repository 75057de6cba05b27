import { Seconds } from "@grafana/grafana-foundation-sdk/units";
import { evmConfig } from "../../../src/topics/evm/evm-config.ts";
import { evmHead } from "../../../src/topics/evm/evm-head.ts";
import { evmIdentity } from "../../../src/topics/evm/evm-identity.ts";
import { evmProof } from "../../../src/topics/evm/evm-proof.ts";
import { evmSocket } from "../../../src/topics/exporter/evm-socket.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { chainHeight } from "../../../src/topics/chains/chains.ts";
import { chainStatus } from "../../../src/topics/network/subnet-chains.ts";
import { platformClock } from "../../../src/topics/network/supply.ts";
import { YES_NO, redAbove, GWEI } from "../parts/format.ts";
import { type Row, lines } from "../parts/panels.ts";
import { column, table } from "../parts/table.ts";
import { NODE, NODE_CHAIN, select } from "../parts/selectors.ts";

const of = select(NODE_CHAIN);
const SERIES = "{{node}} {{chain}}";
const { metrics: head } = evmHead;
/** Restricts facts about all chains to EVM chains that the node serves. */
const OF_EVM = `and on (node, chain) ${of(evmIdentity.metrics.chain)}`;

export const evmRow: Row = {
  title: "EVM chains",
  collapsed: true,
  legend: SERIES,
  panels: [
    table(
      "EVM chains by node",
      "Each EVM chain that the node serves: whether its chain ID matches, whether the node validates it, and its software, height, peers, WebSocket and changed settings.",
      {
        width: 24,
        alerts: ["AvaxEvmWrongChain", "AvaxEvmConfigChanged", "AvaxEvmWebSocketDown", "AvaxChainNotRun"],
        labels: { node: { title: "Node", width: 100 }, chain: { title: "Chain", width: 80 } },
        more: {
          expr: of(evmIdentity.metrics.chain),
          labels: { evm_chain_id: { title: "Chain ID", width: 90 }, client_version: { title: "Software", width: 170 } },
        },
        columns: [
          column("ID matches", of(evmIdentity.metrics.matches), { mappings: YES_NO, width: 120 }),
          column(
            "Validating",
            `${where(chainStatus.metrics.status, { ...NODE_CHAIN, state: "Validating" })} ${OF_EVM}`,
            { mappings: { 0: ["no", "text"], 1: ["yes", "green"] }, width: 120 },
          ),
          column("Height", `${of(chainHeight.metrics.height)} ${OF_EVM}`, { unit: "locale", width: 140 }),
          column("EVM peers", of(evmIdentity.metrics.peers), { width: 120 }),
          column("WebSocket", of(evmSocket.metrics.up), {
            mappings: { 0: ["down", "red"], 1: ["up", "green"] },
            width: 120,
          }),
          column("Proof window", of(evmProof.metrics.window), { width: 140 }),
          column("Settings changed", `ceil(increase(${of(evmConfig.metrics.changes)}[$__range]))`, {
            thresholds: redAbove(1),
          }),
        ],
      },
    ),
    lines(
      "Head age",
      "Time since the last block of each chain, by its own timestamp. A quiet chain makes no blocks.",
      [
        [`time() - ${of(head.time)}`, SERIES],
        [`time() - ${where(platformClock.metrics.clock, NODE)}`, "{{node}} P-Chain clock"],
      ],
      { unit: Seconds, in: "min", softMax: 60, alerts: ["AvaxPublicChainStalled", "AvaxEvmChainStalled"] },
    ),
    lines(
      "Gas price",
      "Price of gas in the next block, as the node reports it, in gwei of the chain's coin.",
      of(head.baseFee),
      { unit: GWEI },
    ),
    lines("Block gas limit", "Gas limit of the last block.", of(head.gasLimit)),
  ],
};
