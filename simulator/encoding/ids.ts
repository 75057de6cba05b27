import { base58, bech32 as bech32Coder } from "@scure/base";
import { createHash } from "node:crypto";
import { goJson } from "./gotime.ts";

/**
 * Identifiers of the network: cb58 (base58 with a 4-byte SHA-256 checksum), bech32 addresses. They are derived from a seed
 * and a label, so that simulations with the same seed have the same identifiers. Every checksum is correct.
 */

const NOT_BECH32 = /[^qpzry9x8gf2tvdw0s3jn54khce6mua7l]/;

export const ZERO_ID = "11111111111111111111111111111111LpoYY";
/** Node ID for the weight of inactive L1 validators in health reports. */
export const ZERO_NODE_ID = "NodeID-111111111111111111116DBWJs";

/** A hash of the parts: 32 bytes. */
export function digest(...parts: ReadonlyArray<string | number>): Buffer {
  return createHash("sha256").update(parts.join("\u0000")).digest();
}

/** A number in [0, 1) derived from the parts. */
export function chance(...parts: ReadonlyArray<string | number>): number {
  return digest(...parts).readUInt32BE(0) / 2 ** 32;
}

/** A number in [0, 1) derived from two small integers; cheap enough for every pair of nodes. */
export function pairChance(a: number, b: number): number {
  let x = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
}

const checksum = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest().subarray(28);

export function cb58(bytes: Buffer): string {
  return base58.encode(Buffer.concat([bytes, checksum(bytes)]));
}

/** The bytes of a cb58 text; `undefined` if a character, the size (in bytes) or the checksum is wrong. */
export function parseCb58(text: string, size: number): Buffer | undefined {
  const bytes = base58Bytes(text);
  if (bytes?.length !== size + 4) return undefined;
  const payload = bytes.subarray(0, size);
  return checksum(payload).equals(bytes.subarray(size)) ? payload : undefined;
}

/** Longer than any ID: decoding takes the square of the length. */
const LONGEST = 64;

function base58Bytes(text: string): Buffer | undefined {
  if (text.length > LONGEST) return undefined;
  try {
    return Buffer.from(base58.decode(text));
  } catch {
    return undefined;
  }
}

export const isId = (text: string): boolean => parseCb58(text, 32) !== undefined;
export const isNodeId = (text: string): boolean =>
  text.startsWith("NodeID-") && parseCb58(text.slice(7), 20) !== undefined;

export const makeId = (...parts: ReadonlyArray<string | number>): string => cb58(digest(...parts));
export const makeNodeId = (...parts: ReadonlyArray<string | number>): string =>
  `NodeID-${cb58(digest(...parts).subarray(0, 20))}`;

/** An address of 20 bytes in bech32, e.g. `avax1…`. */
export const bech32 = (prefix: string, bytes: Buffer): string => bech32Coder.encodeFromBytes(prefix, bytes);

/** The error of the node's library for an invalid bech32 address; `undefined` for a valid one. */
export function bech32Fault(text: string): string | undefined {
  const at = text.lastIndexOf("1");
  if (at < 1 || at + 7 > text.length) return `invalid index of 1`;
  const wrong = NOT_BECH32.exec(text.slice(at + 1))?.[0];
  if (wrong !== undefined) return `invalid character not part of charset: ${wrong.charCodeAt(0)}`;
  return bech32Coder.decodeUnsafe(text) === undefined ? `invalid checksum` : undefined;
}

/** An address with its chain, e.g. `P-avax1…`. A node also accepts the 20 bytes in cb58, which its own Go clients send. */
export function chainAddress(chain: string, prefix: string, text: string): string {
  const bytes = parseCb58(text, 20);
  return bytes === undefined ? text : `${chain}-${bech32(prefix, bytes)}`;
}

/** The error of a node for the first invalid address with a chain prefix (`P-…`), if any. */
export function addressFault(addresses: readonly string[]): string | undefined {
  for (const address of addresses) {
    const fault = address.includes("-")
      ? bech32Fault(address.slice(address.indexOf("-") + 1))
      : "no separator found in address";
    if (fault !== undefined) return `couldn't parse address ${goJson(address)}: ${fault}`;
  }
  return undefined;
}

/** A block ID contains the height in its last eight bytes, so that a lookup by ID needs no table; the rest is a hash. */
export function blockId(seed: number, chain: string, height: number): string {
  return cb58(blockBytes(seed, chain, height));
}

/** The 32 bytes of a block ID. */
export function blockBytes(seed: number, chain: string, height: number): Buffer {
  const bytes = Buffer.from(digest(seed, "block", chain, height));
  bytes.writeBigUInt64BE(BigInt(height), 24);
  return bytes;
}

/** The height of the block with an ID; `undefined` if there is none. */
export function heightOfBlockId(seed: number, chain: string, id: string): number | undefined {
  const bytes = parseCb58(id, 32);
  if (bytes === undefined) return undefined;
  const height = Number(bytes.readBigUInt64BE(24));
  return blockId(seed, chain, height) === id ? height : undefined;
}
