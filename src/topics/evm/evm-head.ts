import { EvmHead } from "../../api/node/evm-head.ts";
import { toGwei } from "../../api/node/evm-wire.ts";
import { setTime } from "../../api/wire.ts";
import { chainLabel, perChain } from "../labels.ts";
import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { threshold } from "../define/threshold.ts";
import { Health } from "../../api/node/health.ts";
import { chainIds, idsOf } from "../checked-chains.ts";
import { labelledChains } from "../node/health-messages.ts";
import { NODE_OUT } from "../define/causes.ts";

const ofHead = perChain("heads", EvmHead);

export const evmHead = topic(
  {
    id: "evm-head",
    about: "When was the last block of each EVM chain made, what does gas cost, and how many transactions wait?",
    scope: "node",
    needs: { heads: EvmHead },
  },
  {
    time: ofHead.gauge(
      "avax_chain_head_timestamp_seconds",
      "When the last accepted block was made, by its own timestamp (eth_getBlockByNumber latest, `timestampMilliseconds`, else `timestamp`).",
      ({ head }) => setTime(head.time),
    ),
    gasLimit: ofHead.gauge(
      "avax_evm_gas_limit",
      "Gas limit of the last block (eth_getBlockByNumber latest, `gasLimit`).",
      ({ head }) => head.gasLimit,
    ),
    baseFee: ofHead.gauge(
      "avax_evm_base_fee_gwei",
      "Base fee of the next block, in gwei: nAVAX, or a billionth of the chain's own coin (eth_baseFee, `result`).",
      ({ baseFee }) => (baseFee === undefined ? undefined : toGwei(baseFee)),
    ),
    priorityFee: ofHead.gauge(
      "avax_evm_priority_fee_gwei",
      "Suggested tip for a transaction, in gwei (eth_maxPriorityFeePerGas, `result`).",
      ({ priorityFee }) => (priorityFee === undefined ? undefined : toGwei(priorityFee)),
    ),
    txpool: ofHead.gauges(
      "avax_evm_txpool_transactions",
      "Transactions in this node's pool that wait for a block (`pending`) or for another transaction (`queued`); absent where the node does not serve it (txpool_status, `pending`, `queued`).",
      ["state"],
      ({ txpool }) => (["pending", "queued"] as const).map((state) => [{ state }, txpool?.[state]]),
    ),
    batchLimit: ofHead.gauge(
      "avax_evm_batch_calls",
      "Current number of calls in one request: less than configured where the server limits batches, 1 where it rejects them (the exporter's own record).",
      ({ batchLimit }) => batchLimit,
    ),
  },
);

const behind = threshold(
  "execution-backlog",
  "number",
  "when a chain has accepted more than this number of blocks that it has not executed",
  { standard: 30, least: 5, most: 100_000 },
);

/** Since Helicon the C-Chain accepts a block first and executes it later: `latest` is the last executed one. */
export const evmBacklog = topic(
  {
    id: "evm-backlog",
    about: "How many blocks has each EVM chain accepted and not executed yet?",
    scope: "node",
    needs: { report: Health, ids: chainIds, heads: EvmHead },
  },
  {
    blocks: gauges(
      "avax_chain_execution_backlog_blocks",
      "Blocks that an EVM chain has accepted and not executed yet, at least 0: the accepted height is up to 30 s older than the executed one, so a few blocks are not seen; 0 where blocks are executed before they are accepted, as before Helicon (health API, chain check: `lastAcceptedHeight`, minus eth_blockNumber, `result`).",
      ["chain"],
      ({ report, ids, heads }, context) => {
        const accepted = new Map(labelledChains(context, report, idsOf(ids)));
        return [...heads].map(([id, { height }]) => {
          const chain = chainLabel(context, id);
          const known = accepted.get(chain)?.height;
          return [{ chain }, known === undefined ? undefined : Math.max(0, known - height)];
        });
      },
    ),
  },
  ({ blocks }) => ({
    AvaxChainExecutionBacklog: {
      severity: "warning",
      when: { of: blocks, above: behind },
      labels: ["node", "network", "chain"],
      for: "5m",
      explainedBy: NODE_OUT,
      summary: "{{ $labels.node }} has {{ $value }} accepted blocks of {{ $labels.chain }} to execute",
      over: "{{ $labels.node }} executes the blocks of {{ $labels.chain }} in time again",
      description: "It accepts blocks faster than it executes them. Its API serves the state before these blocks.",
      meaning:
        "Since Helicon a node votes on blocks of the C-Chain before it executes them. This one does not keep up: balances and contracts in its answers are old, though it follows the chain.",
      confirm: "`avax_chain_execution_backlog_blocks` of the other nodes is near 0.",
      commands: {
        "call <node> eth_blockNumber --chain=<chain>":
          "The executed height, below `lastAcceptedHeight` in the check of the chain in `/ext/health`.",
      },
      action: "Check the machine's CPU and disk, and heavy API requests. Send users to another node until it is 0.",
      falseWhen: "The node has just finished its start and executes what it accepted meanwhile.",
    },
  }),
);
