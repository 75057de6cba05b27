import type { ChainName } from "../world/genesis.ts";
import { chance, digest } from "../world/ids.ts";
import { blockSeconds } from "../world/heights.ts";
import { heliconTimeAt } from "../world/network.ts";
import { since, type View } from "../world/wire.ts";

/** Blocks of the simulated EVM chains: pure functions of seed, chain and height. */

export type EvmChain = Extract<ChainName, "C" | "perm1" | "l1one">;

export const isEvmChain = (chain: ChainName): chain is EvmChain =>
  chain === "C" || chain === "perm1" || chain === "l1one";

/** A hex quantity. */
export const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

/** A hash of the parts: 32 bytes in hex. */
export const hash = (...parts: ReadonlyArray<string | number>): string => `0x${digest(...parts).toString("hex")}`;

const ZERO = `0x${"0".repeat(64)}`;
export const EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
const EMPTY_UNCLES = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

/** Gas of a plain transfer; there are no other transactions. */
export const TRANSFER_GAS = 21_000;
const GAS_LIMIT: Readonly<Record<EvmChain, number>> = { C: 30_000_000, perm1: 20_000_000, l1one: 15_000_000 };
/** Wei. */
const BASE_FEE: Readonly<Record<EvmChain, bigint>> = { C: 50_000_000n, perm1: 1_000_000_000n, l1one: 25_000_000_000n };
/** Maximum number of transactions in a block. */
const MAX_TRANSACTIONS: Readonly<Record<EvmChain, number>> = { C: 6, perm1: 2, l1one: 3 };

/** Wei per unit of gas in a block; varies by up to a fifth over some hundred blocks. */
export function baseFeeOf(chain: EvmChain, height: number): bigint {
  const base = BASE_FEE[chain];
  return base + (base * BigInt(Math.round(100 * Math.sin(height / 120)))) / 500n;
}

function transactionsOf({ network }: View, chain: EvmChain, height: number): number {
  if (height === 0) return 0;
  return Math.floor(
    chance(network.world.settings.seed, "evm transactions", chain, height) * (MAX_TRANSACTIONS[chain] + 1),
  );
}

/** A block as a node sends it, with the keys of its release and upgrades, in its order. */
export function blockJson(view: View, chain: EvmChain, height: number): Readonly<Record<string, unknown>> {
  const { network, index, at } = view;
  const { seed } = network.world.settings;
  const hashAt = (number: number): string => (number < 0 ? ZERO : hash(seed, "evm block", chain, number));
  const transactions = Array.from({ length: transactionsOf(view, chain, height) }, (_, i) =>
    hash(seed, "evm transaction", chain, height, i),
  );
  const seconds = blockSeconds(network, chain, height);
  const granite = view.dialect === "spec" || since(view, "1.14.0");
  // Blocks from before the upgrade keep their header.
  const helicon = chain === "C" && view.dialect === "avalanchego" && seconds >= heliconTimeAt(network, index, at);
  return {
    baseFeePerGas: hex(baseFeeOf(chain, height)),
    blobGasUsed: "0x0",
    ...(chain === "C" ? { blockExtraData: "0x" } : {}),
    blockGasCost: "0x0",
    difficulty: height === 0 ? "0x0" : "0x1",
    excessBlobGas: "0x0",
    ...(chain === "C" ? { extDataGasUsed: "0x0", extDataHash: EMPTY_ROOT } : {}),
    extraData: "0x000000000000",
    gasLimit: hex(GAS_LIMIT[chain]),
    gasUsed: hex(transactions.length * TRANSFER_GAS),
    hash: hashAt(height),
    logsBloom: `0x${"0".repeat(512)}`,
    ...(granite ? { minDelayExcess: "0x799d4c" } : {}),
    ...(helicon ? { minPriceExponent: "0x0" } : {}),
    miner: "0x0100000000000000000000000000000000000000",
    mixHash: ZERO,
    nonce: "0x0000000000000000",
    number: hex(height),
    parentBeaconBlockRoot: ZERO,
    parentHash: hashAt(height - 1),
    receiptsRoot: transactions.length === 0 ? EMPTY_ROOT : hash(seed, "receipts", chain, height),
    ...(helicon ? settled(height, seconds) : {}),
    sha3Uncles: EMPTY_UNCLES,
    size: hex(600 + 120 * transactions.length),
    stateRoot: hash(seed, "state", chain, height),
    ...(helicon ? { targetExponent: "0x0" } : {}),
    timestamp: hex(seconds),
    ...(granite ? { timestampMilliseconds: hex(seconds * 1000 + 250) } : {}),
    totalDifficulty: hex(height),
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
    settledHeight: hex(Math.max(0, height - 2)),
  };
}
