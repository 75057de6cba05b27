import { createHash } from "node:crypto";

/** UTXOs in the atomic memory between chains, encoded by the codec. */

const CHECKSUM = 4;
const ID_END = 2 + 32 + 4;
const ASSET_END = ID_END + 32;
/** Type IDs of a plain transfer (secp256k1), and of one that can only be staked until a date. */
const TRANSFER = 7;
const STAKEABLE = 22;

type Utxo = {
  /** Transaction ID and output index, hex. */
  readonly id: string;
  /** Asset ID, hex. */
  readonly asset: string;
  /** In the smallest unit of the asset; `undefined` for output types other than a transfer. */
  readonly amount: bigint | undefined;
  /** Ends of the lock, and of the time in which it can only be staked. Unix seconds; 0 without one. */
  readonly lockedUntil: bigint;
  readonly stakeableOnlyUntil: bigint;
};

/**
 * Reads `0x` + codec version, transaction ID, output index, asset ID, output type and amount + checksum. `undefined` if the text is
 * not hex, is truncated, or has a wrong checksum.
 */
export function decodeUtxo(text: string): Utxo | undefined {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(2), "hex");
  const payload = bytes.subarray(0, -CHECKSUM);
  if (payload.length < ASSET_END + 4 || payload.readUInt16BE(0) !== 0) return undefined;
  const checksum = createHash("sha256").update(payload).digest().subarray(-CHECKSUM);
  if (!checksum.equals(bytes.subarray(-CHECKSUM))) return undefined;
  // The wrapper of a stakeable output is its type and the date.
  const isStakeable = payload.readUInt32BE(ASSET_END) === STAKEABLE && payload.length >= ASSET_END + 12;
  const output = payload.subarray(isStakeable ? ASSET_END + 12 : ASSET_END);
  const isTransfer = output.length >= 12 && output.readUInt32BE() === TRANSFER;
  return {
    id: payload.toString("hex", 2, ID_END),
    asset: payload.toString("hex", ID_END, ASSET_END),
    amount: isTransfer ? output.readBigUInt64BE(4) : undefined,
    lockedUntil: isTransfer && output.length >= 20 ? output.readBigUInt64BE(12) : 0n,
    stakeableOnlyUntil: isStakeable ? payload.readBigUInt64BE(ASSET_END + 4) : 0n,
  };
}
