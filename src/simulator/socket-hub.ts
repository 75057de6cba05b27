import type { Duplex } from "node:stream";
import { openSession, socketChain } from "./evm-socket.ts";
import { behaviourAt } from "./network.ts";
import { acceptSocket, type ServerSocket } from "./websocket.ts";
import type { View } from "./wire.ts";

/** Every WebSocket of the simulated network. */

export type SocketHub = {
  /** Takes over a connection that asked for an upgrade. `index` is the node's, 0-based. */
  readonly upgrade: (index: number, path: string, headers: Headers, stream: Duplex) => void;
  readonly close: () => void;
};

type Headers = Readonly<Record<string, string | string[] | undefined>>;
type Open = { readonly index: number; readonly socket: ServerSocket; readonly look: () => void };

/** How often heads are looked for. Milliseconds of real time. */
const LOOK_MS = 50;

/** @param view the node of that index at the present moment */
export function createSocketHub(view: (index: number) => View): SocketHub {
  const opened = new Set<Open>();
  const attempts = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    for (const each of opened) {
      const now = view(each.index);
      if (behaviourAt(now.network, now.index, now.at).links === "down") each.socket.close(1001);
      else each.look();
    }
    if (opened.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }

  return {
    upgrade(index, path, headers, stream) {
      stream.on("error", () => undefined);
      const now = view(index);
      const { transport, evm } = behaviourAt(now.network, now.index, now.at);
      const attempt = (attempts.get(index) ?? 0) + 1;
      attempts.set(index, attempt);
      const chain = socketChain(now, path);
      if (typeof chain !== "string" || transport !== "ok" || (evm === "socket-drops" && attempt % 2 === 0)) {
        refuse(stream, typeof chain === "object" ? chain.status : 404);
        return;
      }
      const socket = acceptSocket(headers, stream, {
        // Nothing is read before this turn has ended.
        message: (text) => session.message(text),
        closed: () => void opened.delete(entry),
      });
      if (socket === undefined) {
        refuse(stream, 400);
        return;
      }
      const session = openSession(() => view(index), chain, socket);
      const entry: Open = { index, socket, look: session.look };
      opened.add(entry);
      timer ??= setInterval(look, LOOK_MS);
    },
    close() {
      clearInterval(timer);
      for (const { socket } of opened) socket.close(1001);
      opened.clear();
    },
  };
}

function refuse(stream: Duplex, status: number): void {
  stream.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
