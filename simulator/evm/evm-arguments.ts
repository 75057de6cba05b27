import type { View } from "../world/wire.ts";
import { headOf, heightOfHash, isNewEngine, type EvmChain } from "./evm-chain.ts";

/** Arguments and results of the EVM's methods, with the errors of a node for wrong ones. */

export type Refusal = { readonly code: number; readonly message: string };
export type EvmResult = { readonly value: unknown } | Refusal;
export type EvmMethod = (view: View, chain: EvmChain, params: readonly unknown[]) => EvmResult;

export const ok = (value: unknown): EvmResult => ({ value });
export const fail = (message: string, code = -32000): Refusal => ({ code, message });

export const missing = (argument: number): Refusal => fail(`missing value for required argument ${argument}`, -32602);
export const invalid = (argument: number, problem: string): Refusal =>
  fail(`invalid argument ${argument}: ${problem}`, -32602);

/** The position of the first absent or null argument among the required ones, refused. */
export function absent(params: readonly unknown[], required: number): Refusal | undefined {
  const at = Array.from({ length: required }, (_, i) => params[i] ?? null).indexOf(null);
  return at < 0 ? undefined : missing(at);
}

/** The error for a value that is not that many bytes in hex. */
function bytesFault(argument: number, value: unknown, bytes: number, type: string): Refusal | undefined {
  const decoding = (problem: string): Refusal =>
    invalid(argument, `json: cannot unmarshal ${problem} into Go value of type ${type}`);
  if (typeof value !== "string") return decoding("non-string");
  if (!/^0x/i.test(value)) return decoding("hex string without 0x prefix");
  const digits = value.length - 2;
  if (digits % 2 === 1) return decoding("hex string of odd length");
  if (digits !== 2 * bytes) return invalid(argument, `hex string has length ${digits}, want ${2 * bytes} for ${type}`);
  return /^0x[0-9a-f]*$/i.test(value) ? undefined : decoding("invalid hex string");
}

export const addressFault = (argument: number, value: unknown): Refusal | undefined =>
  bytesFault(argument, value, 20, "common.Address");
export const hashFault = (argument: number, value: unknown): Refusal | undefined =>
  bytesFault(argument, value, 32, "common.Hash");

export const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]*)$/i;

/** The height that a tag or quantity names, or the error for an invalid one. It may be beyond the head. */
export function namedHeight(view: View, chain: EvmChain, argument: number, tag: unknown): number | Refusal {
  if (tag === "latest" || tag === "pending" || tag === "safe" || tag === "finalized") return headOf(view, chain);
  if (tag === "earliest") return 0;
  if (tag === "accepted" && !isNewEngine(view, chain)) return headOf(view, chain);
  return typeof tag === "string" && QUANTITY.test(tag)
    ? Number(tag)
    : invalid(argument, "hex string without 0x prefix");
}

/** The height of the block whose state a method reads: by tag, quantity, hash, or an object with one of them. */
export function stateHeight(view: View, chain: EvmChain, argument: number, block: unknown): number | Refusal {
  const { blockHash: byHash, blockNumber } = (
    typeof block === "object" && block !== null ? block : { blockNumber: block }
  ) as { readonly blockHash?: unknown; readonly blockNumber?: unknown };
  const text = byHash ?? (typeof blockNumber === "string" && blockNumber.length === 66 ? blockNumber : undefined);
  if (text !== undefined) return heightByHash(view, chain, argument, text);
  const height = namedHeight(view, chain, argument, blockNumber);
  if (typeof height !== "number" || height <= headOf(view, chain)) return height;
  return fail(
    isNewEngine(view, chain) ? `block not found: not accepted yet: block ${height}` : "cannot query unfinalized data",
  );
}

function heightByHash(view: View, chain: EvmChain, argument: number, text: unknown): number | Refusal {
  const fault = hashFault(argument, text);
  if (fault !== undefined || typeof text !== "string") return fault ?? missing(argument);
  const unknown = isNewEngine(view, chain)
    ? `block not found: hash ${text.toLowerCase()}`
    : "header for hash not found";
  return heightOfHash(view, chain, text) ?? fail(unknown);
}
