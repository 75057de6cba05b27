import { createHash } from "node:crypto";
import { goJson } from "./gotime.ts";

/**
 * Identifiers of the network: cb58 (base58 with a 4-byte SHA-256 checksum), bech32 addresses. They are derived from a seed
 * and a label, so that simulations with the same seed have the same identifiers. Every checksum is correct.
 */

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

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

function base58(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  while (value > 0n) {
    text = (BASE58[Number(value % 58n)] ?? "") + text;
    value /= 58n;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros < 0 ? bytes.length : zeros) + text;
}

const checksum = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest().subarray(28);

export function cb58(bytes: Buffer): string {
  return base58(Buffer.concat([bytes, checksum(bytes)]));
}

/** The bytes of a cb58 text; `undefined` if a character, the size (in bytes) or the checksum is wrong. */
export function parseCb58(text: string, size: number): Buffer | undefined {
  let value = 0n;
  for (const character of text) {
    const digit = BASE58.indexOf(character);
    if (digit < 0) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const hex = value.toString(16);
  if (hex.length > (size + 4) * 2) return undefined;
  const bytes = Buffer.from(hex.padStart((size + 4) * 2, "0"), "hex");
  const payload = bytes.subarray(0, size);
  return checksum(payload).equals(bytes.subarray(size)) && cb58(payload) === text ? payload : undefined;
}

export const isId = (text: string): boolean => parseCb58(text, 32) !== undefined;
export const isNodeId = (text: string): boolean =>
  text.startsWith("NodeID-") && parseCb58(text.slice(7), 20) !== undefined;

export const makeId = (...parts: ReadonlyArray<string | number>): string => cb58(digest(...parts));
export const makeNodeId = (...parts: ReadonlyArray<string | number>): string =>
  `NodeID-${cb58(digest(...parts).subarray(0, 20))}`;

function polymod(values: ReadonlyArray<number>): number {
  const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    generator.forEach((g, i) => {
      if (((top >>> i) & 1) === 1) sum ^= g;
    });
  }
  return sum;
}

const expand = (prefix: string): number[] => [
  ...[...prefix].map((c) => c.charCodeAt(0) >> 5),
  0,
  ...[...prefix].map((c) => c.charCodeAt(0) & 31),
];

/** An address of 20 bytes in bech32, e.g. `avax1…`. */
export function bech32(prefix: string, bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const words = Array.from({ length: bits.length / 5 }, (_, i) => parseInt(bits.slice(i * 5, i * 5 + 5), 2));
  const sum = polymod([...expand(prefix), ...words, 0, 0, 0, 0, 0, 0]) ^ 1;
  const tail = [0, 1, 2, 3, 4, 5].map((i) => (sum >>> (5 * (5 - i))) & 31);
  return `${prefix}1${[...words, ...tail].map((word) => BECH32[word] ?? "").join("")}`;
}

/** The error of the node's library for an invalid bech32 address; `undefined` for a valid one. */
export function bech32Fault(text: string): string | undefined {
  const at = text.lastIndexOf("1");
  if (at < 1 || at + 7 > text.length) return `invalid index of 1`;
  const words = [...text.slice(at + 1)].map((c) => BECH32.indexOf(c));
  const wrong = words.indexOf(-1);
  if (wrong >= 0) return `invalid character not part of charset: ${text.charCodeAt(at + 1 + wrong)}`;
  return polymod([...expand(text.slice(0, at)), ...words]) === 1 ? undefined : `invalid checksum`;
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
