import { goJson } from "../encoding/gotime.ts";
import {
  plain,
  type SimulatedMethod,
  type MethodOutcome,
  type Params,
  type SimulatedReply,
  type Request,
  type View,
} from "./wire.ts";

/** JSON-RPC of the info, health, platform and similar services: status 200 also for JSON-RPC errors, error code -32000, no batches. */

export type RpcService = {
  readonly name: string;
  readonly methods: Readonly<Record<string, SimulatedMethod>>;
  /** Separator between the names of service and method, default a dot. */
  readonly separator?: string;
  /** Methods that take parameters where a server of the specification takes a list: it refuses them for all others. */
  readonly withArguments?: readonly string[];
};

const JSON_TYPE = "application/json; charset=utf-8";
const EMPTY_REQUEST = { jsonrpc: "", method: "", params: null, id: null };

const envelope = (body: string): SimulatedReply => ({
  status: 200,
  type: JSON_TYPE,
  body: `{"jsonrpc":"2.0",${body}}\n`,
});
const success = (json: string, id: unknown): SimulatedReply => envelope(`"result":${json},"id":${goJson(id)}`);
const failure = (code: number, message: string, data: unknown, id: unknown): SimulatedReply =>
  envelope(`"error":${goJson({ code, message, data })},"id":${goJson(id)}`);

export function answerRpc(service: RpcService, request: Request, view: View): SimulatedReply {
  if (request.method !== "POST") return plain(405, `rpc: POST method required, received ${request.method}`);
  const type = request.headers["content-type"] ?? "";
  if (type.split(";")[0]?.trim().toLowerCase() !== "application/json")
    return plain(415, `rpc: unrecognized Content-Type: ${type}`);
  const call = parse(request.body);
  if ("fault" in call) return failure(-32700, call.fault, EMPTY_REQUEST, null);
  if (call.jsonrpc !== "2.0") return failure(-32600, "jsonrpc must be 2.0", call, call.id);
  const { outcome, code } = invoke(service, call, view);
  // A call without an ID is a notification: there is no answer, not even an error.
  if (call.id === null) return { status: 200, body: "" };
  return "json" in outcome ? success(outcome.json, call.id) : failure(code, outcome.error, null, call.id);
}

type Call = { readonly jsonrpc: string; readonly method: string; readonly params: unknown; readonly id: unknown };

/** The method of a request body; `undefined` if there is none. For counting requests. */
export function calledMethod(body: string): string | undefined {
  const call = parse(body);
  return "fault" in call || call.method === "" ? undefined : call.method;
}

function parse(body: string): Call | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { fault: syntaxFault(body) };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const kind = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
    return { fault: `json: cannot unmarshal ${kind} into Go value of type json2.serverRequest` };
  }
  const named = lowerKeys(value);
  const text = (name: string): string => {
    const found = named.get(name);
    return typeof found === "string" ? found : "";
  };
  return {
    jsonrpc: text("jsonrpc"),
    method: text("method"),
    params: named.get("params") ?? null,
    id: named.get("id") ?? null,
  };
}

/** Go's messages for the most common syntax errors. */
function syntaxFault(body: string): string {
  const text = body.trim();
  if (text === "") return "EOF";
  const second = text.slice(1).trimStart().charAt(0);
  if (text.startsWith("{") && second !== "" && !`"}`.includes(second)) {
    return `invalid character '${second}' looking for beginning of object key string`;
  }
  return /^[{["]/.test(text)
    ? "unexpected EOF"
    : `invalid character '${text.charAt(0)}' looking for beginning of value`;
}

const lowerKeys = (value: object): Map<string, unknown> =>
  new Map(Object.entries(value).map(([key, item]: [string, unknown]) => [key.toLowerCase(), item]));

function invoke(service: RpcService, call: Call, view: View): { outcome: MethodOutcome; code: number } {
  const wrong = (error: string): { outcome: MethodOutcome; code: number } =>
    view.dialect === "spec"
      ? { outcome: { error: `the method ${call.method} does not exist` }, code: -32601 }
      : { outcome: { error }, code: -32000 };
  const [name, method, ...rest] = call.method.split(service.separator ?? ".");
  if (name === undefined || method === undefined || method === "" || rest.length > 0) {
    return wrong(`rpc: service/method request ill-formed: ${goJson(call.method)}`);
  }
  const upper = method.charAt(0).toUpperCase() + method.slice(1);
  if (method.charAt(0) === upper.charAt(0)) return wrong("method must start with a non-uppercase letter");
  const quoted = goJson(`${name}.${upper}`);
  if (name !== service.name) return wrong(`rpc: can't find service ${quoted}`);
  const run = Object.hasOwn(service.methods, method) ? service.methods[method] : undefined;
  if (run === undefined) return wrong(`rpc: can't find method ${quoted}`);
  const isList = service.withArguments !== undefined && Array.isArray(call.params) && call.params.length > 0;
  if (view.dialect === "spec" && isList && !service.withArguments.includes(method))
    return { outcome: { error: "too many arguments, want at most 0" }, code: -32602 };
  return { outcome: run(view, namedParams(call.params)), code: -32000 };
}

/** Parameters are an object, an object in an array, or absent. */
function namedParams(params: unknown): Params {
  const first: unknown = Array.isArray(params) ? params[0] : params;
  return typeof first === "object" && first !== null ? lowerKeys(first) : new Map<string, unknown>();
}
