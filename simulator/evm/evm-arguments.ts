import type { View } from "../world/wire.ts";
import { headOf, isNewEngine, UNSETTLED, type SimulatedEvmChain } from "./evm-chain.ts";

/** Arguments and results of the EVM's methods, with the errors of a node for wrong ones. */

export type EvmRefusal = { readonly code: number; readonly message: string };
export type EvmResult = { readonly value: unknown } | EvmRefusal;
export type EvmMethod = (view: View, chain: SimulatedEvmChain, params: readonly unknown[]) => EvmResult;

export const ok = (value: unknown): EvmResult => ({ value });
export const fail = (message: string, code = -32000): EvmRefusal => ({ code, message });

const invalid = (argument: number, problem: string): EvmRefusal =>
  fail(`invalid argument ${argument}: ${problem}`, -32602);

/** The position of the first absent or null argument among the required ones, refused. */
export function absent(params: readonly unknown[], required: number): EvmRefusal | undefined {
  const at = Array.from({ length: required }, (_, i) => params[i] ?? null).indexOf(null);
  return at < 0 ? undefined : fail(`missing value for required argument ${at}`, -32602);
}

/** The error for a first argument that is not an address. */
export function addressFault(value: unknown): EvmRefusal | undefined {
  if (typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value)) return undefined;
  const isHex = typeof value === "string" && /^0x([0-9a-f]{2})*$/i.test(value);
  return invalid(
    0,
    isHex
      ? `hex string has length ${value.length - 2}, want 40 for common.Address`
      : "json: cannot unmarshal invalid hex string into Go value of type common.Address",
  );
}

const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]*)$/i;

/** The height that a tag or quantity names, or the error for an invalid one. It may be beyond the head. */
export function namedHeight(view: View, chain: SimulatedEvmChain, argument: number, tag: unknown): number | EvmRefusal {
  const head = headOf(view, chain);
  if (tag === "latest" || tag === "pending") return head;
  if (tag === "safe" || tag === "finalized") return isNewEngine(view, chain) ? Math.max(0, head - UNSETTLED) : head;
  if (tag === "earliest") return 0;
  if (tag === "accepted" && !isNewEngine(view, chain)) return head;
  return typeof tag === "string" && QUANTITY.test(tag)
    ? Number(tag)
    : invalid(argument, "hex string without 0x prefix");
}

/** The height of the block whose state a method reads: an accepted one, by tag or quantity. */
export function stateHeight(
  view: View,
  chain: SimulatedEvmChain,
  argument: number,
  block: unknown,
): number | EvmRefusal {
  const height = namedHeight(view, chain, argument, block);
  if (typeof height !== "number" || height <= headOf(view, chain)) return height;
  return fail(
    isNewEngine(view, chain) ? `block not found: not accepted yet: block ${height}` : "cannot query unfinalized data",
  );
}
