import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { WebSocket } from "ws";
import { socketOptions, type Connection } from "./connection.ts";

/** Handlers of a WebSocket. A binary message arrives as an empty text. */
export type SocketHandlers = {
  readonly open: () => void;
  readonly message: (text: string) => void;
  /** Called once, for any reason. */
  readonly closed: () => void;
};

export type LiveSocket = {
  /** Does nothing while the socket is not open. */
  readonly send: (text: string) => void;
  /** Closes the socket; no handler is called afterwards. */
  readonly close: () => void;
};

/** Maximum bytes of a message: a head is below 4 KiB. A larger message closes the socket. */
const MAX_MESSAGE = 1024 * 1024;

/** Frames within so many milliseconds, pings and pongs included. A node sends a few a second; more would take the processor for good. */
const MOST_FRAMES = 30_000;
const FRAMES_WITHIN = 10_000;

/** Milliseconds for the handshake. The timeout of the library begins again with each byte. */
const HANDSHAKE_TIMEOUT = 30_000;

/**
 * Opens a WebSocket on a separate connection, which no request could use again. The library is loaded with the first socket, because
 * loading takes 14 ms of CPU and most daemons have no socket.
 * @param url `http:` or `https:`
 */
export function openSocket(
  { headers, tls, proxyUrl, noProxy }: Connection,
  url: string,
  handlers: SocketHandlers,
): LiveSocket {
  const proxyEnv = { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, NO_PROXY: noProxy };
  const agent =
    proxyUrl === undefined ? undefined : new (url.startsWith("https") ? HttpsAgent : HttpAgent)({ proxyEnv });
  let socket: WebSocket | undefined;
  let over = false;
  const closed = (): void => {
    if (over) return;
    over = true;
    clearTimeout(handshake);
    cut(socket);
    handlers.closed();
  };
  const handshake = setTimeout(closed, HANDSHAKE_TIMEOUT);
  let frames = 0;
  let since = performance.now();
  const count = (): void => {
    if (++frames <= MOST_FRAMES) return;
    const now = performance.now();
    if (now - since < FRAMES_WITHIN) closed();
    [frames, since] = [0, now];
  };
  const opened = import("ws").then((library) => {
    if (over) return;
    socket = new library.WebSocket(url, {
      headers,
      ...socketOptions(tls),
      agent,
      maxPayload: MAX_MESSAGE,
      // Heads are small: compression would cost more memory than it saves traffic.
      perMessageDeflate: false,
    });
    socket.addEventListener("open", () => {
      clearTimeout(handshake);
      if (!over) handlers.open();
    });
    socket.on("ping", count);
    socket.on("pong", count);
    socket.addEventListener("message", ({ data }) => {
      count();
      if (!over) handlers.message(typeof data === "string" ? data : "");
    });
    socket.addEventListener("close", closed);
    socket.addEventListener("error", closed);
  });
  // A missing library or refused options are handled like a node that refuses the socket.
  opened.catch(closed);
  return {
    send: (text) => {
      if (!over && socket !== undefined && socket.readyState === socket.OPEN) socket.send(text);
    },
    close: () => {
      over = true;
      clearTimeout(handshake);
      cut(socket);
    },
  };
}

/** Sends a close frame and does not wait for the reply: a server that does not reply must not keep the process alive. */
function cut(socket: WebSocket | undefined): void {
  socket?.close();
  socket?.terminate();
}
