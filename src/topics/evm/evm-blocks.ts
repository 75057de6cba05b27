import { EvmBlocks, type Followed } from "../../api/node/evm-follower.ts";
import { toCoins } from "../../api/node/evm-wire.ts";
import { counted, type Count } from "./evm-count.ts";
import { chainLabel } from "../labels.ts";
import { counters, histograms, type Context } from "../../catalogue/metric.ts";
import { reducer } from "../../catalogue/topic.ts";

const SOURCE = "(eth_getBlockByNumber,";
/** By blockchain ID. */
type State = ReadonlyMap<string, Count>;

export const evmBlocks = reducer(
  {
    id: "evm-blocks",
    about: "How many blocks, transactions, gas and fees go through each EVM chain?",
    scope: "network",
    needs: { chains: EvmBlocks },
    start: (): State => new Map(),
    next: (state: State, { chains }): State => new Map([...state, ...countsOf(state, chains)]),
  },
  {
    blocks: counters(
      "avax_evm_blocks_total",
      `Blocks since the exporter began to follow the chain; skipped ones are counted apart ${SOURCE} \`number\`).`,
      ["chain"],
      ({ chains, state }, context) => rows(chains, state, context, ({ blocks }) => blocks),
    ),
    transactions: counters(
      "avax_evm_transactions_total",
      `Transactions in the followed blocks ${SOURCE} \`transactions\`).`,
      ["chain"],
      ({ chains, state }, context) => rows(chains, state, context, ({ transactions }) => transactions),
    ),
    gas: counters(
      "avax_evm_gas_used_total",
      `Gas used by the followed blocks ${SOURCE} \`gasUsed\`).`,
      ["chain"],
      ({ chains, state }, context) => rows(chains, state, context, ({ gas }) => gas),
    ),
    fees: counters(
      "avax_evm_base_fees_avax_total",
      `Base fee times gas used of the followed blocks, in AVAX or the chain's own coin; tips are not in it, and from Helicon on headers carry the highest base fee that could apply ${SOURCE} \`baseFeePerGas\`, \`gasUsed\`).`,
      ["chain"],
      ({ chains, state }, context) => rows(chains, state, context, ({ fees }) => toCoins(fees)),
    ),
    skipped: counters(
      "avax_evm_blocks_skipped_total",
      `Blocks that were not looked at, because more had been made than one poll catches up: the other counters lack them ${SOURCE} \`number\`).`,
      ["chain"],
      ({ chains, state }, context) => rows(chains, state, context, ({ skipped }) => skipped),
    ),
    histories: counters(
      "avax_evm_history_changes_total",
      `Times that the chain's blocks did not descend from those followed before: a chain that was started anew, or another one ${SOURCE} \`hash\`, \`parentHash\`).`,
      ["chain"],
      ({ chains, state }, context) => rows(chains, state, context, ({ histories }) => histories),
    ),
    intervals: histograms(
      "avax_evm_block_interval_seconds",
      `Time between two blocks that follow one another ${SOURCE} \`timestampMilliseconds\`, else \`timestamp\`).`,
      ["chain"],
      ({ chains, state }, context) => rows(chains, state, context, ({ intervals }) => intervals),
    ),
  },
  ({ skipped, histories }) => [
    {
      name: "AvaxEvmBlocksSkipped",
      severity: "info",
      expr: `increase(${skipped}[15m]) > 0`,
      for: "0m",
      summary: 'About {{ $value | printf "%.0f" }} blocks of {{ $labels.chain }} were not counted',
      description:
        'In the last 15 minutes the exporter skipped about {{ $value | printf "%.0f" }} blocks of {{ $labels.chain }} ({{ $labels.network }}). Rates of blocks, transactions, gas and fees are too low for that time.',
      runbook: {
        meaning:
          "More blocks were made between two polls than one poll catches up: the nodes did not answer for a while, or the chain is faster than the follower.",
        confirm: "`rate(avax_evm_blocks_skipped_total[5m])`: once after an outage, or all the time.",
        commands: [
          {
            run: "call <any-node> eth_blockNumber --chain=<chain>",
            see: "How far the chain is, in hexadecimal. Two calls a minute apart tell how many blocks it makes: more than `evm.max_blocks_per_poll` in one interval cannot be followed.",
          },
        ],
        action:
          "All the time: raise `evm.max_blocks_per_poll`, or poll `evm.blocks` more often. Once: nothing, the gap stays visible.",
        falseWhen: "None is known: these blocks are in no counter.",
      },
      fires: {
        series: { 'avax_evm_blocks_skipped_total{network="n",chain="C"}': "0x10 120x10" },
        at: "12m",
        labels: { network: "n", chain: "C" },
      },
      silent: {
        series: { 'avax_evm_blocks_skipped_total{network="n",chain="C"}': "120x40" },
        at: "30m",
        why: "the gap was long ago",
      },
    },
    {
      name: "AvaxEvmHistoryChanged",
      severity: "critical",
      expr: `increase(${histories}[15m]) > 0`,
      for: "0m",
      summary: "{{ $labels.chain }} has another history than before",
      description:
        "In the last 15 minutes blocks of {{ $labels.chain }} ({{ $labels.network }}) came that do not descend from those followed before. Accepted blocks are final, so this is another chain or one that was started anew.",
      runbook: {
        meaning:
          "A block at a height that was followed before has another hash, or a new block has another parent. On this network blocks are final: the same chain never does that.",
        confirm: "`avax_evm_chain_info` for the chain ID of each node.",
        commands: [
          {
            run: `call <any-node> eth_getBlockByNumber '["0x1", false]' --chain=<chain>`,
            see: "`hash` of the same height must be the same on every node, and the same as before.",
          },
          {
            run: "call <any-node> eth_chainId --chain=<chain>",
            see: "The chain that this node serves.",
          },
        ],
        action:
          "One node only: it serves another chain, or went its own way; stop serving from it and sync it anew. All nodes: the network was started anew from its genesis.",
        falseWhen: "A development network was reset on purpose.",
      },
      fires: {
        series: { 'avax_evm_history_changes_total{network="n",chain="C"}': "0x10 1x10" },
        at: "12m",
        labels: { network: "n", chain: "C" },
      },
      silent: {
        series: { 'avax_evm_history_changes_total{network="n",chain="C"}': "1x40" },
        at: "30m",
        why: "it was reset long ago",
      },
    },
  ],
);

type Chains = ReadonlyMap<string, Followed>;

/** New counts by blockchain ID. No block is counted twice, because counted blocks are never above the tip. */
function* countsOf(state: State, chains: Chains): Generator<readonly [string, Count]> {
  for (const [id, { blocks }] of chains) {
    const count = counted(state.get(id), blocks);
    if (count !== undefined) yield [id, count];
  }
}

function rows<V>(chains: Chains, state: State, context: Context, read: (count: Count) => V) {
  return [...chains.keys()].flatMap((id) => {
    const count = state.get(id);
    return count === undefined ? [] : [[{ chain: chainLabel(context, id) }, read(count)] as const];
  });
}
