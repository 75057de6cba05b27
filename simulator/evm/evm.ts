import { chainRoute, gate } from "../world/chains.ts";
import { isEvmChain, type SimulatedEvmChain } from "./evm-chain.ts";
import { evmMethod } from "./evm-methods.ts";
import { chainValidators } from "./evm-validators.ts";
import { goJson } from "../encoding/gotime.ts";
import { answerRpc } from "../world/rpc.ts";
import { plain, type Interface, type SimulatedReply, type View } from "../world/wire.ts";

/** JSON-RPC of the EVM chains as in go-ethereum's server (batches, errors without `data`), and the `validators` API. */

export type SimulatedCall = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] };

const success = (id: unknown, value: unknown): string =>
  `{"jsonrpc":"2.0","id":${goJson(id)},"result":${goJson(value)}}`;
export const failure = (id: unknown, code: number, message: string): string =>
  `{"jsonrpc":"2.0","id":${goJson(id)},"error":${goJson({ code, message })}}`;

/** Maximum number of calls in a batch by default. */
const BATCH_LIMIT = 1000;

/** Answers one call. */
export function answerCall(view: View, chain: SimulatedEvmChain, { id, method, params }: SimulatedCall): string {
  const run = evmMethod(view, chain, method);
  if (run === undefined) {
    return failure(id, -32601, `the method ${method} does not exist/is not available`);
  }
  const result = run(view, chain, params);
  return "value" in result ? success(id, result.value) : failure(id, result.code, result.message);
}

/** The call in a parsed request, or the error for it. */
export function readCall(value: unknown): SimulatedCall | string {
  const fields = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const { id = null, method, params } = fields;
  if (typeof method !== "string") return failure(null, -32600, "invalid request");
  return { id, method, params: Array.isArray(params) ? (params as unknown[]) : [] };
}

function answerOne(view: View, chain: SimulatedEvmChain, value: unknown): string {
  const call = readCall(value);
  return typeof call === "string" ? call : answerCall(view, chain, call);
}

function answerBatch(view: View, chain: SimulatedEvmChain, values: readonly unknown[]): string {
  if (values.length === 0) return failure(null, -32600, "empty batch");
  const firstId = (values[0] as { id?: unknown }).id ?? null;
  if (values.length > BATCH_LIMIT) return `[${failure(firstId, -32600, "batch too large")}]`;
  return `[${values.map((value) => answerOne(view, chain, value)).join(",")}]`;
}

/** The answer to a body: one answer, or one for each call of a batch. */
export function answerText(view: View, chain: SimulatedEvmChain, body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return failure(null, -32700, "parse error");
  }
  return Array.isArray(value) ? answerBatch(view, chain, value as unknown[]) : answerOne(view, chain, value);
}

function serveRpc(request: Parameters<Interface>[0], view: View, chain: SimulatedEvmChain): SimulatedReply {
  if (request.method === "GET" && request.query.size === 0) return { status: 200, body: "" };
  if (request.method !== "POST") return plain(405, "method not allowed\n");
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return plain(415, "invalid content type, only application/json is supported\n");
  return { status: 200, type: "application/json", body: `${answerText(view, chain, request.body)}\n` };
}

/** Serves `/rpc` of every EVM chain, and `/validators` of those that are not the C-Chain. */
export const evm: Interface = (request, view) => {
  const route = chainRoute(view, request.path);
  if (route === undefined || !isEvmChain(route.chain)) return undefined;
  if (route.rest === "/rpc") return gate(view, route.chain) ?? serveRpc(request, view, route.chain);
  if (route.rest !== "/validators" || route.chain === "C" || view.dialect === "spec") return undefined;
  return gate(view, route.chain) ?? answerRpc(chainValidators(route.chain), request, view);
};
