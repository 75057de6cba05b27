import { base58 } from "@scure/base";

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
