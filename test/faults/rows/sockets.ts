import type { Duplex } from "node:stream";
import type { IncomingMessage } from "node:http";
import { WebSocketServer, type WebSocket } from "ws";
import type { Fault } from "../support/fault-server.ts";
import { writeEndlessly } from "../../support/write-endlessly.ts";
import { SOON, type Group, type Row } from "../support/row.ts";

const server = new WebSocketServer({ noServer: true });

/** Takes the handshake and hands the open socket over. */
const opened =
  (use: (socket: WebSocket) => void) =>
  (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    server.handleUpgrade(request, socket, head, (open) => {
      open.on("error", () => undefined);
      use(open);
    });

/** A node that accepts the subscription and has no news. */
export const healthySocket = opened((socket) =>
  socket.on("message", (data) => {
    const { id } = JSON.parse((data as Buffer).toString()) as { id: number };
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1" }));
  }),
);

const HEAD = JSON.stringify({
  jsonrpc: "2.0",
  method: "eth_subscription",
  params: { subscription: "0x1", result: { number: "0x4d" } },
});

/** Sockets only make a poll due sooner: nothing else changes with them, and they come back after their own wait. */
const row = (id: string, fault: string, upgrade: NonNullable<Fault["upgrade"]>): Row => ({
  id: `socket-${id}`,
  fault: `WebSocket: ${fault}`,
  behave: () => ({ upgrade, answer: () => false }),
  server: () => ({ upgrade: healthySocket }),
  fails: {},
  down: "no",
  recovery: SOON,
  changes: ["avax_evm_websocket_up"],
});

const rows: readonly Row[] = [
  row("refused", "refused with HTTP 403", (_request, socket) =>
    socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"),
  ),
  row("silence", "the handshake is never answered", () => undefined),
  row("reset", "reset within the handshake", (_request, socket) => socket.destroy()),
  row("garbage-handshake", "garbage instead of the handshake", (_request, socket) => socket.end("garbage\r\n\r\n")),
  row("wrong-key", "a handshake with a wrong key", (_request, socket) =>
    socket.end(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: no\r\n\r\n",
    ),
  ),
  row(
    "closes",
    "closed after the handshake",
    opened((socket) => socket.close()),
  ),
  row(
    "error",
    "the subscription is refused",
    opened((socket) => socket.on("message", () => socket.send('{"id":1,"error":{"code":1}}'))),
  ),
  row(
    "garbage",
    "frames of garbage",
    opened((socket) => {
      (socket as unknown as { readonly _socket: Duplex })._socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 2, 3]));
    }),
  ),
  row(
    "not-json",
    "messages that are not JSON",
    opened((socket) => {
      for (const text of ["", "null", "[]", "{", "__proto__", "1e999"]) socket.send(text);
    }),
  ),
  row(
    "binary",
    "binary messages",
    opened((socket) => socket.send(Buffer.alloc(1000, 7))),
  ),
  row(
    "huge",
    "a message of 5 MB",
    opened((socket) => socket.send("x".repeat(5_000_000))),
  ),
  row(
    "proto",
    "`__proto__` in the messages",
    opened((socket) =>
      socket.send('{"id":1,"result":"0x1","__proto__":{"method":"eth_subscription"},"method":"constructor"}'),
    ),
  ),
  row(
    "flood",
    "2,000 new heads a second",
    opened((socket) => {
      socket.send('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
      const timer = setInterval(() => {
        for (let i = 0; i < 100; i++) socket.send(HEAD);
      }, 50);
      socket.on("close", () => clearInterval(timer));
    }),
  ),
  row(
    "endless",
    "messages without end, as fast as they are read",
    opened((socket) => {
      // Ten thousand text frames of one character.
      const many = Buffer.alloc(30_000, Buffer.from([0x81, 1, 0x20]));
      writeEndlessly((socket as unknown as { readonly _socket: Duplex })._socket, many);
    }),
  ),
];

export const sockets: Group = { title: "WebSockets", scene: "sockets", rows };
