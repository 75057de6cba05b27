import { blockSeconds, historyOf } from "../world/heights.ts";
import { heliconTimeAt } from "../world/network.ts";
import { since, type View } from "../world/wire.ts";
import { chance } from "../encoding/ids.ts";
import {
  baseFeeOf,
  blockHash,
  hash,
  hex,
  UNSETTLED,
  worstCaseFee,
  ZERO_HASH,
  type SimulatedEvmChain,
} from "./evm-chain.ts";

/** Blocks of the simulated EVM chains. */

export const EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
const EMPTY_UNCLES = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

const GAS_LIMIT: Readonly<Record<SimulatedEvmChain, number>> = { C: 30_000_000, perm1: 20_000_000, l1one: 15_000_000 };

/** Gas of a plain transfer: blocks have no other transactions. Each has twice as much as its limit. */
export const TRANSFER_GAS = 21_000;
/** Wei per unit of gas that every transaction pays to the proposer. */
export const TIP = 1_000_000_000n;
const NO_LOGS = `0x${"0".repeat(512)}`;
const MAX_TRANSACTIONS: Readonly<Record<SimulatedEvmChain, number>> = { C: 6, perm1: 2, l1one: 3 };

/** Hashes of the transactions in a block. The first block has none. */
function transactionHashes(seed: number, chain: SimulatedEvmChain, height: number): readonly string[] {
  const most = height === 0 ? 0 : MAX_TRANSACTIONS[chain] + 1;
  const length = Math.floor(chance(seed, "evm transactions", chain, height % 256) * most);
  return Array.from({ length }, (_, position) => hash(seed, "evm transaction", chain, height, position));
}

const hashOn = ({ network, index, at }: View, chain: SimulatedEvmChain, height: number): string =>
  blockHash(network.world.settings.seed, historyOf(network, index, chain, height, at), height);

/** A block as a node sends it, with the keys of its release and upgrades, in its order. */
export function blockJson(view: View, chain: SimulatedEvmChain, height: number): Readonly<Record<string, unknown>> {
  const { network, index, at } = view;
  const { seed } = network.world.settings;
  const transactions = transactionHashes(seed, chain, height);
  const seconds = blockSeconds(network, chain, height);
  const granite = view.dialect === "spec" || since(view, "1.14.0");
  // Blocks from before the upgrade keep their header; later ones have the limits of gas and price, as they are not executed yet.
  const helicon = chain === "C" && view.dialect === "avalanchego" && seconds >= heliconTimeAt(network, index, at);
  const baseFee = baseFeeOf(chain, height);
  return {
    baseFeePerGas: hex(helicon ? worstCaseFee(baseFee) : baseFee),
    blobGasUsed: "0x0",
    ...(chain === "C" ? { blockExtraData: "0x" } : {}),
    blockGasCost: "0x0",
    difficulty: height === 0 ? "0x0" : "0x1",
    excessBlobGas: "0x0",
    ...(chain === "C" ? { extDataGasUsed: "0x0", extDataHash: EMPTY_ROOT } : {}),
    extraData: "0x000000000000",
    gasLimit: hex(GAS_LIMIT[chain]),
    gasUsed: hex(transactions.length * TRANSFER_GAS * (helicon ? 2 : 1)),
    hash: hashOn(view, chain, height),
    logsBloom: NO_LOGS,
    ...(granite ? { minDelayExcess: "0x799d4c" } : {}),
    ...(helicon ? { minPriceExponent: "0x0" } : {}),
    miner: "0x0100000000000000000000000000000000000000",
    mixHash: ZERO_HASH,
    nonce: "0x0000000000000000",
    number: hex(height),
    parentBeaconBlockRoot: ZERO_HASH,
    parentHash: hashOn(view, chain, height - 1),
    receiptsRoot: transactions.length === 0 ? EMPTY_ROOT : hash(seed, "receipts", chain, height),
    ...(helicon ? settled(height, seconds) : {}),
    sha3Uncles: EMPTY_UNCLES,
    size: hex(600 + 120 * transactions.length),
    stateRoot: hash(seed, "state", chain, height),
    ...(helicon ? { targetExponent: "0x0" } : {}),
    timestamp: hex(seconds),
    ...(granite ? { timestampMilliseconds: hex(seconds * 1000 + 250) } : {}),
    totalDifficulty: hex(helicon ? 0 : height),
    transactions,
    transactionsRoot: transactions.length === 0 ? EMPTY_ROOT : hash(seed, "transactions", chain, height),
    uncles: [],
  };
}

/** Fields of Helicon's asynchronous execution: the block whose results this one settles. */
function settled(height: number, seconds: number): Readonly<Record<string, string>> {
  return {
    settledExcess: "0x2904",
    settledGasNumerator: "0xe6398",
    settledGasUnix: hex(seconds - 5),
    settledHeight: hex(Math.max(0, height - UNSETTLED)),
  };
}

/** The receipts of a block: what its transactions used and paid. */
export function receiptsOf(
  view: View,
  chain: SimulatedEvmChain,
  height: number,
): ReadonlyArray<Readonly<Record<string, unknown>>> {
  const { seed } = view.network.world.settings;
  return transactionHashes(seed, chain, height).map((transactionHash, position) => ({
    blockHash: hashOn(view, chain, height),
    blockNumber: hex(height),
    contractAddress: null,
    cumulativeGasUsed: hex((position + 1) * TRANSFER_GAS),
    effectiveGasPrice: hex(baseFeeOf(chain, height) + TIP),
    from: `0x${transactionHash.slice(2, 42)}`,
    gasUsed: hex(TRANSFER_GAS),
    logs: [],
    logsBloom: NO_LOGS,
    status: "0x1",
    to: `0x${transactionHash.slice(-40)}`,
    transactionHash,
    transactionIndex: hex(position),
    type: "0x2",
  }));
}
