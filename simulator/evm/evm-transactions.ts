import { chance } from "../encoding/ids.ts";
import { remember } from "../world/network.ts";
import type { View } from "../world/wire.ts";
import {
  addressOf,
  baseFeeOf,
  blockHash,
  chainIdOf,
  hash,
  headOf,
  hex,
  placeIn,
  transactionHash,
  type EvmChain,
  type Place,
} from "./evm-chain.ts";

/** Transactions of the simulated EVM chains, and their receipts: plain transfers, so there are no logs. */

/** Gas of a plain transfer. */
export const TRANSFER_GAS = 21_000;
/** Wei per unit of gas that every transaction pays to the proposer. */
export const TIP = 1_000_000_000n;
const MAX_FEE = 500_000_000_000n;
export const NO_LOGS = `0x${"0".repeat(512)}`;

/** Maximum number of transactions in a block. */
const MAX_TRANSACTIONS: Readonly<Record<EvmChain, number>> = { C: 6, perm1: 2, l1one: 3 };

/** Blocks after which the numbers of transactions repeat: so the nonce of an account at a height is a division, not a sum. */
const PERIOD = 256;

function countsOf({ network }: View, chain: EvmChain): readonly number[] {
  const { seed } = network.world.settings;
  return remember(network, `evm counts:${chain}`, seed, () =>
    Array.from({ length: PERIOD }, (_, slot) =>
      Math.floor(chance(seed, "evm transactions", chain, slot) * (MAX_TRANSACTIONS[chain] + 1)),
    ),
  );
}

/** Number of transactions in a block. The first block has none. */
export const transactionCount = (view: View, chain: EvmChain, height: number): number =>
  height === 0 ? 0 : (countsOf(view, chain)[height % PERIOD] ?? 0);

/** The account that sends the transaction at a position in every block that has one there. */
const senderAt = ({ network }: View, chain: EvmChain, position: number): string =>
  addressOf(network.world.settings.seed, "evm account", chain, position);

/** Transactions that an account has sent up to a block, with it. */
export function sentBy(view: View, chain: EvmChain, address: string, height: number): number {
  const position = Array.from({ length: MAX_TRANSACTIONS[chain] }, (_, i) => senderAt(view, chain, i)).indexOf(
    address.toLowerCase(),
  );
  if (position < 0) return 0;
  const counts = countsOf(view, chain);
  const sentIn = (from: number, to: number): number =>
    counts.slice(from, to).filter((count) => count > position).length;
  // Heights from 0 on, less the first block, which has no transaction.
  return Math.floor((height + 1) / PERIOD) * sentIn(0, PERIOD) + sentIn(0, (height + 1) % PERIOD) - sentIn(0, 1);
}

export const transactionHashes = (view: View, chain: EvmChain, height: number): string[] =>
  Array.from({ length: transactionCount(view, chain, height) }, (_, position) =>
    transactionHash(view.network.world.settings.seed, chain, height, position),
  );

/** The place of an accepted transaction; `undefined` if there is none with that hash. */
export function placeOf(view: View, chain: EvmChain, text: string): Place | undefined {
  const { height, position } = placeIn(text);
  if (height > headOf(view, chain)) return undefined;
  return transactionHashes(view, chain, height)[position] === text.toLowerCase() ? { height, position } : undefined;
}

/** The fields that a transaction and its receipt have in common. */
function common(view: View, chain: EvmChain, { height, position }: Place) {
  const { seed } = view.network.world.settings;
  return {
    blockHash: blockHash(seed, chain, height),
    blockNumber: hex(height),
    from: senderAt(view, chain, position),
    to: "0x000000000000000000000000000000000000dead",
    transactionIndex: hex(position),
    type: "0x2",
  };
}

/** Wei per unit of gas that the transactions of a block have paid. */
const priceAt = (chain: EvmChain, height: number): bigint => baseFeeOf(chain, height) + TIP;

/** A transaction as a node sends it, with a constant, invalid signature. */
export function transactionJson(view: View, chain: EvmChain, place: Place): Readonly<Record<string, unknown>> {
  const { height, position } = place;
  const { seed } = view.network.world.settings;
  const { blockHash: block, blockNumber, from, to, transactionIndex, type } = common(view, chain, place);
  const part = (name: string): string => hex(BigInt(hash(seed, name, chain, height, position)));
  const parity = hex(Number(BigInt(part("parity")) % 2n));
  return {
    blockHash: block,
    blockNumber,
    from,
    gas: hex(TRANSFER_GAS),
    gasPrice: hex(priceAt(chain, height)),
    maxFeePerGas: hex(MAX_FEE),
    maxPriorityFeePerGas: hex(TIP),
    hash: transactionHash(seed, chain, height, position),
    input: "0x",
    nonce: hex(sentBy(view, chain, from, height) - 1),
    to,
    transactionIndex,
    value: hex(1000 + position),
    type,
    accessList: [],
    chainId: hex(chainIdOf(view, chain)),
    v: parity,
    r: part("r"),
    s: part("s"),
    yParity: parity,
  };
}

/** The receipt of a transaction as a node sends it. */
export function receiptJson(view: View, chain: EvmChain, place: Place): Readonly<Record<string, unknown>> {
  const { height, position } = place;
  const { blockHash: block, blockNumber, from, to, transactionIndex, type } = common(view, chain, place);
  return {
    blockHash: block,
    blockNumber,
    contractAddress: null,
    cumulativeGasUsed: hex(TRANSFER_GAS * (position + 1)),
    effectiveGasPrice: hex(priceAt(chain, height)),
    from,
    gasUsed: hex(TRANSFER_GAS),
    logs: [],
    logsBloom: NO_LOGS,
    status: "0x1",
    to,
    transactionHash: transactionHash(view.network.world.settings.seed, chain, height, position),
    transactionIndex,
    type,
  };
}
