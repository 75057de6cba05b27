import { setImmediate as nextTurn } from "node:timers/promises";
import { Pool, type Dispatcher } from "undici";
import type { z } from "zod";
import { ApiError, type Api, type Method, type Resource } from "./endpoint.ts";
import { connectionFailure, statusFailure } from "./failures.ts";

/** How to reach a server. Secrets are in `headers` and `tls` alone; neither is ever part of a message. */
export type Connection = {
  /** Scheme, host, port and an optional path prefix; no trailing slash. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls?: TlsOptions | undefined;
  /** Bytes of a body; a larger one fails the poll with `too_large`. */
  readonly maxResponseBytes: number;
  /** Sockets kept to this server. */
  readonly connections: number;
  /** Every answer must carry this `node-id` header, when both are there. */
  readonly expectNodeId?: string | undefined;
};

export type TlsOptions = {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly servername?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
};

export type Client = {
  /**
   * Runs `ask` with an `Api` whose requests all share one deadline. Rejects with an `ApiError`, at the deadline at the
   * latest, whatever the library does with its abort signal.
   * @param timeout seconds
   */
  readonly within: <A>(timeout: number, ask: (api: Api) => Promise<A>) => Promise<A>;
  readonly close: () => Promise<void>;
};

/** Told of each answer's `node-id` header: a free identity check. */
export type OnNodeId = (nodeId: string) => void;

/** Keeps an idle socket this long: longer than the common cadences, so that polls do not reconnect. */
const KEEP_ALIVE_MS = 60_000;
/** Bodies above this many characters are parsed and validated in separate turns of the event loop. */
const LARGE_BODY = 100_000;
const JSON_HEADERS = { "content-type": "application/json", accept: "application/json" };

/** A client of one server, with a small pool of its own. */
export function createClient(connection: Connection, onNodeId: OnNodeId = () => undefined): Client {
  const { origin, pathname } = new URL(connection.url);
  const prefix = pathname.replace(/\/+$/, "");
  const pool = new Pool(origin, {
    connections: connection.connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxResponseSize: connection.maxResponseBytes,
    // Each poll races a deadline of its own; these only bound what a socket can hold on to afterwards.
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
    connect: { timeout: 30_000, ...definedTls(connection.tls) },
  });

  async function send(method: "GET" | "POST", path: string, body: string | null, signal: AbortSignal): Promise<Reply> {
    try {
      const response = await pool.request({
        method,
        path: prefix + path,
        headers:
          body === null
            ? { accept: "application/json", ...connection.headers }
            : { ...JSON_HEADERS, ...connection.headers },
        body,
        signal,
      });
      const text = await response.body.text();
      checkIdentity(response.headers);
      return { status: response.statusCode, headers: response.headers, text };
    } catch (error) {
      throw error instanceof ApiError
        ? error
        : new ApiError(connectionFailure(error, connection.maxResponseBytes), error);
    }
  }

  function checkIdentity(headers: Dispatcher.ResponseData["headers"]): void {
    const nodeId = headers["node-id"];
    if (typeof nodeId !== "string") return;
    const expected = connection.expectNodeId;
    if (expected !== undefined && nodeId !== expected) {
      throw new ApiError({ reason: "wrong_node", message: `${bounded(nodeId)} answers here, not ${expected}` });
    }
    onNodeId(nodeId);
  }

  function api(signal: AbortSignal): Api {
    return {
      async call<P, R>(method: Method<P, R>, params: P): Promise<R> {
        const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: method.name, params });
        return resultOf(await send("POST", method.path, request, signal), method);
      },
      async get<R>(resource: Resource<R>, query: ReadonlyArray<readonly [string, string]> = []): Promise<R> {
        const search = query.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join("&");
        const reply = await send("GET", search === "" ? resource.path : `${resource.path}?${search}`, null, signal);
        if (!(resource.statuses ?? [200]).includes(reply.status)) throw statusError(reply);
        const json = parseJson(reply);
        if (json === undefined) throw reply.status === 200 ? notJson(reply) : statusError(reply);
        return validated(resource.result, json.value, reply);
      },
    };
  }

  return {
    async within(timeout, ask) {
      const abort = new AbortController();
      const { promise: expired, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        reject(new ApiError({ reason: "timeout", message: `no complete answer within ${timeout} s` }));
        abort.abort();
      }, timeout * 1000);
      try {
        return await Promise.race([ask(api(abort.signal)), expired]);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => pool.destroy(),
  };
}

type Reply = {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData["headers"];
  readonly text: string;
};

/** The validated `result` of a JSON-RPC answer; an `error` counts whatever the HTTP status says. */
async function resultOf<P, R>(reply: Reply, method: Method<P, R>): Promise<R> {
  const json = parseJson(reply);
  if (json === undefined) throw reply.status === 200 ? notJson(reply) : statusError(reply);
  const envelope = json.value;
  if (typeof envelope !== "object" || envelope === null) throw reply.status === 200 ? notRpc() : statusError(reply);
  if ("error" in envelope && envelope.error !== null && envelope.error !== undefined && !("result" in envelope)) {
    throw rpcError(envelope.error, method.name, reply);
  }
  if (reply.status !== 200) throw statusError(reply);
  if (!("result" in envelope)) throw notRpc();
  return validated(method.result, envelope.result, reply, "result");
}

function parseJson({ text }: Reply): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

async function validated<R>(schema: z.ZodType<R>, value: unknown, reply: Reply, root = ""): Promise<R> {
  if (reply.text.length > LARGE_BODY) await nextTurn();
  const parsed = schema.safeParse(value);
  if (reply.text.length > LARGE_BODY) await nextTurn();
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 3).map(({ path, message }) => {
    const place = [root, ...path.map(String)].filter((part) => part !== "").join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  const more = parsed.error.issues.length - problems.length;
  throw new ApiError({
    reason: "schema",
    message: bounded(problems.join("; "), 400) + (more > 0 ? ` (and ${more} more)` : ""),
  });
}

/** "can't find", "ill-formed": what Go's RPC server says of a method that it does not have; -32601 is the standard's word. */
const NO_SUCH_METHOD =
  /can't find (method|service)|request ill-formed|does not exist\/is not available|method not found/i;

function rpcError(error: unknown, method: string, reply: Reply): ApiError {
  const fields = typeof error === "object" && error !== null ? error : { message: error };
  const message = "message" in fields && typeof fields.message === "string" ? fields.message : JSON.stringify(error);
  const code = "code" in fields && typeof fields.code === "number" ? fields.code : undefined;
  const missing = code === -32601 || NO_SUCH_METHOD.test(message);
  return new ApiError({
    reason: missing ? "unsupported" : "rpc_error",
    message: `${method}: ${bounded(message)}`,
    rpcMessage: message.slice(0, 1000),
    status: reply.status,
  });
}

function notRpc(): ApiError {
  return new ApiError({ reason: "not_json", message: "the JSON that came back is no JSON-RPC answer" });
}

function notJson({ text, status }: Reply): ApiError {
  const shown = text.trim() === "" ? "an empty body" : `"${bounded(text)}"`;
  return new ApiError({ reason: "not_json", message: `not JSON but ${shown}`, status });
}

function statusError({ status, headers, text }: Reply): ApiError {
  return new ApiError(statusFailure(status, text.slice(0, 300), headers["retry-after"], bounded(text)));
}

/** A stranger's text, on one line and short enough for a log line or a table cell. */
function bounded(text: string, length = 160): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length > length ? `${line.slice(0, length)}…` : line;
}

function definedTls(tls: TlsOptions | undefined): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(tls ?? {}).filter((entry): entry is [string, string | boolean] => entry[1] !== undefined),
  );
}
