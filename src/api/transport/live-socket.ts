import type { Connection } from "./connection.ts";

/** Called by a WebSocket. Messages are text; a binary one is handed over as an empty text. */
export type SocketHandlers = {
  readonly open: () => void;
  readonly message: (text: string) => void;
  readonly closed: () => void;
};

export type LiveSocket = {
  readonly send: (text: string) => void;
  /** Closes it for good; no handler is called any more. */
  readonly close: () => void;
};

/** Opens a WebSocket. What that needs of the library is loaded with the first one: most fleets have none. */
export function openSocket(connection: Connection, url: string, handlers: SocketHandlers): LiveSocket {
  let socket: LiveSocket | undefined;
  let over = false;
  import("./web-socket.ts").then(
    ({ openWebSocket }) => {
      if (!over) socket = openWebSocket(connection, url, handlers);
    },
    // The program's own files are gone: no socket, as when the node refuses one.
    () => {
      if (!over) handlers.closed();
    },
  );
  return {
    send: (text) => socket?.send(text),
    close() {
      over = true;
      socket?.close();
    },
  };
}
