import type { Sha256 } from "../wire.ts";

/** UTXOs as the atomic memory between chains holds them, in the codec's bytes. */

export type Utxo = {
  /** Transaction ID and output index, hex: the same UTXO on another page has the same. */
  readonly id: string;
  /** Hex of the asset's 32 bytes. */
  readonly asset: string;
  /** In the asset's smallest unit; `undefined` for an output that holds no amount in a way known here. */
  readonly amount: bigint | undefined;
};

const CHECKSUM = 4;
const ID_END = 2 + 32 + 4;
const ASSET_END = ID_END + 32;
/** Type ID of a plain transfer to owners of secp256k1 keys. */
const TRANSFER = 7;

/**
 * Reads `0x` + codec version, transaction ID, output index, asset ID, type of the output and amount + checksum.
 * `undefined` when the text is not hex, is cut short, or its checksum is wrong.
 */
export function decodeUtxo(text: string, sha256: Sha256): Utxo | undefined {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(2), "hex");
  const payload = bytes.subarray(0, -CHECKSUM);
  if (payload.length < ASSET_END + 4 || payload.readUInt16BE(0) !== 0) return undefined;
  if (!Buffer.from(sha256(payload)).subarray(-CHECKSUM).equals(bytes.subarray(-CHECKSUM))) return undefined;
  const isTransfer = payload.readUInt32BE(ASSET_END) === TRANSFER && payload.length >= ASSET_END + 12;
  return {
    id: payload.toString("hex", 2, ID_END),
    asset: payload.toString("hex", ID_END, ASSET_END),
    amount: isTransfer ? payload.readBigUInt64BE(ASSET_END + 4) : undefined,
  };
}
