import { goJson } from "../encoding/gotime.ts";
import type { Network } from "./network.ts";
import { atLeast, type SimulatedDialect } from "./options.ts";

/** Requests, replies and parameters of the interfaces, without sockets. */

export type Request = {
  readonly method: string;
  /** Path without the query, as sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
};

export type SimulatedReply = {
  readonly status: number;
  /** Content type; none for an empty body. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** It never comes. */
  readonly hangs?: true;
};

/** One node at one time. */
export type View = {
  readonly network: Network;
  /** 0-based. */
  readonly index: number;
  /** Simulated time, Unix milliseconds. */
  readonly at: number;
  readonly dialect: SimulatedDialect;
  readonly version: string;
};

/** Answers requests on the paths of the interface; `undefined` for other paths. */
export type Interface = (request: Request, view: View) => SimulatedReply | undefined;

/** A result as JSON text, or an error message. */
export type MethodOutcome = { readonly json: string } | { readonly error: string };

export const ok = (result: unknown): MethodOutcome => ({ json: goJson(result) });
export const fail = (error: string): MethodOutcome => ({ error });

/** Error message for an argument of a wrong type, e.g. a malformed ID. */
export const BAD_ARGUMENT =
  "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls";

export type SimulatedMethod = (view: View, params: Params) => MethodOutcome;

/** Named parameters; names are case-insensitive, as in Go. */
export type Params = ReadonlyMap<string, unknown>;

/** A text parameter; "" if absent, `undefined` if it is not a text. */
export function textParam(params: Params, name: string): string | undefined {
  const value = params.get(name.toLowerCase()) ?? "";
  return typeof value === "string" ? value : undefined;
}

/** A list of texts; [] if absent, `undefined` if it is not such a list. */
export function textsParam(params: Params, name: string): string[] | undefined {
  const value: unknown = params.get(name.toLowerCase()) ?? [];
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((item): item is string => typeof item === "string");
  return texts.length === value.length ? texts : undefined;
}

const MAX_U64 = 2 ** 64;

/** An unsigned integer of 64 bits as a number or text, as Go clients send it; 0 if absent, `undefined` if it is neither. */
export function numberParam(params: Params, name: string): number | undefined {
  const value = params.get(name.toLowerCase()) ?? 0;
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 0 && number < MAX_U64 ? number : undefined;
}

/** Whether the node is real and of this release or a later one. */
export const since = (view: View, version: string): boolean =>
  view.dialect === "avalanchego" && atLeast(view.version, version);

/** A 64-bit integer: text on a real node and in the examples of the specification. */
export const u64 = (value: number | bigint): string => String(value);

/** A small integer: text on a real node, a number in the specification ("int"). */
export const int = (view: View, value: number): string | number => (view.dialect === "spec" ? value : String(value));

const TEXT = "text/plain; charset=utf-8";
export const plain = (status: number, body: string): SimulatedReply => ({ status, type: TEXT, body });

/** The reply of a server that hangs. */
export const HANGS: SimulatedReply = { ...plain(504, ""), hangs: true };

/** Reply of unknown and disabled routes. */
export const NOT_FOUND = plain(404, "404 page not found\n");
/** Reply of all routes of a chain that has not bootstrapped. */
export const NOT_BOOTSTRAPPED = plain(503, "API call rejected because chain is not done bootstrapping\n");
