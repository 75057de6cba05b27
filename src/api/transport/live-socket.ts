import type { WebSocket } from "ws";
import { definedTls, type Connection } from "./connection.ts";

/** What a WebSocket calls. Messages are text; a binary message arrives as an empty text. */
export type SocketHandlers = {
  readonly open: () => void;
  readonly message: (text: string) => void;
  /** Called once, whatever the reason. */
  readonly closed: () => void;
};

export type LiveSocket = {
  /** Does nothing while the socket is not open. */
  readonly send: (text: string) => void;
  /** Closes the socket for good; no handler is called after that. */
  readonly close: () => void;
};

/** Bytes of one message: a head is below 4 KiB. A larger message closes the socket. */
const MAX_MESSAGE = 1024 * 1024;

/** Milliseconds in which a server that says nothing can still complete the handshake. */
const HANDSHAKE_TIMEOUT = 30_000;

/**
 * Opens a WebSocket, on a connection of its own: one from the pool would not come back to it. The library is loaded with the
 * first socket: most daemons have none, and loading it takes 14 ms of CPU.
 * @param url `http:` or `https:`
 */
export function openSocket({ headers, tls }: Connection, url: string, handlers: SocketHandlers): LiveSocket {
  let socket: WebSocket | undefined;
  let over = false;
  const closed = (): void => {
    if (over) return;
    over = true;
    cut(socket);
    handlers.closed();
  };
  const opened = import("ws").then((library) => {
    if (over) return;
    socket = new library.WebSocket(url, {
      headers,
      ...definedTls(tls),
      handshakeTimeout: HANDSHAKE_TIMEOUT,
      maxPayload: MAX_MESSAGE,
      // A head is small: compressing it would cost more memory than it saves traffic.
      perMessageDeflate: false,
    });
    socket.addEventListener("open", () => {
      if (!over) handlers.open();
    });
    socket.addEventListener("message", ({ data }) => {
      if (!over) handlers.message(typeof data === "string" ? data : "");
    });
    socket.addEventListener("close", closed);
    socket.addEventListener("error", closed);
  });
  // The library's file is gone, or it refuses the options: the same as a node that refuses the socket.
  opened.catch(closed);
  return {
    send: (text) => {
      if (!over && socket !== undefined && socket.readyState === socket.OPEN) socket.send(text);
    },
    close: () => {
      over = true;
      cut(socket);
    },
  };
}

/** Says goodbye and does not wait for the answer: a silent server must not keep the process alive. */
function cut(socket: WebSocket | undefined): void {
  socket?.close();
  socket?.terminate();
}
