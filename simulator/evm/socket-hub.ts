import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { openSession, socketChain, type ServerSocket } from "./evm-socket.ts";
import { behaviourAt } from "../world/network.ts";
import type { View } from "../world/wire.ts";

/** Every WebSocket of the simulated network. */
export type SocketHub = {
  /** Accepts an upgrade request to a node (0-based). */
  readonly upgrade: (index: number, handshake: IncomingMessage, stream: Duplex, head: Buffer) => void;
  readonly close: () => void;
};

type Open = { readonly index: number; readonly socket: ServerSocket; readonly announce: () => void };

/** Interval of checks for new heads. Milliseconds of real time. */
const CHECK_MS = 50;

/** Maximum bytes of a message from a client. */
const MAX_MESSAGE = 1024 * 1024;

/** Close code of a server that shuts down. */
const GOING_AWAY = 1001;

/** @param view returns the current state of a node */
export function createSocketHub(view: (index: number) => View): SocketHub {
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: MAX_MESSAGE });
  const opened = new Set<Open>();
  let timer: NodeJS.Timeout | undefined;

  function announceAll(): void {
    for (const each of opened) {
      const now = view(each.index);
      const { links, transport } = behaviourAt(now.network, now.index, now.at);
      if (links === "down") each.socket.close();
      else if (transport !== "hanging") each.announce();
    }
    if (opened.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }

  return {
    upgrade(index, handshake, stream, head) {
      stream.on("error", () => undefined);
      const now = view(index);
      const { transport } = behaviourAt(now.network, now.index, now.at);
      const chain = socketChain(now, (handshake.url ?? "/").split("?", 1)[0] ?? "/");
      if (typeof chain !== "string" || transport !== "ok") {
        refuse(stream, typeof chain === "object" ? chain.status : 404);
        return;
      }
      server.handleUpgrade(handshake, stream, head, (accepted) => {
        const socket: ServerSocket = {
          send: (text) => accepted.send(text),
          close() {
            accepted.close(GOING_AWAY);
            accepted.terminate();
          },
        };
        const session = openSession(() => view(index), chain, socket);
        const entry: Open = { index, socket, announce: session.announce };
        accepted.addEventListener("message", ({ data }) => {
          const present = view(index);
          const isHanging = behaviourAt(present.network, index, present.at).transport === "hanging";
          if (typeof data === "string" && !isHanging) session.message(data);
        });
        accepted.addEventListener("close", () => void opened.delete(entry));
        // A protocol error of the client: "close" follows.
        accepted.addEventListener("error", () => undefined);
        opened.add(entry);
        timer ??= setInterval(announceAll, CHECK_MS);
      });
    },
    close() {
      clearInterval(timer);
      for (const { socket } of opened) socket.close();
      opened.clear();
    },
  };
}

function refuse(stream: Duplex, status: number): void {
  stream.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
