import { z } from "zod";
import { isCb58 } from "../../api/cb58.ts";
import { bech32Fault, cb58Fault, hexAddressFault } from "../base/identifiers.ts";
import { reject } from "./fields.ts";

/** Fields whose texts have a checksum. */

/** The fault of a text that has another form than the expected one. */
const OTHER_FORM = {};

/**
 * A text whose fault is found by a function.
 * @param pattern for editors, which cannot verify a checksum
 */
function checked(
  description: string,
  expected: string,
  faultOf: (text: string) => { readonly hint?: string | undefined } | undefined,
  pattern: RegExp,
) {
  return z
    .string({ error: expected })
    .superRefine((text, context) => {
      const fault = faultOf(text);
      if (fault !== undefined) reject(context, expected, fault.hint);
    })
    .meta({ description, pattern: pattern.source });
}

/** A node ID: `NodeID-` and 20 bytes in cb58. */
export const nodeId = (description: string) =>
  checked(
    description,
    "a node ID such as NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
    (text) => {
      if (text.startsWith("NodeID-")) return cb58Fault(text.slice(7), 20);
      return isCb58(text, 20) ? { hint: "the prefix NodeID- is missing" } : OTHER_FORM;
    },
    /^NodeID-[1-9A-HJ-NP-Za-km-z]{24,33}$/,
  );

/** A subnet ID, blockchain ID or asset ID: 32 bytes in cb58. */
export const id = (description: string, what: string) =>
  checked(
    description,
    `${what} (in cb58, as printed by the node)`,
    (text) => cb58Fault(text, 32),
    /^[1-9A-HJ-NP-Za-km-z]{36,50}$/,
  );

/** A wallet address of the P-Chain, of atomic UTXOs on C, or of an EVM chain. */
export const address = (description: string) =>
  checked(
    description,
    'an address P-…, C-… (bech32) or "0x…" (40 hex digits, in quotes)',
    (text) => (text.startsWith("0x") ? hexAddressFault(text) : chainAddressFault(text, /^[PC]-/)),
    /^([PC]-[a-z]{1,20}1[02-9ac-hj-np-z]{38}|0x[0-9a-fA-F]{40})$/,
  );

/** An address of the P-Chain. */
export const platformAddress = (description: string) =>
  checked(
    description,
    "a P-Chain address such as P-avax1… (bech32)",
    (text) => chainAddressFault(text, /^P-/),
    /^P-[a-z]{1,20}1[02-9ac-hj-np-z]{38}$/,
  );

/** An address of any chain in bech32, with or without the chain. */
export const bech32Address = (description: string) =>
  checked(
    description,
    "an address P-…, X-…, C-… or bare, in bech32 such as avax1…",
    (text) => bech32Fault(text.replace(/^[PXC]-/, "")),
    /^([PXC]-)?[a-z]{1,20}1[02-9ac-hj-np-z]{38}$/,
  );

/** An address of an EVM chain. */
export const hexAddress = (description: string) =>
  checked(description, 'an address "0x…" (40 hex digits, in quotes)', hexAddressFault, /^0x[0-9a-fA-F]{40}$/);

function chainAddressFault(text: string, chain: RegExp) {
  return chain.test(text) ? bech32Fault(text.replace(chain, "")) : OTHER_FORM;
}
