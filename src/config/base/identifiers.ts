import { keccak_256 } from "@noble/hashes/sha3.js";
import { bech32 } from "@scure/base";
import { isCb58 } from "../../api/cb58.ts";

/**
 * Checksums of what a person types: IDs in cb58, addresses in bech32 and 0x…. A function returns `undefined` for a valid text,
 * else what is wrong with it as far as that is known.
 */
type Fault = { readonly hint?: string | undefined };

const MISTYPED = "the checksum is wrong: a character was mistyped";

/** Usual length of cb58 by the size of the ID in bytes. An ID that begins with zeros is shorter. */
const CB58_LENGTHS = { 20: 33, 32: 50 } as const;
/** This many characters fewer are usual too. */
const SHORTER = 2;

/** The fault of a cb58 text: base58 of an ID and the last four bytes of its SHA-256. */
export function cb58Fault(text: string, size: keyof typeof CB58_LENGTHS): Fault | undefined {
  if (isCb58(text, size)) return undefined;
  if (/[^0-9A-Za-z]/.test(text)) return {};
  if (/[0OIl]/.test(text)) return { hint: "0, O, I and l do not occur in an ID" };
  const usual = CB58_LENGTHS[size];
  if (text.length > usual) return { hint: "it is too long" };
  if (text.length < usual - SHORTER) return { hint: "it is too short" };
  return { hint: text.length === usual ? MISTYPED : `${MISTYPED} or is missing` };
}

/** Human-readable parts of the addresses of networks. */
const PREFIXES: readonly string[] = ["avax", "fuji", "local", "custom"];
/** Characters after the prefix: 20 bytes in groups of 5 bits, and the checksum. */
const BECH32_LENGTH = 38;

/** The fault of an address without its chain, such as `avax1…`. */
export function bech32Fault(text: string): Fault | undefined {
  const [, prefix = "", data = ""] = /^([A-Za-z]{1,20})1([0-9A-Za-z]+)$/.exec(text) ?? [];
  if (prefix === "") return {};
  if (text !== text.toLowerCase()) return { hint: "it is written in lower case" };
  if (/[1bio]/.test(data)) return { hint: `1, b, i and o do not occur after ${prefix}1` };
  if (data.length !== BECH32_LENGTH) return { hint: lengthHint(data.length, BECH32_LENGTH, `after ${prefix}1`) };
  if (bech32.decodeUnsafe(text) === undefined) return { hint: MISTYPED };
  if (PREFIXES.includes(prefix)) return undefined;
  return { hint: `${prefix} is not a network: avax (mainnet), fuji, local or custom` };
}

const HEX_LENGTH = 40;

/** The fault of an address 0x…. Upper and lower case together are a checksum (EIP-55); one case alone has none. */
export function hexAddressFault(text: string): Fault | undefined {
  const digits = /^0x([0-9A-Za-z]+)$/.exec(text)?.[1];
  if (digits === undefined) return {};
  const wrong = /[^0-9A-Fa-f]/.exec(digits)?.[0];
  if (wrong !== undefined) return { hint: `${wrong} is not a hex digit` };
  if (digits.length !== HEX_LENGTH) return { hint: lengthHint(digits.length, HEX_LENGTH, "after 0x") };
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return undefined;
  return digits === withChecksum(digits) ? undefined : { hint: `${MISTYPED}, or the case of a letter` };
}

/** The digits in the case that EIP-55 gives them: a letter is large where the digit of the hash is 8 or more. */
function withChecksum(digits: string): string {
  const lower = digits.toLowerCase();
  const hash = keccak_256(new TextEncoder().encode(lower));
  return [...lower]
    .map((digit, index) => {
      const byte = hash[index >> 1] ?? 0;
      return (index % 2 === 0 ? byte >> 4 : byte & 15) >= 8 ? digit.toUpperCase() : digit;
    })
    .join("");
}

const lengthHint = (found: number, wanted: number, where: string): string =>
  `it has ${found} characters ${where}, not ${wanted}`;
