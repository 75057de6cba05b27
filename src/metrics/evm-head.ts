import { EvmHead, type Head } from "../api/evm-head.ts";
import { toGwei } from "../api/evm-wire.ts";
import { identity } from "./identity.ts";
import { chainLabel } from "./labels.ts";
import { gauges, topic, type Context, type Value } from "./metric.ts";
import { where } from "./promql.ts";

type Heads = ReadonlyMap<string, Head>;

/** The C-Chain of a public network makes a block every few seconds. Seconds. */
const C_STALLED = 300;
/** A chain that made this many blocks in six hours and none for ten minutes has stopped; a quiet one never gets there. */
const BUSY = 60;
const STALLED = 600;

export const evmHead = topic(
  {
    id: "evm-head",
    about: "How far is each EVM chain on this node, what does gas cost, and what is waiting?",
    scope: "node",
    needs: { heads: EvmHead },
  },
  {
    height: gauges(
      "avax_evm_head_height",
      "Height of the last accepted block at the moment of the answer (eth_blockNumber; eth_getBlockByNumber latest, `number`).",
      ["chain"],
      ({ heads }, context) => rows(heads, context, ({ height }) => height),
    ),
    time: gauges(
      "avax_chain_head_timestamp_seconds",
      "When the last accepted block was made, by its own clock (eth_getBlockByNumber latest, `timestampMilliseconds`, else `timestamp`).",
      ["chain"],
      ({ heads }, context) => rows(heads, context, ({ head }) => head.time),
    ),
    gasLimit: gauges(
      "avax_evm_gas_limit",
      "Gas that the last block could have held (eth_getBlockByNumber latest, `gasLimit`).",
      ["chain"],
      ({ heads }, context) => rows(heads, context, ({ head }) => head.gasLimit),
    ),
    baseFee: gauges(
      "avax_evm_base_fee_gwei",
      "Price of gas in the next block, in gwei (nAVAX, or a billionth of the chain's own coin): a price in whole coins would be all zeros (eth_baseFee, `result`).",
      ["chain"],
      ({ heads }, context) =>
        rows(heads, context, ({ baseFee }) => (baseFee === undefined ? undefined : toGwei(baseFee))),
    ),
    priorityFee: gauges(
      "avax_evm_priority_fee_gwei",
      "Tip that gets a transaction into a block, in gwei (eth_maxPriorityFeePerGas, `result`).",
      ["chain"],
      ({ heads }, context) =>
        rows(heads, context, ({ priorityFee }) => (priorityFee === undefined ? undefined : toGwei(priorityFee))),
    ),
    syncing: gauges(
      "avax_evm_syncing",
      "1 while the EVM says that it is still fetching its chain; AvalancheGo always says no (eth_syncing, `result`).",
      ["chain"],
      ({ heads }, context) => rows(heads, context, ({ syncing }) => syncing),
    ),
    txpool: gauges(
      "avax_evm_txpool_transactions",
      "Transactions that wait in this node's pool, ready for a block (`pending`) or for another transaction (`queued`); only where the node serves it (txpool_status, `pending`, `queued`).",
      ["chain", "state"],
      ({ heads }, context) =>
        [...heads].flatMap(([id, { txpool }]) =>
          txpool === undefined
            ? []
            : (["pending", "queued"] as const).map(
                (state) => [{ chain: chainLabel(context, id), state }, txpool[state]] as const,
              ),
        ),
    ),
    batchLimit: gauges(
      "avax_evm_batch_calls",
      "Calls that are put into one request at present: less than configured where the server limits batches, 1 where it refuses them (the exporter's own record).",
      ["chain"],
      ({ heads }, context) => rows(heads, context, ({ batchLimit }) => batchLimit),
    ),
  },
  ({ time }) => [
    {
      name: "AvaxPublicChainStalled",
      severity: "critical",
      expr: `(time() - ${where(time, { chain: "C" })} > ${C_STALLED}) and on (instance, job, node) ${where(identity.metrics.node, { network: "=~mainnet|fuji" })}`,
      for: "2m",
      summary: "{{ $labels.node }} has no new C-Chain block for {{ $value | humanizeDuration }}",
      description:
        "The last C-Chain block of {{ $labels.node }} is {{ $value | humanizeDuration }} old. Public networks make one every few seconds.",
      runbook: {
        meaning: "This node does not get or does not accept new C-Chain blocks, or the network has stopped.",
        confirm:
          '`time() - avax_chain_head_timestamp_seconds{chain="C"}` of the other nodes, and a public explorer: one node or all.',
        action:
          "One node: its peers, its disk, its version against the last upgrade, then its log. All nodes: the network itself; follow the announcements of its developers and do not restart everything at once.",
        falseWhen: "The clock of the exporter's machine is minutes ahead.",
      },
      fires: {
        series: {
          'avax_chain_head_timestamp_seconds{node="a",chain="C"}': "0x20",
          'avax_node_info{node="a",network="mainnet"}': "1x20",
        },
        at: "10m",
        labels: { node: "a", chain: "C" },
      },
      silent: {
        series: {
          'avax_chain_head_timestamp_seconds{node="a",chain="C"}': "0x20",
          'avax_node_info{node="a",network="local"}': "1x20",
        },
        at: "10m",
        why: "a private network may be quiet",
      },
    },
    {
      name: "AvaxEvmChainStalled",
      severity: "warning",
      expr: `(time() - ${time} > ${STALLED}) and changes(${time}[6h]) > ${BUSY}`,
      for: "2m",
      summary: "{{ $labels.chain }} has stopped on {{ $labels.node }}: no block for {{ $value | humanizeDuration }}",
      description:
        "{{ $labels.chain }} made many blocks in the last hours, and on {{ $labels.node }} none for {{ $value | humanizeDuration }}.",
      runbook: {
        meaning:
          "A chain that is in use makes no blocks any more, as this node sees it: too little weight of its validators is connected, the node is stuck, or its users went away.",
        confirm:
          "`avax_chain_lag_blocks` (is it this node alone?), `avax_chain_connected_stake_ratio` and `avax_subnet_connected_weight_ratio` of the chain's validators, waiting transactions in `avax_evm_txpool_transactions`.",
        action:
          "Transactions wait and nothing moves: bring back the validators that are not connected. This node alone: its log, its version, its peers.",
        falseWhen: "The chain's users stopped for the day: no transaction is waiting anywhere.",
      },
      fires: {
        series: { 'avax_chain_head_timestamp_seconds{node="a",chain="l1"}': "0+60x70 4200x20" },
        at: "85m",
        labels: { node: "a", chain: "l1" },
      },
      silent: {
        series: { 'avax_chain_head_timestamp_seconds{node="a",chain="l1"}': "0x30 1800x60" },
        at: "85m",
        why: "the chain has always been quiet",
      },
    },
  ],
);

function rows(heads: Heads, context: Context, read: (head: Head) => Value) {
  return [...heads].map(([id, head]) => [{ chain: chainLabel(context, id) }, read(head)] as const);
}
