import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer, type Server as TlsServer } from "node:tls";
import { answerTo } from "../../support/answer-id.ts";
import type { Keys } from "../../support/certificates.ts";
import {
  bodyOf,
  createPlayer,
  listenOn,
  type Answered,
  type Player,
  type Question,
  type Reply,
} from "../../e2e/support/recording-server.ts";
import type { Recording } from "../../e2e/support/recording.ts";

/** One request during a fault. `raw` writes bytes past the HTTP server. */
export type Exchange = {
  readonly question: Question;
  /** The answer of the node without the fault. */
  readonly reply: Reply;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Duplex;
};

/** How a server misbehaves; whatever is left out stays as recorded. */
export type Fault = {
  /** Nothing listens at the port. */
  readonly closed?: true;
  /** Takes a connection before TLS and HTTP. */
  readonly connection?: (socket: Socket) => void;
  /** Another certificate than the trusted one. */
  readonly keys?: () => Keys;
  /** Answers a request; `false` leaves it to the recorded node. */
  readonly answer?: (exchange: Exchange) => unknown;
  /** Takes a WebSocket handshake; refused with 404 if left out. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
};

export type FaultServer = {
  readonly url: string;
  /** Begins a fault, in place of the one before. */
  readonly begin: (fault: Fault) => Promise<void>;
  /** Is the recorded node again. Connections that the fault left hanging stay so. */
  readonly end: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type FaultServerOptions = {
  /** Serves HTTPS with this certificate. */
  readonly keys?: Keys;
  /** Takes WebSocket handshakes while there is no fault. */
  readonly upgrade?: Fault["upgrade"];
  /** Changes the recorded answers, for a node in another state than that of the recording. */
  readonly twist?: (answered: Answered) => Reply;
};

/**
 * A recorded or simulated node on a loopback port that can be made to fail at every stage: listening, accepting, TLS, HTTP, the
 * answer. The port and the node stay the same, so that the end of a fault is the return of the same node.
 */
export async function startFaultServer(
  node: Recording | Player,
  options: FaultServerOptions = {},
): Promise<FaultServer> {
  const play = typeof node === "function" ? node : createPlayer(node);
  const sockets = new Set<Socket>();
  let fault: Fault = {};

  const http = createHttpServer({ keepAliveTimeout: 120_000 });
  http.on("request", (request, response) => void serve(request, response).catch(() => response.destroy()));
  http.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => undefined);
    const take = fault.upgrade ?? options.upgrade;
    if (take === undefined) socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    else take(request, socket, head);
  });
  // A client that gives up is no fault of the server.
  http.on("clientError", (_error, socket) => socket.destroy());

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    const body = await bodyOf(request);
    const answered = play(request.method ?? "", request.url ?? "", body);
    const twisted = options.twist?.(answered);
    const reply = twisted === undefined ? answered.reply : { ...twisted, body: answerTo(body, twisted.body) };
    const exchange = { question: answered.question, reply, request, response, socket: request.socket };
    if (fault.answer !== undefined && (await fault.answer(exchange)) !== false) return;
    send(response, reply);
  }

  const secured = new Map<Keys, TlsServer>();
  function tlsServer(keys: Keys): TlsServer {
    const known = secured.get(keys);
    if (known !== undefined) return known;
    const server = createTlsServer(keys, (socket) => http.emit("connection", socket));
    server.on("tlsClientError", () => undefined);
    secured.set(keys, server);
    return server;
  }

  const listener = () =>
    createTcpServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
      const keys = options.keys === undefined ? undefined : (fault.keys?.() ?? options.keys);
      if (fault.connection !== undefined) fault.connection(socket);
      else if (keys !== undefined) tlsServer(keys).emit("connection", socket);
      else http.emit("connection", socket);
    });
  let server = listener();
  const port = await listenBelowEphemeral(server);

  async function change(next: Fault): Promise<void> {
    const cuts = next.closed === true || next.connection !== undefined || next.keys !== undefined;
    const wasClosed = fault.closed === true;
    fault = next;
    if (next.closed === true && !wasClosed) await closed(server, sockets);
    if (wasClosed && next.closed !== true) {
      server = listener();
      await listenOn(server, port);
    }
    if (cuts) for (const socket of sockets) socket.destroy();
  }

  return {
    url: `${options.keys === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    begin: change,
    end: () => change({}),
    async close() {
      fault = {};
      http.closeAllConnections();
      await closed(server, sockets);
    },
  };
}

/** Writes a recorded, simulated or made-up answer. */
export function send(response: ServerResponse, reply: Reply): void {
  // The text of prepared bytes is made only when it is read.
  const content = reply.bytes ?? reply.body;
  response.sendDate = false;
  response.writeHead(reply.status, { ...reply.headers, "content-length": Buffer.byteLength(content) }).end(content);
}

/** Sends the JSON of a value in place of the recorded body. */
export function sendBody({ question, response, reply }: Exchange, made: string | Buffer): void {
  const id = JSON.stringify({ id: question.rpc?.id });
  const body = typeof made === "string" ? answerTo(id, made) : made;
  const { "content-type": type = "application/json", "node-id": nodeId } = reply.headers;
  response.sendDate = false;
  const headers = { "content-type": type, ...(nodeId === undefined ? {} : { "node-id": nodeId }) };
  response.writeHead(200, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

function closed(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return Promise.resolve();
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of sockets) socket.destroy();
  return done;
}

/** Ports below those that the system gives to clients: a closed port must still be free when its server returns. */
const [LOWEST, PORTS] = [18_000, 12_000];

async function listenBelowEphemeral(server: Server): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    const port = LOWEST + Math.floor(Math.random() * PORTS);
    try {
      return await listenOn(server, port);
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}
