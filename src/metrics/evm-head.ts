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
      expr: `time() - ${newest(where(time, { chain: "C" }), "=~mainnet|fuji")} > ${C_STALLED}`,
      for: "2m",
      summary:
        "No polled node of {{ $labels.network }} has a C-Chain block of the last {{ $value | humanizeDuration }}",
      description:
        "The youngest C-Chain block that any polled node of {{ $labels.network }} has is {{ $value | humanizeDuration }} old. Public networks make one every few seconds.",
      runbook: {
        meaning:
          "The network has stopped, or none of the polled nodes gets or accepts its blocks. One node that stands still while another moves is told by AvaxNodeStandsStill.",
        confirm:
          '`time() - avax_chain_head_timestamp_seconds{chain="C"}` of the nodes, and a public explorer: it tells whether the network makes blocks.',
        action:
          "The explorer moves: the nodes' peers, their disks, their version against the last upgrade, then a log. It does not: follow the announcements of the network's developers and do not restart everything at once.",
        falseWhen: "The clock of the exporter's machine is minutes ahead.",
      },
      fires: {
        series: {
          'avax_chain_head_timestamp_seconds{node="a",chain="C"}': "0x20",
          'avax_chain_head_timestamp_seconds{node="b",chain="C"}': "60x20",
          'avax_node_info{node="a",network="mainnet",version="1"}': "1x20",
          'avax_node_info{node="b",network="mainnet",version="2"}': "1x20",
        },
        at: "10m",
        labels: { network: "mainnet", chain: "C" },
      },
      silent: {
        series: {
          'avax_chain_head_timestamp_seconds{node="a",chain="C"}': "0x20",
          'avax_chain_head_timestamp_seconds{node="b",chain="C"}': "0+60x20",
          'avax_chain_head_timestamp_seconds{node="c",chain="C"}': "0x20",
          'avax_node_info{node="a",network="mainnet"}': "1x20",
          'avax_node_info{node="b",network="mainnet"}': "1x20",
          'avax_node_info{node="c",network="local"}': "1x20",
        },
        at: "10m",
        why: "another node of the network has new blocks, and a private network may be quiet",
      },
    },
    {
      name: "AvaxEvmChainStalled",
      severity: "warning",
      expr: `time() - ${newest(time.name)} > ${STALLED} and ${newest(`changes(${time.name}[6h])`)} > ${BUSY}`,
      for: "2m",
      summary: "{{ $labels.chain }} of {{ $labels.network }} has stopped: no block for {{ $value | humanizeDuration }}",
      description:
        "{{ $labels.chain }} of {{ $labels.network }} made many blocks in the last hours, and no polled node has had one for {{ $value | humanizeDuration }}.",
      runbook: {
        meaning:
          "A chain that is in use makes no blocks any more, as all polled nodes see it: too little weight of its validators is connected, or its users went away. One node that stands still while another moves is told by AvaxNodeStandsStill.",
        confirm:
          "`avax_chain_connected_stake_ratio` and `avax_subnet_connected_weight_ratio` of the chain's validators, waiting transactions in `avax_evm_txpool_transactions`.",
        action:
          "Transactions wait and nothing moves: bring back the validators that are not connected. Only one node is polled: its log, its version, its peers first.",
        falseWhen: "The chain's users stopped for the day: no transaction is waiting anywhere.",
      },
      fires: {
        series: {
          'avax_chain_head_timestamp_seconds{node="a",chain="l1"}': "0+60x70 4200x20",
          'avax_node_info{node="a",network="fuji"}': "1x90",
        },
        at: "85m",
        labels: { network: "fuji", chain: "l1" },
      },
      silent: {
        series: {
          'avax_chain_head_timestamp_seconds{node="a",chain="l1"}': "0x30 1800x60",
          'avax_chain_head_timestamp_seconds{node="b",chain="l2"}': "0+60x70 4200x20",
          'avax_chain_head_timestamp_seconds{node="c",chain="l2"}': "0+60x90",
          'avax_node_info{node="a",network="fuji"}': "1x90",
          'avax_node_info{node="b",network="fuji"}': "1x90",
          'avax_node_info{node="c",network="fuji"}': "1x90",
        },
        at: "85m",
        why: "one chain has always been quiet, the other stands still on one node alone",
      },
    },
  ],
);

/** The most that any node of a network has of something by chain: what is true of the network and not of one node. */
function newest(series: string, networks = "=~.+"): string {
  const nodes = `max by (instance, job, node, network) (${where(identity.metrics.node, { network: networks })})`;
  return `max by (instance, job, network, chain) (${series} * on (instance, job, node) group_left (network) ${nodes})`;
}

function rows(heads: Heads, context: Context, read: (head: Head) => Value) {
  return [...heads].map(([id, head]) => [{ chain: chainLabel(context, id) }, read(head)] as const);
}
