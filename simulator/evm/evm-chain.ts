import type { ChainName } from "../world/genesis.ts";
import { digest } from "../encoding/ids.ts";
import { heightOf } from "../world/heights.ts";
import { behaviourAt, heliconActive } from "../world/network.ts";
import type { View } from "../world/wire.ts";

/** What blocks, transactions and accounts of the simulated EVM chains have in common: pure functions of seed, chain and height. */

export type EvmChain = Extract<ChainName, "C" | "perm1" | "l1one">;

export const isEvmChain = (chain: ChainName): chain is EvmChain =>
  chain === "C" || chain === "perm1" || chain === "l1one";

/** A hex quantity. */
export const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

/** A hash of the parts: 32 bytes in hex. */
export const hash = (...parts: ReadonlyArray<string | number>): string => `0x${digest(...parts).toString("hex")}`;

/** 20 bytes in hex. */
export const addressOf = (...parts: ReadonlyArray<string | number>): string => hash(...parts).slice(0, 42);

export const headOf = ({ network, index, at }: View, chain: EvmChain): number => heightOf(network, index, chain, at);

/** Whether the chain runs on the engine of Helicon; only the C-Chain can. */
export const isNewEngine = (view: View, chain: EvmChain): boolean =>
  chain === "C" && view.dialect === "avalanchego" && heliconActive(view.network, view.index, view.at);

/** The EVM chain ID that a node returns. */
export function chainIdOf({ network, index, at }: View, chain: EvmChain): number {
  if (behaviourAt(network, index, at).evm === "wrong-chain") return 99_999;
  if (chain !== "C") return chain === "perm1" ? 43_001 : 43_002;
  return ({ 1: 43_114, 5: 43_113 } as Readonly<Record<number, number>>)[network.world.settings.network.id] ?? 43_112;
}

/** Wei. */
const BASE_FEE: Readonly<Record<EvmChain, bigint>> = { C: 50_000_000n, perm1: 1_000_000_000n, l1one: 25_000_000_000n };

/** Wei per unit of gas in a block; varies by up to a fifth over some hundred blocks. */
export function baseFeeOf(chain: EvmChain, height: number): bigint {
  const base = BASE_FEE[chain];
  return base + (base * BigInt(Math.round(100 * Math.sin(height / 120)))) / 500n;
}

// A hash ends with its place, so that a lookup needs no table: eight digits of the height, four of the transaction.

const placed = (text: string, height: number, position: number): string =>
  text.slice(0, -12) + height.toString(16).padStart(8, "0") + position.toString(16).padStart(4, "0");

const ZERO = `0x${"0".repeat(64)}`;
const BLOCK_MARK = 0xffff;

export const blockHash = (seed: number, chain: EvmChain, height: number): string =>
  height < 0 ? ZERO : placed(hash(seed, "evm block", chain, height), height, BLOCK_MARK);

export const transactionHash = (seed: number, chain: EvmChain, height: number, position: number): string =>
  placed(hash(seed, "evm transaction", chain, height, position), height, position);

export type Place = { readonly height: number; readonly position: number };

/** The place in a hash. It is a claim: the hash of the block or transaction at that place decides. */
export const placeIn = (text: string): Place => ({
  height: parseInt(text.slice(-12, -4), 16),
  position: parseInt(text.slice(-4), 16),
});

/** The height of the accepted block with a hash; `undefined` if there is none. */
export function heightOfHash(view: View, chain: EvmChain, text: string): number | undefined {
  const { height } = placeIn(text);
  const own = blockHash(view.network.world.settings.seed, chain, height);
  return height <= headOf(view, chain) && own === text.toLowerCase() ? height : undefined;
}
