import { EvmHead } from "../../api/node/evm-head.ts";
import { toGwei } from "../../api/node/evm-wire.ts";
import { setTime } from "../../api/wire.ts";
import { evmHeadAlerts } from "./evm-head-alerts.ts";
import { latestPast, past } from "../past.ts";
import { chainLabel, chainRows } from "../labels.ts";
import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";

export const evmHead = topic(
  {
    id: "evm-head",
    about: "When was the last block of each EVM chain made, what does gas cost, and how many transactions wait?",
    scope: "node",
    needs: { heads: EvmHead },
  },
  {
    time: gauges(
      "avax_chain_head_timestamp_seconds",
      "When the last accepted block was made, by its own timestamp (eth_getBlockByNumber latest, `timestampMilliseconds`, else `timestamp`).",
      ["chain"],
      ({ heads }, context) =>
        chainRows(heads, context, ({ head }) =>
          past(setTime(head.time), latestPast(context.times["heads"] ?? context.time)),
        ),
    ),
    gasLimit: gauges(
      "avax_evm_gas_limit",
      "Gas limit of the last block (eth_getBlockByNumber latest, `gasLimit`).",
      ["chain"],
      ({ heads }, context) => chainRows(heads, context, ({ head }) => head.gasLimit),
    ),
    baseFee: gauges(
      "avax_evm_base_fee_gwei",
      "Base fee of the next block, in gwei: nAVAX, or a billionth of the chain's own coin (eth_baseFee, `result`).",
      ["chain"],
      ({ heads }, context) =>
        chainRows(heads, context, ({ baseFee }) => (baseFee === undefined ? undefined : toGwei(baseFee))),
    ),
    priorityFee: gauges(
      "avax_evm_priority_fee_gwei",
      "Suggested tip for a transaction, in gwei (eth_maxPriorityFeePerGas, `result`).",
      ["chain"],
      ({ heads }, context) =>
        chainRows(heads, context, ({ priorityFee }) => (priorityFee === undefined ? undefined : toGwei(priorityFee))),
    ),
    txpool: gauges(
      "avax_evm_txpool_transactions",
      "Transactions in this node's pool that wait for a block (`pending`) or for another transaction (`queued`); absent where the node does not serve it (txpool_status, `pending`, `queued`).",
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
      "Current number of calls in one request: less than configured where the server limits batches, 1 where it rejects them (the exporter's own record).",
      ["chain"],
      ({ heads }, context) => chainRows(heads, context, ({ batchLimit }) => batchLimit),
    ),
  },
  ({ time }) => evmHeadAlerts(time),
);
