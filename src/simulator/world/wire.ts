import { goJson } from "./gotime.ts";
import type { Network } from "./network.ts";
import { atLeast, type Dialect } from "./options.ts";

/** What interfaces are given and what they give back. No sockets here. */

export type Request = {
  readonly method: string;
  /** Path without the query, as sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
};

export type Reply = {
  readonly status: number;
  /** Content type; none for an empty body. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};

/** One node asked at one moment. */
export type View = {
  readonly network: Network;
  /** 0-based. */
  readonly index: number;
  /** Simulated time, unix milliseconds. */
  readonly at: number;
  readonly dialect: Dialect;
  readonly version: string;
};

/** An interface answers the requests on its own paths and leaves the others alone. */
export type Interface = (request: Request, view: View) => Reply | undefined;

/** A method's result as JSON text, or an error's message. */
export type Outcome = { readonly json: string } | { readonly error: string };

export const ok = (result: unknown): Outcome => ({ json: goJson(result) });
export const fail = (error: string): Outcome => ({ error });

/** How the node words an argument that its types refuse, e.g. a malformed ID. */
export const BAD_ARGUMENT =
  "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls";

export type Method = (view: View, params: Params) => Outcome;

/** Named arguments; names are matched without regard to case, as Go does. */
export type Params = ReadonlyMap<string, unknown>;

/** A text argument; "" when absent, undefined when it is no text. */
export function textParam(params: Params, name: string): string | undefined {
  const value = params.get(name.toLowerCase()) ?? "";
  return typeof value === "string" ? value : undefined;
}

/** A list of texts; [] when absent, undefined when it is something else. */
export function textsParam(params: Params, name: string): string[] | undefined {
  const value: unknown = params.get(name.toLowerCase()) ?? [];
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((item): item is string => typeof item === "string");
  return texts.length === value.length ? texts : undefined;
}

/** A whole number sent as a number or as text; undefined when it is neither. */
export function numberParam(params: Params, name: string): number | undefined {
  const value = params.get(name.toLowerCase());
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** Whether the view's node sends the keys of that release; a server of the specification sends none beyond the specification. */
export const since = (view: View, version: string): boolean =>
  view.dialect === "avalanchego" && atLeast(view.version, version);

/** A 64-bit integer: text on a real node, and in the specification's examples. */
export const u64 = (value: number | bigint): string => String(value);

/** A small integer: text on a real node, a number where the specification's signature says int. */
export const int = (view: View, value: number): string | number => (view.dialect === "spec" ? value : String(value));

const TEXT = "text/plain; charset=utf-8";
export const plain = (status: number, body: string): Reply => ({ status, type: TEXT, body });

/** What unknown, disabled and not yet existing routes answer. */
export const NOT_FOUND = plain(404, "404 page not found\n");
/** What every route of a chain answers until that chain has bootstrapped. */
export const NOT_BOOTSTRAPPED = plain(503, "API call rejected because chain is not done bootstrapping\n");
