import type { Dispatcher } from "undici";
import type { Connection } from "./connection.ts";
import { createPool, type OnCertificate } from "./connector.ts";
import { startDeadline } from "./deadline.ts";
import { isNodeId } from "../cb58.ts";
import { ApiError, type Api, type Call, type Method, type Outcomes, type Resource } from "../endpoint.ts";
import { bounded } from "../bounded.ts";
import type { Failure } from "../reasons.ts";
import { connectionFailure, isReset } from "./failures.ts";
import { hideSecrets } from "../secrets.ts";
import { createInFlight, MOST_IN_FLIGHT, type InFlight } from "./in-flight.ts";
import { openSocket, type LiveSocket, type SocketHandlers } from "./live-socket.ts";
import type { Look } from "../unknown/unknown-names.ts";
import { batchResults, batchText, bodyOf, read, requestText, resultOf, type HttpAnswer } from "./rpc.ts";

export type Client = {
  /**
   * Runs `ask` with an `Api`, whose requests it sends one after the other. Each has the whole time, as a slow server answers each, and
   * rejects with an `ApiError` at its deadline at the latest, even if the library ignores the abort. The first one begins when a
   * connection is free: waiting for one says nothing of the server.
   * @param timeout of each request, seconds
   * @param look gets each answer before it is read
   */
  readonly within: <A>(timeout: number, ask: (api: Api) => Promise<A>, look?: Look) => Promise<A>;
  /** Opens a WebSocket on a path, which its owner closes. It does not reconnect: `closed` is called once, for any error. */
  readonly listen: (path: string, handlers: SocketHandlers) => LiveSocket;
  readonly close: () => Promise<void>;
};

/** Receives the `node-id` header of each answer. A header that is not a node ID counts as none. */
export type OnNodeId = (nodeId: string) => void;

/** Opens the client of a server. */
export type Connect = (connection: Connection, onNodeId: OnNodeId, onCertificate?: OnCertificate) => Client;

/** Lifetime of an idle socket: longer than the common cadences, so that polls do not reconnect. */
const KEEP_ALIVE_MS = 60_000;
/** After this time without a new TLS connection one is replaced, because only a new one shows a renewed certificate. */
const TLS_LIFETIME_MS = 3_600_000;
/** Memory is one for all servers of the process. */
const IN_FLIGHT = createInFlight();
const GET_HEADERS = { accept: "application/json" };
const POST_HEADERS = { "content-type": "application/json", ...GET_HEADERS };

/** A client of one server, with its own connection pool. */
export function createClient(
  connection: Connection,
  onNodeId: OnNodeId = () => undefined,
  onCertificate: OnCertificate = () => undefined,
  inFlight: InFlight = IN_FLIGHT,
): Client {
  const { origin, pathname } = new URL(connection.url);
  const prefix = pathname.replace(/\/+$/, "");
  /** Last TLS connection, or request for one; `Infinity` with plain HTTP. Milliseconds. */
  let renewedAt = Infinity;
  const options = {
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxResponseSize: connection.maxResponseBytes,
    // Each poll has its own deadline; these bound the time that a socket stays in use after it.
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
  };
  const open = (connections: number): Dispatcher =>
    createPool(origin, connection, { ...options, connections }, (expiry) => {
      renewedAt = performance.now();
      onCertificate(expiry);
    });
  const pool = open(connection.connections);
  const pools = new Set([pool]);

  const getHeaders = { ...GET_HEADERS, ...connection.headers };
  const postHeaders = { ...POST_HEADERS, ...connection.headers };
  const hide = hideSecrets(connection.headers, connection.url);

  /** Whether the last request that ended was answered, if need be when sent once more: its connections are kept alive. */
  let isAnswering = false;

  /**
   * Sends a request, and once more on a connection of its own where a server that answered resets a kept one: one that restarts or
   * reloads, or a balancer that closes idle connections, does so, and it says nothing of the node.
   */
  async function exchanged(request: Request, timeout: number, canRepeat: boolean): Promise<HttpAnswer> {
    const until = performance.now() + timeout * 1000;
    const isKept = isAnswering && canRepeat;
    try {
      return await exchange(pool, request, timeout, hide, inFlight);
    } catch (error) {
      const left = Math.round(until - performance.now()) / 1000;
      if (!isKept || left <= 0 || !pools.has(pool) || !isReset(error)) throw error;
      const fresh = open(1);
      pools.add(fresh);
      return await exchange(fresh, request, left, hide, inFlight).finally(() => {
        pools.delete(fresh);
        void fresh.destroy().catch(() => undefined);
      });
    }
  }

  /** Sends a request and returns the whole answer. */
  async function send(
    method: "GET" | "POST",
    path: string,
    body: string | null,
    timeout: number,
    canRepeat = true,
  ): Promise<HttpAnswer> {
    const headers = body === null ? getHeaders : postHeaders;
    const reset = performance.now() - renewedAt > TLS_LIFETIME_MS;
    if (reset) renewedAt = performance.now();
    try {
      const reply = await exchanged({ origin, method, path: prefix + path, headers, body, reset }, timeout, canRepeat);
      isAnswering = true;
      checkIdentity(reply.headers);
      return { ...reply, at: connection.now?.() };
    } catch (error) {
      isAnswering = false;
      throw error instanceof ApiError ? error : new ApiError(connectionFailure(error, connection), error);
    }
  }

  /** Ids count up, so that an answer to another request is found. */
  let lastId = 0;
  function nextIds(count: number): number {
    lastId += count;
    return lastId - count + 1;
  }

  /** The last header that was a node ID: the same one comes with every answer. */
  let known: string | undefined;

  function checkIdentity(headers: HttpAnswer["headers"]): void {
    const nodeId = headers["node-id"];
    if (typeof nodeId !== "string") return;
    const expected = connection.expectNodeId;
    if (expected !== undefined && nodeId !== expected && connection.acceptsNodeId?.(nodeId) !== true) {
      throw new ApiError({
        reason: "wrong_node",
        message: `${bounded(nodeId)} answers at this address instead of ${expected}`,
      });
    }
    if (nodeId !== known && !isNodeId(nodeId)) return;
    known = nodeId;
    onNodeId(nodeId);
  }

  function api(timeout: number, look: Look | undefined): Api {
    return {
      now: connection.now,
      async call<P, R>(method: Method<P, R>, params: P): Promise<R> {
        const id = nextIds(1);
        const body = requestText({ method, params }, id);
        const reply = await send("POST", method.path, body, timeout, method.writes !== true);
        return resultOf({ ...reply, look }, method, id);
      },
      async batch<const C extends readonly Call[]>(path: string, calls: C): Promise<Outcomes<C>> {
        const first = nextIds(calls.length);
        const reply = await send("POST", path, batchText(calls, first), timeout);
        return batchResults({ ...reply, look }, calls, first) as Outcomes<C>;
      },
      async get<R>(resource: Resource<R>, query: ReadonlyArray<readonly [string, string]> = []): Promise<R> {
        const reply = await send("GET", resource.path + searchOf(query), null, timeout);
        return read(resource.result, bodyOf(reply, resource), { ...reply, look }, resource);
      },
    };
  }

  /** One for each connection: an ask sends one request after the other. */
  let free = connection.connections;
  const waiting: Array<() => void> = [];

  return {
    async within(timeout, ask, look) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await ask(api(timeout, look));
      } finally {
        const next = waiting.shift();
        if (next === undefined) free++;
        else next();
      }
    },
    listen: (path, handlers) => openSocket(connection, `${origin}${prefix}${path}`, handlers),
    async close() {
      const open = [...pools];
      pools.clear();
      await Promise.all(open.map((each) => each.destroy()));
    },
  };
}

/** The part of a URL from its question mark on; empty without parameters. */
function searchOf(query: ReadonlyArray<readonly [string, string]>): string {
  if (query.length === 0) return "";
  return `?${query.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join("&")}`;
}

type Request = Pick<Dispatcher.DispatchOptions, "origin" | "method" | "path" | "body" | "reset"> & {
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * One exchange with the callbacks of the pool, which cost less than a stream per answer. Rejects with the errors of the library,
 * and with an `ApiError` at the deadline, or where the answers under way are too large together.
 */
function exchange(
  pool: Dispatcher,
  request: Request,
  timeout: number,
  hide: HttpAnswer["hide"],
  inFlight: InFlight,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let status = 0;
    let headers: HttpAnswer["headers"] = {};
    let controller: Dispatcher.DispatchController | undefined;
    let failed: ApiError | undefined;
    const fail = (failure: Failure): void => {
      failed = new ApiError(failure);
      endDeadline();
      reject(failed);
      controller?.abort(failed);
    };
    const charge = inFlight(() => fail(TOO_MANY_BYTES));
    const endDeadline = startDeadline(timeout, fail);
    const end = (): void => {
      charge.end();
      endDeadline();
    };
    pool.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (failed !== undefined) started.abort(failed);
      },
      onResponseStart(_controller, code, received) {
        status = code;
        headers = received;
      },
      onResponseData(_controller, chunk) {
        parts.push(chunk);
        charge.add(chunk.length);
      },
      onResponseEnd() {
        end();
        resolve({ status, headers, body: parts, hide });
      },
      onResponseError(_controller, error) {
        end();
        reject(error);
      },
    });
  });
}

const TOO_MANY_BYTES = {
  reason: "too_large",
  message: `the answers under way have more than ${MOST_IN_FLIGHT} bytes together, and this one has most of them`,
} as const;
