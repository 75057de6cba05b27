import { createHash } from "node:crypto";
import { AVAX } from "./genesis.ts";
import { digest, parseCb58 } from "../encoding/ids.ts";
import { ownersOf, walletsAt } from "./wallets.ts";
import type { View } from "./wire.ts";

/** UTXOs that wait on C for import, encoded by the codec. */

/** Number of UTXOs by source chain and owner; 2500 need more than two pages. */
const WAITING: Readonly<Record<string, ReadonlyArray<number>>> = { P: [3, 2500], X: [1] };

/** Number of UTXOs of an address (`C-…`) from a source chain. */
export function utxoCount({ network, at }: View, address: string, chain: string): number {
  if (!walletsAt(network, at, "utxos")) return 0;
  return WAITING[chain]?.[ownersOf(network.world).indexOf(address.slice(2))] ?? 0;
}

/** The i-th UTXO that waits: `i` + 1 AVAX. */
export function utxoAt(view: View, address: string, chain: string, i: number): string {
  const tx = digest(view.network.world.settings.seed, "utxo tx", address, chain, i);
  return encodedUtxo(view, address, tx, i % 16, BigInt((i + 1) * AVAX));
}

/** A plain transfer to one key as hex with checksum. @param amount nAVAX */
export function encodedUtxo({ network }: View, address: string, tx: Buffer, position: number, amount: bigint): string {
  const { settings, assetId } = network.world;
  const head = Buffer.alloc(2);
  const index = Buffer.alloc(4);
  index.writeUInt32BE(position);
  const output = Buffer.alloc(4 + 8 + 8 + 4 + 4);
  output.writeUInt32BE(7);
  output.writeBigUInt64BE(amount, 4);
  output.writeUInt32BE(1, 20);
  output.writeUInt32BE(1, 24);
  const owner = digest(settings.seed, "utxo owner", address).subarray(0, 20);
  const asset = parseCb58(assetId, 32) ?? Buffer.alloc(32);
  return withChecksum(Buffer.concat([head, tx, index, asset, output, owner]));
}

/** Hex of the bytes and of the last four bytes of their SHA-256. */
export function withChecksum(bytes: Buffer): string {
  return `0x${bytes.toString("hex")}${createHash("sha256").update(bytes).digest().subarray(28).toString("hex")}`;
}
