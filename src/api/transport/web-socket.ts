import SocketDispatcher from "undici/lib/dispatcher/client.js";
import { WebSocket } from "undici/lib/web/websocket/websocket.js";
import { definedTls, type Connection } from "./connection.ts";
import type { LiveSocket, SocketHandlers } from "./live-socket.ts";

/** Bytes of one message: a head is below 4 KiB. A larger one closes the socket. */
const MAX_SOCKET_MESSAGE = 1024 * 1024;

/** On a connection of its own: it would otherwise keep one of the pool's for ever. */
export function openWebSocket({ headers, tls }: Connection, url: string, handlers: SocketHandlers): LiveSocket {
  const dispatcher = new SocketDispatcher(new URL(url).origin, {
    webSocket: { maxPayloadSize: MAX_SOCKET_MESSAGE },
    connect: { timeout: 30_000, ...definedTls(tls) },
  });
  const socket = new WebSocket(url.replace(/^http/, "ws"), { dispatcher, headers: { ...headers } });
  let over = false;
  const end = (): void => {
    over = true;
    void dispatcher.destroy().catch(() => undefined);
  };
  socket.addEventListener("open", () => {
    if (!over) handlers.open();
  });
  socket.addEventListener("message", ({ data }) => {
    if (!over) handlers.message(typeof data === "string" ? data : "");
  });
  const closed = (): void => {
    if (over) return;
    end();
    handlers.closed();
  };
  socket.addEventListener("close", closed);
  socket.addEventListener("error", closed);
  return {
    send: (text) => {
      if (!over && socket.readyState === socket.OPEN) socket.send(text);
    },
    close: () => {
      if (over) return;
      end();
      socket.close();
    },
  };
}
