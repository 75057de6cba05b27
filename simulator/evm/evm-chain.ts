import type { ChainName } from "../world/genesis.ts";
import { digest } from "../encoding/ids.ts";
import { executedHeight, heightOf } from "../world/heights.ts";
import { heliconActive } from "../world/network.ts";
import type { View } from "../world/wire.ts";

/** What blocks and accounts of the simulated EVM chains have in common: pure functions of seed, chain and height. */

export type SimulatedEvmChain = Extract<ChainName, "C" | "perm1" | "l1one">;

export const isEvmChain = (chain: ChainName): chain is SimulatedEvmChain =>
  chain === "C" || chain === "perm1" || chain === "l1one";

/** A hex quantity. */
export const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

export const ZERO_HASH = `0x${"0".repeat(64)}`;

/** A hash of the parts: 32 bytes in hex. */
export const hash = (...parts: ReadonlyArray<string | number>): string => `0x${digest(...parts).toString("hex")}`;

/** Height of the newest block that a node has executed. */
export const headOf = (view: View, chain: SimulatedEvmChain): number =>
  isNewEngine(view, chain)
    ? executedHeight(view.network, view.index, view.at)
    : heightOf(view.network, view.index, chain, view.at);

/** Whether the chain runs on the engine of Helicon; only the C-Chain can. */
export const isNewEngine = (view: View, chain: ChainName): boolean =>
  chain === "C" && view.dialect === "avalanchego" && heliconActive(view.network, view.index, view.at);

/** The EVM chain ID that a node returns. */
export function chainIdOf({ network }: View, chain: SimulatedEvmChain): number {
  if (chain !== "C") return chain === "perm1" ? 43_001 : 43_002;
  return ({ 1: 43_114, 5: 43_113 } as Readonly<Record<number, number>>)[network.world.settings.network.id] ?? 43_112;
}

/** Wei. */
const BASE_FEE: Readonly<Record<SimulatedEvmChain, bigint>> = {
  C: 50_000_000n,
  perm1: 1_000_000_000n,
  l1one: 25_000_000_000n,
};

/** Wei per unit of gas in a block; varies by up to a fifth over some hundred blocks. */
export function baseFeeOf(chain: SimulatedEvmChain, height: number): bigint {
  const base = BASE_FEE[chain];
  return base + (base * BigInt(Math.round(100 * Math.sin(height / 120)))) / 500n;
}

/**
 * What a header of a block has instead, wei: on the engine of Helicon the highest price that its transactions can pay.
 * @param executed the price that they paid
 */
export const worstCaseFee = (executed: bigint): bigint => (executed * 5n) / 4n;

/** Blocks between the last executed block and the last one whose results are settled, on the engine of Helicon. */
export const UNSETTLED = 2;

export const blockHash = (seed: number, chain: string, height: number): string =>
  height < 0 ? ZERO_HASH : hash(seed, "evm block", chain, height);
