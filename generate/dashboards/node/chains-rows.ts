import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { chainHeight, chains } from "../../../src/topics/chains/chains.ts";
import { lag, LAGGING_FOR } from "../../../src/topics/chains/lag.ts";
import { nodeNetwork } from "../../../src/topics/node/node-network.ts";
import { subnetHealth } from "../../../src/topics/node/health.ts";
import { type Mappings, redAbove, PLAIN_SECONDS, YES_NO, GWEI } from "../parts/format.ts";
import {
  BY_SUBNET,
  withSubnetNames,
  NODE_CHAIN,
  standingStill,
  ofNode,
  ofNodeChain,
  ofView,
} from "../parts/selectors.ts";
import { type Row, lines, timeline } from "../parts/panels.ts";
import { evmConfigChanges } from "../../../src/topics/evm/evm-config.ts";
import { evmHead } from "../../../src/topics/evm/evm-head.ts";
import { evmIdentity, evmProof } from "../../../src/topics/evm/evm-identity.ts";
import { evmSocket } from "../../../src/topics/exporter/evm-socket.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { chainStatus } from "../../../src/topics/network/subnet-chains.ts";
import { platformClock } from "../../../src/topics/network/supply.ts";
import { column, table } from "../parts/table.ts";

const SERIES = "{{node}} {{chain}}";

const SUBNET_STATE: Mappings = {
  0: ["not tracked", "blue"],
  1: ["bootstrapping", "orange"],
  2: ["unhealthy", "red"],
  3: ["healthy", "green"],
};
const subnet = (expr: string) => `max by (${BY_SUBNET}, node) (${expr})`;
const subnetState = [
  `1 * (${ofView(nodeNetwork.metrics.subnetBootstrapping)} == 1)`,
  `2 + ${ofView(subnetHealth.metrics.healthy)}`,
  `0 * (${ofView(subnetHealth.metrics.known)} == 0)`,
]
  .map(subnet)
  .join(" or ");

export const chainsRow: Row = {
  title: "Chains",
  collapsed: true,
  legend: SERIES,
  panels: [
    timeline(
      "Subnet state",
      "When was a subnet bootstrapping or unhealthy on the node? Each configured subnet on the node: not tracked, bootstrapping, unhealthy or healthy. A gap: unknown, because the node did not answer.",
      [withSubnetNames(subnetState), "{{node}} {{name}}"],
      { mappings: SUBNET_STATE, alerts: ["AvaxChainNotBootstrapped", "AvaxSubnetCheckFailing"] },
    ),
    lines(
      "Time behind",
      "How long has the node been behind on each chain? Time since another node was first seen above the node's present height. Empty while it keeps up, and without a second node to compare with.",
      `time() - ${ofNodeChain(lag.metrics.behindSince)}`,
      {
        unit: Seconds,
        in: "min",
        noValue: "keeps up, or no other node",
        softMax: 2 * LAGGING_FOR,
        thresholds: redAbove(LAGGING_FOR),
        alerts: ["AvaxNodeLagging"],
      },
    ),
    lines(
      "Stalled for",
      "On which chain does the node stand still? Time since the height last changed on a node that is behind another. A chain that is quiet on all nodes shows 0.",
      standingStill(NODE_CHAIN),
      { unit: Seconds, in: "min", softMax: 60, alerts: ["AvaxNodeLagging"] },
    ),
    lines(
      "Blocks per minute",
      "How fast does each chain grow on the node?",
      `60 * clamp_min(deriv(${ofNodeChain(chainHeight.metrics.height)}[5m]), 0)`,
      { alerts: ["AvaxNodeLagging"] },
    ),
    lines(
      "Connected stake",
      "Is the node connected to enough stake? Share of each chain's stake that the node is connected to. The chain's check fails below the share that consensus needs.",
      ofNodeChain(chains.metrics.connected),
      { unit: PercentUnit, zoomed: true, alerts: ["AvaxNodeUnhealthy"] },
    ),
    lines(
      "Disconnected validators",
      "How many validators does the node miss? Validators of each chain without a connection to the node.",
      ofNodeChain(chains.metrics.disconnected),
      { decimals: 0 },
    ),
    lines(
      "Undecided blocks",
      "Does consensus keep up with new blocks? Blocks issued on the node and not yet decided.",
      ofNodeChain(chains.metrics.processing),
      { softMax: 5 },
    ),
    lines(
      "Oldest undecided block",
      "How long does consensus take at worst? Processing time of the oldest undecided block.",
      ofNodeChain(chains.metrics.longestProcessing),
      { unit: PLAIN_SECONDS, softMax: 10 },
    ),
    lines(
      "Block acceptance time",
      "How long does consensus take on average? Average time from issuing a block to accepting it. Not every release reports it.",
      ofNodeChain(chains.metrics.acceptanceTime),
      { unit: PLAIN_SECONDS, softMax: 1, noValue: "not reported by this release" },
    ),
  ],
};

const { metrics: head } = evmHead;
/** Restricts facts about all chains to EVM chains that the node serves. */
const OF_EVM = `and on (node, chain) ${ofNodeChain(evmIdentity.metrics.chain)}`;

export const evmRow: Row = {
  title: "EVM chains",
  collapsed: true,
  legend: SERIES,
  panels: [
    table(
      "EVM chains by node",
      "Does the node serve the right EVM chains, as configured? Each EVM chain that the node serves: whether its chain ID matches, whether the node validates it, and its software, height, peers, WebSocket and changed settings.",
      {
        width: 24,
        alerts: ["AvaxEvmWrongChain", "AvaxEvmConfigChanged", "AvaxEvmWebSocketDown", "AvaxChainNotRun"],
        labels: { node: { title: "Node", width: 100 }, chain: { title: "Chain", width: 80 } },
        more: {
          expr: ofNodeChain(evmIdentity.metrics.chain),
          labels: { evm_chain_id: { title: "Chain ID", width: 90 }, client_version: { title: "Software", width: 170 } },
        },
        columns: [
          column("ID matches", ofNodeChain(evmIdentity.metrics.matches), { mappings: YES_NO, width: 120 }),
          column(
            "Validating",
            `${where(chainStatus.metrics.status, { ...NODE_CHAIN, state: "Validating" })} ${OF_EVM}`,
            { mappings: { 0: ["no", "text"], 1: ["yes", "green"] }, width: 120 },
          ),
          column("Height", `${ofNodeChain(chainHeight.metrics.height)} ${OF_EVM}`, { unit: "locale", width: 140 }),
          column("EVM peers", ofNodeChain(evmIdentity.metrics.peers), { width: 120 }),
          column("WebSocket", ofNodeChain(evmSocket.metrics.up), {
            mappings: { 0: ["down", "red"], 1: ["up", "green"] },
            width: 120,
          }),
          column("Proof window", ofNodeChain(evmProof.metrics.window), { width: 140 }),
          column("Settings changed", `ceil(increase(${ofNodeChain(evmConfigChanges.metrics.changes)}[$__range]))`, {
            thresholds: redAbove(1),
          }),
        ],
      },
    ),
    lines(
      "Head age",
      "How old is the newest block that the node has? Time since the last block of each chain, by its own timestamp. A quiet chain makes no blocks.",
      [
        [`time() - ${ofNodeChain(head.time)}`, SERIES],
        [`time() - ${ofNode(platformClock.metrics.clock)}`, "{{node}} P-Chain clock"],
      ],
      {
        unit: Seconds,
        in: "min",
        signed: true,
        softMax: 60,
        alerts: ["AvaxPublicChainStalled", "AvaxEvmChainStalled"],
      },
    ),
    lines(
      "Gas price",
      "What does gas cost, as the node reports it? Price in the next block, in gwei of the chain's coin.",
      ofNodeChain(head.baseFee),
      { unit: GWEI },
    ),
    lines(
      "Block gas limit",
      "How much gas fits into a block? Gas limit of the last block.",
      ofNodeChain(head.gasLimit),
    ),
  ],
};
