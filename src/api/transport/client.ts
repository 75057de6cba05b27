import type { Connection } from "./connection.ts";
import type { OnCertificate } from "./open-connection.ts";
import { Exchanger, type HttpRequest } from "./exchanger.ts";
import { isNodeId } from "../cb58.ts";
import { ApiError, type Api, type Call, type Method, type Outcomes, type Resource } from "../endpoint.ts";
import { bounded } from "../bounded.ts";
import { connectionFailure } from "./failures.ts";
import { hideSecrets } from "../hide-secrets.ts";
import { createInFlight, type InFlight } from "./in-flight.ts";
import { openSocket, type LiveSocket, type SocketHandlers } from "./live-socket.ts";
import type { Look } from "../unknown/unknown-names.ts";
import type { ReceivedBody } from "./received-body.ts";
import { batchResults, batchText, bodyOf, read, requestText, resultOf, type HttpAnswer } from "./json-rpc.ts";

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

/** Memory is one for all servers of the process. */
const IN_FLIGHT = createInFlight();
const GET_HEADERS = { accept: "application/json" };
const POST_HEADERS = { "content-type": "application/json", ...GET_HEADERS };

/** A client of one server, with its own connections. */
export function createClient(
  connection: Connection,
  onNodeId: OnNodeId = () => undefined,
  onCertificate: OnCertificate = () => undefined,
  inFlight: InFlight = IN_FLIGHT,
): Client {
  return new HttpClient(connection, onNodeId, onCertificate, inFlight);
}

/** Its functions can be taken from it: a probe replaces one. */
class HttpClient implements Client {
  readonly #connection: Connection;
  readonly #onNodeId: OnNodeId;
  readonly #exchanger: Exchanger;
  readonly #origin: string;
  /** Path before that of each request; without a slash at its end. */
  readonly #prefix: string;
  readonly #headers: Readonly<Record<"GET" | "POST", Readonly<Record<string, string>>>>;
  readonly #hide: HttpAnswer["hide"];
  /** Asks that can begin: one for each connection, as an ask sends one request after the other. */
  #free: number;
  readonly #waiting: Array<() => void> = [];
  /** Whether the last request that ended was answered, if need be when sent once more: its connections are kept alive. */
  #isAnswering = false;
  /** Ids count up, so that an answer to another request is found. */
  #lastId = 0;
  /** The last header that was a node ID: the same one comes with every answer. */
  #nodeId: string | undefined;

  constructor(connection: Connection, onNodeId: OnNodeId, onCertificate: OnCertificate, inFlight: InFlight) {
    const { origin, pathname } = new URL(connection.url);
    this.#connection = connection;
    this.#onNodeId = onNodeId;
    this.#exchanger = new Exchanger(origin, connection, onCertificate, inFlight);
    this.#origin = origin;
    this.#prefix = pathname.replace(/\/+$/, "");
    const { headers } = connection;
    this.#headers = { GET: { ...GET_HEADERS, ...headers }, POST: { ...POST_HEADERS, ...headers } };
    this.#hide = hideSecrets(headers, connection.url);
    this.#free = connection.connections;
  }

  readonly within: Client["within"] = async (timeout, ask, look) => {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await ask(new ClientApi(this, { timeout, look }));
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  };

  readonly listen: Client["listen"] = (path, handlers) =>
    openSocket(this.#connection, `${this.#origin}${this.#prefix}${path}`, handlers);

  readonly close: Client["close"] = () => this.#exchanger.close();

  /** Unix seconds; absent where answers are not followed. */
  get now(): (() => number) | undefined {
    return this.#connection.now;
  }

  /** The whole answer to a request. @throws `ApiError` */
  async send(request: Pick<HttpRequest, "method" | "path" | "body">, canRepeat: boolean, { timeout, look }: Asking) {
    const { method, path, body } = request;
    try {
      const sent = { method, path: this.#prefix + path, headers: this.#headers[method], body };
      const received = await this.#exchanger.exchange(sent, timeout, canRepeat && this.#isAnswering);
      this.#isAnswering = true;
      this.#checkIdentity(received.headers);
      return { ...received, hide: this.#hide, at: this.now?.(), look };
    } catch (error) {
      this.#isAnswering = false;
      throw error instanceof ApiError ? error : new ApiError(connectionFailure(error, this.#connection), error);
    }
  }

  /** The first of so many new ids. */
  nextIds(count: number): number {
    this.#lastId += count;
    return this.#lastId - count + 1;
  }

  /** Reports the node ID of an answer. @throws `ApiError` `wrong_node` */
  #checkIdentity(headers: HttpAnswer["headers"]): void {
    const nodeId = headers["node-id"];
    if (typeof nodeId !== "string") return;
    const { expectNodeId: expected, acceptsNodeId } = this.#connection;
    if (expected !== undefined && nodeId !== expected && acceptsNodeId?.(nodeId) !== true) {
      throw new ApiError({
        reason: "wrong_node",
        message: `${bounded(nodeId)} answers at this address instead of ${expected}`,
      });
    }
    if (nodeId !== this.#nodeId && !isNodeId(nodeId)) return;
    this.#nodeId = nodeId;
    this.#onNodeId(nodeId);
  }
}

type Asking = { readonly timeout: number; readonly look: Look | undefined };

/** What one ask sends with. */
class ClientApi implements Api {
  readonly #client: HttpClient;
  readonly #asking: Asking;
  readonly now: Api["now"];

  constructor(client: HttpClient, asking: Asking) {
    this.#client = client;
    this.#asking = asking;
    this.now = client.now;
  }

  async call<P, R>(method: Method<P, R>, params: P): Promise<R> {
    const id = this.#client.nextIds(1);
    const body = requestText({ method, params }, id);
    const reply = await this.#sent("POST", method.path, body, method.writes !== true);
    return whole(reply, () => resultOf(reply, method, id));
  }

  async batch<const C extends readonly Call[]>(path: string, calls: C): Promise<Outcomes<C>> {
    const first = this.#client.nextIds(calls.length);
    const reply = await this.#sent("POST", path, batchText(calls, first));
    return whole(reply, () => batchResults(reply, calls, first)) as Outcomes<C>;
  }

  async get<R>(resource: Resource<R>, query: ReadonlyArray<readonly [string, string]> = []): Promise<R> {
    const reply = await this.#sent("GET", resource.path + searchOf(query), null);
    return whole(reply, () => read(resource.result, bodyOf(reply, resource), reply, resource));
  }

  #sent(method: "GET" | "POST", path: string, body: string | null, canRepeat = true) {
    return this.#client.send({ method, path, body }, canRepeat, this.#asking);
  }
}

/** Reads a whole answer, whose memory is free then. */
function whole<R>({ body }: { readonly body: ReceivedBody }, result: () => R): R {
  try {
    return result();
  } finally {
    body.drop();
  }
}

/** The part of a URL from its question mark on; empty without parameters. */
function searchOf(query: ReadonlyArray<readonly [string, string]>): string {
  if (query.length === 0) return "";
  return `?${query.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join("&")}`;
}
