import { keccak_256 } from "@noble/hashes/sha3.js";
import { bech32 } from "@scure/base";
import { z } from "zod";
import { isCb58 } from "../../api/cb58.ts";
import { reject, type Field } from "./fields.ts";

/** A text with a checksum. @param pattern its form, also for editors, which cannot verify a checksum */
function checked(description: string, expected: string, pattern: RegExp, isRight: (text: string) => boolean) {
  return z
    .string({ error: expected })
    .superRefine((text, context) => {
      const hasForm = pattern.test(text);
      if (!hasForm || !isRight(text))
        reject(context, expected, hasForm ? "the checksum is wrong: a character was mistyped" : undefined);
    })
    .meta({ description, pattern: pattern.source });
}

/** A node ID: `NodeID-` and 20 bytes in cb58. */
export const nodeId = (description: string): Field<string> =>
  checked(
    description,
    "a node ID such as NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
    /^NodeID-[1-9A-HJ-NP-Za-km-z]{24,33}$/,
    (text) => isCb58(text.slice("NodeID-".length), 20),
  );

/** A subnet ID, blockchain ID or asset ID: 32 bytes in cb58. */
export const id = (description: string, what: string): Field<string> =>
  checked(description, `${what} (in cb58, as printed by the node)`, /^[1-9A-HJ-NP-Za-km-z]{36,50}$/, (text) =>
    isCb58(text, 32),
  );

/** Addresses of the networks in bech32: a prefix, 20 bytes in groups of 5 bits, and the checksum. */
const BECH32 = "(avax|fuji|local|custom)1[02-9ac-hj-np-z]{38}";
const HEX = "0x[0-9a-fA-F]{40}";

const withoutChain = (text: string): string => text.replace(/^[PXC]-/, "");

/** A wallet address of the P-Chain, of atomic UTXOs on C, or of an EVM chain. */
export const address = (description: string): Field<string> =>
  checked(
    description,
    'an address P-…, C-… (bech32) or "0x…" (40 hex digits, in quotes)',
    new RegExp(`^([PC]-${BECH32}|${HEX})$`),
    (text) => (text.startsWith("0x") ? isHexAddress(text) : isBech32(withoutChain(text))),
  );

/** An address of the P-Chain. */
export const platformAddress = (description: string): Field<string> =>
  checked(description, "a P-Chain address such as P-avax1… (bech32)", new RegExp(`^P-${BECH32}$`), (text) =>
    isBech32(withoutChain(text)),
  );

/** An address of any chain in bech32, with or without the chain. */
export const bech32Address = (description: string): Field<string> =>
  checked(
    description,
    "an address P-…, X-…, C-… or bare, in bech32 such as avax1…",
    new RegExp(`^([PXC]-)?${BECH32}$`),
    (text) => isBech32(withoutChain(text)),
  );

/** An address of an EVM chain. */
export const hexAddress = (description: string): Field<string> =>
  checked(description, 'an address "0x…" (40 hex digits, in quotes)', new RegExp(`^${HEX}$`), isHexAddress);

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
