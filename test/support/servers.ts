import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import { createServer as createTcp, type Server, type Socket } from "node:net";
import { bodyOf, listenOn } from "../e2e/support/recording-server.ts";
import { answerTo } from "./answer-id.ts";
import { afterThisTest } from "./cleanup.ts";

/** Servers on the loopback interface, closed with all their sockets after each test. */

export type Received = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

export type Serving = {
  readonly url: string;
  readonly port: number;
  /** Whole requests so far, oldest first. */
  readonly received: readonly Received[];
  /** Connections accepted so far. */
  readonly connections: () => number;
};

type Answer = (request: Received, response: ServerResponse) => void;

/** Serves HTTP; calls `answer` once the body of a request is complete. */
export function serve(answer: Answer): Promise<Serving> {
  const received: Received[] = [];
  return listening(
    createHttp((request, response) => collect(request, response, received, answer)),
    received,
    "http",
  );
}

/** The same over TLS. */
export function serveTls(keys: { readonly key: string; readonly cert: string }, answer: Answer): Promise<Serving> {
  const received: Received[] = [];
  return listening(
    createHttps(keys, (request, response) => collect(request, response, received, answer)),
    received,
    "https",
  );
}

/** Serves TCP. */
export function serveSockets(onSocket: (socket: Socket) => void): Promise<Serving> {
  return listening(
    createTcp((socket) => {
      socket.on("error", () => undefined);
      onSocket(socket);
    }),
    [],
    "http",
  );
}

/** The same answer to every request. */
export function always(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): (request: Received, response: ServerResponse) => void {
  return (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

function collect(request: IncomingMessage, response: ServerResponse, received: Received[], answer: Answer): void {
  void bodyOf(request).then((body) => {
    const { method = "", url = "", headers } = request;
    const whole = { method, url, headers, body };
    received.push(whole);
    const end = response.end.bind(response) as (text?: unknown) => ServerResponse;
    response.end = (text?: unknown) => end(typeof text === "string" ? answerTo(whole.body, text) : text);
    answer(whole, response);
  });
}

async function listening(server: Server, received: readonly Received[], scheme: string): Promise<Serving> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  afterThisTest.add(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  const port = await listenOn(server);
  return { url: `${scheme}://127.0.0.1:${port}`, port, received, connections: () => connections };
}
