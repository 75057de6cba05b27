import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { ApiError } from "../endpoint.ts";
import type { Failure } from "../reasons.ts";
import type { Connection } from "./connection.ts";
import { openConnection, type OnCertificate } from "./open-connection.ts";
import { startDeadline } from "./start-deadline.ts";
import { isReset } from "./failures.ts";
import { MOST_IN_FLIGHT, type InFlight } from "./in-flight.ts";
import type { HttpAnswer } from "./json-rpc.ts";
import { ReceivedBody } from "./received-body.ts";

/** A request as it is sent: its path is that of the server. */
export type HttpRequest = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** What is received: the answer without what the client knows about it. */
export type Received = Pick<HttpAnswer, "status" | "headers"> & { readonly body: ReceivedBody };

/** Lifetime of an idle socket: longer than the common cadences, so that polls do not reconnect. */
const KEEP_ALIVE_MS = 60_000;
/** After this time without a new TLS connection one is replaced, because only a new one shows a renewed certificate. */
const TLS_LIFETIME_MS = 3_600_000;

/** The connections to one server, one for each request that is under way. */
export class Exchanger {
  readonly #origin: string;
  readonly #inFlight: InFlight;
  readonly #connect: () => Dispatcher;
  /**
   * Connections that wait for a request, the one used last at the end: it is taken first, and the others are closed when idle. The pool
   * of the library keeps 16 kB for each server for requests that wait, which none does here: 16 MB of a fleet of 1,000 nodes.
   */
  readonly #idle: Dispatcher[] = [];
  readonly #open = new Set<Dispatcher>();
  #closed = false;
  /** Last TLS connection, or request for one; `Infinity` with plain HTTP. Milliseconds. */
  #renewedAt = Infinity;

  constructor(origin: string, connection: Connection, onCertificate: OnCertificate, inFlight: InFlight) {
    this.#origin = origin;
    this.#inFlight = inFlight;
    const options = {
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxResponseSize: connection.maxResponseBytes,
      // Each poll has its own deadline, which ends its connection: these are never reached.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    this.#connect = () =>
      openConnection(origin, connection, options, (expiry) => {
        this.#renewedAt = performance.now();
        onCertificate(expiry);
      });
  }

  /**
   * Sends a request, and with `canRepeat` once more on another connection where the server resets a kept one: one that restarts
   * or reloads, or a balancer that closes idle connections, does so, and it says nothing of the node.
   * @param timeout of both together, seconds
   * @throws the errors of the library, and `ApiError` at the deadline, or where the answers under way are too large together
   */
  async exchange(request: HttpRequest, timeout: number, canRepeat: boolean): Promise<Received> {
    const until = performance.now() + timeout * 1000;
    const reset = performance.now() - this.#renewedAt > TLS_LIFETIME_MS;
    if (reset) this.#renewedAt = performance.now();
    const dispatched = { origin: this.#origin, ...request, reset };
    try {
      return await this.#sent(this.#idle.pop() ?? this.#opened(), dispatched, timeout);
    } catch (error) {
      const left = Math.round(until - performance.now()) / 1000;
      if (!canRepeat || left <= 0 || this.#closed || !isReset(error)) throw error;
      return this.#sent(this.#opened(), dispatched, left);
    }
  }

  #opened(): Dispatcher {
    const connection = this.#connect();
    // It refuses the request.
    if (this.#closed) void connection.destroy();
    else this.#open.add(connection.on("disconnect", () => this.#drop(connection)));
    return connection;
  }

  /**
   * Forgets an idle connection whose socket was closed. Kept, each is 3 kB in 45 objects, and of a node whose first polls are sent together
   * there were sixteen: 40 MB of a fleet of 1,000 nodes. One by way of a proxy does not tell, and is kept.
   */
  #drop(connection: Dispatcher): void {
    const index = this.#idle.indexOf(connection);
    // A request on it fails, or opens another socket.
    if (index < 0) return;
    this.#idle.splice(index, 1);
    this.#ended(connection);
  }

  #ended(connection: Dispatcher): void {
    this.#open.delete(connection);
    void connection.destroy().catch(() => undefined);
  }

  /** One request on a connection, which ends with one that fails: a handshake that hangs must not have the next request wait. */
  #sent(connection: Dispatcher, request: Dispatcher.DispatchOptions, timeout: number): Promise<Received> {
    return new Promise((resolve, reject) => {
      const answered = (received: Received): void => {
        this.#idle.push(connection);
        resolve(received);
      };
      const failed = (error: Error): void => {
        this.#ended(connection);
        reject(error);
      };
      connection.dispatch(request, new Exchange(timeout, this.#inFlight, answered, failed));
    });
  }

  /** Ends all connections; what is under way fails. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#idle.length = 0;
    await Promise.all([...this.#open].map((each) => each.destroy()));
  }
}

/**
 * One exchange with the callbacks of the library, which cost less than a stream per answer. Of what waits for a node V8 makes old
 * objects, in memory until the whole heap is collected, so there is little of it before the answer begins.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #inFlight: InFlight;
  readonly #answered: (received: Received) => void;
  readonly #failed: (error: Error) => void;
  readonly #endDeadline: () => void;
  /** Until the library has begun it, it cannot be ended. */
  #controller: Dispatcher.DispatchController | undefined;
  #failure: ApiError | undefined;
  #answer: (Received & { readonly charge: ReturnType<InFlight> }) | undefined;

  constructor(
    timeout: number,
    inFlight: InFlight,
    answered: (received: Received) => void,
    failed: (error: Error) => void,
  ) {
    this.#inFlight = inFlight;
    this.#answered = answered;
    this.#failed = failed;
    this.#endDeadline = startDeadline(timeout, (failure) => this.#fail(failure));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure !== undefined) controller.abort(this.#failure);
  }

  /** Is called for each informational answer too. */
  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    const { body, charge } = this.#answer ?? {
      body: new ReceivedBody(),
      charge: this.#inFlight(() => this.#fail(TOO_MANY_BYTES)),
    };
    this.#answer = { status, headers: readHeaders(headers), body, charge };
    dropHeaders(controller);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#answer?.body.add(chunk);
    this.#answer?.charge.add(chunk.length);
  }

  onResponseEnd(): void {
    this.#end();
    if (this.#answer === undefined || this.#failure !== undefined) return;
    const { status, headers, body } = this.#answer;
    this.#answered({ status, headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    this.#answer?.body.drop();
    this.#failed(this.#failure ?? error);
  }

  #fail(failure: Failure): void {
    this.#failure = new ApiError(failure);
    this.#endDeadline();
    this.#controller?.abort(this.#failure);
    // At once, even if the library ignores the abort.
    this.#failed(this.#failure);
  }

  #end(): void {
    this.#answer?.charge.end();
    this.#endDeadline();
  }
}

/**
 * Of the headers of an answer those that are read. The others would be in memory until the whole heap is collected, as its text would
 * (`HttpAnswer.body`): 1 MB/s of a fleet of 1,000 nodes.
 */
function readHeaders(received: IncomingHttpHeaders): Received["headers"] {
  return { "node-id": received["node-id"], date: received["date"], "retry-after": received["retry-after"] };
}

/** The library keeps the bytes of all headers in a list that is old when the answer comes, and makes another for the next one. */
function dropHeaders(controller: Dispatcher.DispatchController): void {
  if (Array.isArray(controller.rawHeaders)) controller.rawHeaders.length = 0;
}

const TOO_MANY_BYTES = {
  reason: "too_large",
  message: `the answers under way have more than ${MOST_IN_FLIGHT} bytes together, and this one has most of them`,
} as const;
