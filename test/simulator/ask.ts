import type { IncomingHttpHeaders } from "node:http";
import { ask as askServer } from "../http/ask.ts";

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string };

export type Question = {
  readonly method: string;
  /** Sent unchanged, for double slashes. */
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends one request on a new connection; rejects without a complete answer. */
export async function ask(url: string, { method, path, body, headers }: Question): Promise<Answer> {
  const type =
    body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const sent = { method, headers: { ...type, ...headers }, tls: { path }, ...(body !== undefined && { body }) };
  const answer = await askServer(url, sent);
  return { ...answer, body: answer.body.toString("utf8") };
}

export const get = (url: string, path: string): Promise<Answer> => ask(url, { method: "GET", path });

const PATHS: Readonly<Record<string, string>> = { info: "/ext/info", platform: "/ext/bc/P", health: "/ext/health" };

/** Calls a method at the path of its service. */
export function call(url: string, method: string, params?: unknown): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, ...(params === undefined ? {} : { params }) });
  return ask(url, { method: "POST", path: PATHS[method.split(".")[0] ?? ""] ?? "/", body });
}

/** The `result` of a call, with an unchecked type. */
export async function result<T>(url: string, method: string, params?: unknown): Promise<T> {
  const { body } = await call(url, method, params);
  const parsed = JSON.parse(body) as { readonly result?: T; readonly error?: { readonly message: string } };
  if (parsed.result === undefined) throw new Error(`${method}: ${parsed.error?.message ?? body}`);
  return parsed.result;
}

/** The error message of a call. */
export async function refusal(url: string, method: string, params?: unknown): Promise<string> {
  const { body } = await call(url, method, params);
  const parsed = JSON.parse(body) as { readonly error?: { readonly message: string } };
  return parsed.error?.message ?? `no error: ${body}`;
}

type Check = {
  readonly message?: unknown;
  readonly error?: string;
  readonly timestamp: string;
  readonly contiguousFailures?: number;
  readonly timeOfFirstFailure?: string;
};
export type Report = { readonly healthy: boolean; readonly checks: Readonly<Record<string, Check>> };

export async function health(url: string): Promise<Report & { readonly status: number }> {
  const { status, body } = await get(url, "/ext/health");
  return { status, ...(JSON.parse(body) as Report) };
}
