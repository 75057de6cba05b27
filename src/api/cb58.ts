import { createHash } from "node:crypto";
import { base58 } from "@scure/base";

/** IDs of the network as texts: base58 of the bytes and of the last four bytes of their SHA-256. */

const CHECKSUM_BYTES = 4;
const NODE_ID_PREFIX = "NodeID-";
const NODE_ID_BYTES = 20;

/** Longer than any ID of the network: decoding takes the square of the length. */
const LONGEST = 64;

/** The bytes of a base58 text; `undefined` for a character outside the alphabet, and for more than 64 characters. */
export function base58Bytes(text: string): Uint8Array | undefined {
  if (text.length > LONGEST) return undefined;
  try {
    return base58.decode(text);
  } catch {
    return undefined;
  }
}

/** Whether the text is cb58 of so many bytes, its checksum included. */
export function isCb58(text: string, size: number): boolean {
  const bytes = base58Bytes(text);
  if (bytes?.length !== size + CHECKSUM_BYTES) return false;
  const checksum = createHash("sha256").update(bytes.subarray(0, size)).digest().subarray(-CHECKSUM_BYTES);
  return checksum.every((byte, index) => byte === bytes[size + index]);
}

/**
 * Whether the text is a node ID. What a node calls itself is checked, because the exporter asks other nodes about it: they reject
 * a whole request for one invalid ID.
 */
export function isNodeId(text: string): boolean {
  return text.startsWith(NODE_ID_PREFIX) && isCb58(text.slice(NODE_ID_PREFIX.length), NODE_ID_BYTES);
}
