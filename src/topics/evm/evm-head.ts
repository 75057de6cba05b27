import { EvmHead } from "../../api/node/evm-head.ts";
import { toGwei } from "../../api/node/evm-wire.ts";
import { setTime } from "../../api/wire.ts";
import { perChain } from "../labels.ts";
import { topic } from "../define/topic.ts";

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
      "When the last accepted block, of the C-Chain since Helicon the last executed one, was made, by its own timestamp (eth_getBlockByNumber latest, `timestampMilliseconds`, else `timestamp`).",
      ({ head }) => setTime(head.time),
    ),
    gasLimit: ofHead.gauge(
      "avax_evm_gas_limit",
      "Gas limit of the last block (eth_getBlockByNumber latest, `gasLimit`).",
      ({ head }) => head.gasLimit,
    ),
    baseFee: ofHead.gauge(
      "avax_evm_base_fee_gwei",
      "Base fee of the next block, in gwei: nAVAX, or a billionth of the chain's own coin; of the C-Chain since Helicon an upper bound (eth_baseFee, `result`).",
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
