import { keccak_256 } from "@noble/hashes/sha3.js";
import { bech32 } from "@scure/base";

/** Whether an address without its chain, such as `avax1…`, has a correct checksum. */
export function isBech32(text: string): boolean {
  return bech32.decodeUnsafe(text) !== undefined;
}

/** Whether this is an address `0x…`. Upper and lower case together are a checksum (EIP-55); one case alone has none. */
export function isHexAddress(text: string): boolean {
  const digits = /^0x([0-9A-Fa-f]{40})$/.exec(text)?.[1];
  if (digits === undefined) return false;
  return [digits.toLowerCase(), digits.toUpperCase(), withChecksum(digits)].includes(digits);
}

/** The digits in the case that EIP-55 gives them: a letter is large where the digit of the hash is 8 or more. */
function withChecksum(digits: string): string {
  const lower = digits.toLowerCase();
  const hash = Buffer.from(keccak_256(new TextEncoder().encode(lower))).toString("hex");
  return [...lower].map((digit, index) => ((hash[index] ?? "") >= "8" ? digit.toUpperCase() : digit)).join("");
}
