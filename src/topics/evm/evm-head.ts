import { EvmHead } from "../../api/node/evm-head.ts";
import { toGwei } from "../../api/node/evm-wire.ts";
import { evmHeadAlerts } from "./evm-head-alerts.ts";
import { chainLabel, chainRows } from "../labels.ts";
import { gauges } from "../../catalogue/metric.ts";
import { topic } from "../../catalogue/topic.ts";

export const evmHead = topic(
  {
    id: "evm-head",
    about: "When was the last block of each EVM chain made, what does gas cost, and what is waiting?",
    scope: "node",
    needs: { heads: EvmHead },
  },
  {
    time: gauges(
      "avax_chain_head_timestamp_seconds",
      "When the last accepted block was made, by its own clock (eth_getBlockByNumber latest, `timestampMilliseconds`, else `timestamp`).",
      ["chain"],
      ({ heads }, context) => chainRows(heads, context, ({ head }) => head.time),
    ),
    gasLimit: gauges(
      "avax_evm_gas_limit",
      "Gas that the last block could have held (eth_getBlockByNumber latest, `gasLimit`).",
      ["chain"],
      ({ heads }, context) => chainRows(heads, context, ({ head }) => head.gasLimit),
    ),
    baseFee: gauges(
      "avax_evm_base_fee_gwei",
      "Price of gas in the next block, in gwei (nAVAX, or a billionth of the chain's own coin): a price in whole coins would be all zeros (eth_baseFee, `result`).",
      ["chain"],
      ({ heads }, context) =>
        chainRows(heads, context, ({ baseFee }) => (baseFee === undefined ? undefined : toGwei(baseFee))),
    ),
    priorityFee: gauges(
      "avax_evm_priority_fee_gwei",
      "Tip that gets a transaction into a block, in gwei (eth_maxPriorityFeePerGas, `result`).",
      ["chain"],
      ({ heads }, context) =>
        chainRows(heads, context, ({ priorityFee }) => (priorityFee === undefined ? undefined : toGwei(priorityFee))),
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
      ({ heads }, context) => chainRows(heads, context, ({ batchLimit }) => batchLimit),
    ),
  },
  ({ time }) => evmHeadAlerts(time),
);
