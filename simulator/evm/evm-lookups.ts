import type { View } from "../world/wire.ts";
import {
  absent,
  fail,
  hashFault,
  invalid,
  missing,
  namedHeight,
  ok,
  QUANTITY,
  stateHeight,
  type EvmMethod,
  type EvmResult,
  type Refusal,
} from "./evm-arguments.ts";
import { blockJson } from "./evm-blocks.ts";
import { headOf, heightOfHash, hex, isNewEngine, type EvmChain } from "./evm-chain.ts";
import { placeOf, receiptJson, transactionCount, transactionJson } from "./evm-transactions.ts";

/** Methods of the simulated EVM about blocks, transactions, receipts and logs. What is not there is null. */

const getBlockByNumber: EvmMethod = (view, chain, params) => {
  const fault = absent(params, 2);
  const height = fault ?? namedHeight(view, chain, 0, params[0]);
  if (typeof height !== "number") return height;
  if (height <= headOf(view, chain)) return ok(blockJson(view, chain, height, params[1] === true));
  return isNewEngine(view, chain) ? ok(null) : fail("cannot query unfinalized data");
};

const getBlockByHash: EvmMethod = (view, chain, params) => {
  const fault = absent(params, 2) ?? hashFault(0, params[0]);
  if (fault !== undefined) return fault;
  const height = heightOfHash(view, chain, String(params[0]));
  return ok(height === undefined ? null : blockJson(view, chain, height, params[1] === true));
};

type Find = (view: View, chain: EvmChain, block: unknown) => number | Refusal | undefined;

/** The height of an accepted block by tag or quantity, `undefined` beyond the head. */
const byNumber: Find = (view, chain, block) => {
  const height = namedHeight(view, chain, 0, block);
  return typeof height === "number" && height > headOf(view, chain) ? undefined : height;
};

const byHash: Find = (view, chain, block) => hashFault(0, block) ?? heightOfHash(view, chain, String(block));

/** A method whose first argument is a block: null without the block. */
const ofBlock =
  (find: Find, required: number, read: (view: View, chain: EvmChain, height: number, second: unknown) => EvmResult) =>
  (...[view, chain, params]: Parameters<EvmMethod>): EvmResult => {
    const height = absent(params, required) ?? find(view, chain, params[0]);
    if (height === undefined) return ok(null);
    return typeof height === "number" ? read(view, chain, height, params[1]) : height;
  };

const count = (view: View, chain: EvmChain, height: number): EvmResult =>
  ok(hex(transactionCount(view, chain, height)));

const transactionAt = (view: View, chain: EvmChain, height: number, position: unknown): EvmResult => {
  if (typeof position !== "string" || !QUANTITY.test(position)) return invalid(1, "hex string without 0x prefix");
  const at = Number(position);
  return ok(at < transactionCount(view, chain, height) ? transactionJson(view, chain, { height, position: at }) : null);
};

const byHashOf =
  (make: typeof transactionJson): EvmMethod =>
  (view, chain, params) => {
    const fault = absent(params, 1) ?? hashFault(0, params[0]);
    if (fault !== undefined) return fault;
    const place = placeOf(view, chain, String(params[0]));
    return ok(place === undefined ? null : make(view, chain, place));
  };

const getBlockReceipts: EvmMethod = (view, chain, params) => {
  const height = absent(params, 1) ?? stateHeight(view, chain, 0, params[0]);
  // A block that is not there is no error here, unlike in the methods that read its state.
  if (typeof height !== "number") return height.code === -32602 ? height : ok(null);
  const length = transactionCount(view, chain, height);
  return ok(Array.from({ length }, (_, position) => receiptJson(view, chain, { height, position })));
};

/** Transfers write no logs: the list is empty for every valid filter. */
const getLogs: EvmMethod = (view, chain, [filter]) => {
  if (filter === undefined || filter === null) return missing(0);
  if (typeof filter !== "object")
    return invalid(0, "json: cannot unmarshal non-object into Go value of type filters.input");
  const { blockHash: one, fromBlock, toBlock } = filter as Readonly<Record<string, unknown>>;
  if (one !== undefined && (fromBlock !== undefined || toBlock !== undefined)) {
    return invalid(0, "cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other");
  }
  if (one !== undefined) {
    const height = byHash(view, chain, one);
    return height === undefined ? fail("unknown block") : typeof height === "number" ? ok([]) : height;
  }
  const from = namedHeight(view, chain, 0, fromBlock ?? "latest");
  const to = namedHeight(view, chain, 0, toBlock ?? "latest");
  if (typeof from !== "number") return from;
  if (typeof to !== "number") return to;
  return from > to && to > 0 ? fail("invalid block range params") : ok([]);
};

export const LOOKUPS: Readonly<Record<string, EvmMethod>> = {
  eth_getBlockByNumber: getBlockByNumber,
  eth_getBlockByHash: getBlockByHash,
  eth_getBlockTransactionCountByNumber: ofBlock(byNumber, 1, count),
  eth_getBlockTransactionCountByHash: ofBlock(byHash, 1, count),
  eth_getTransactionByBlockNumberAndIndex: ofBlock(byNumber, 2, transactionAt),
  eth_getTransactionByBlockHashAndIndex: ofBlock(byHash, 2, transactionAt),
  eth_getTransactionByHash: byHashOf(transactionJson),
  eth_getTransactionReceipt: byHashOf(receiptJson),
  eth_getBlockReceipts: getBlockReceipts,
  eth_getLogs: getLogs,
};
