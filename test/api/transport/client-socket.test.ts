import { afterEach, describe, expect, it, vi } from "vitest";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import type { Connection } from "../../../src/api/transport/connection.ts";
import { selfSigned } from "../../support/certificates.ts";
import { clientOf } from "../../support/clients.ts";
import { serveSockets } from "../../support/servers.ts";

/** WebSockets of the client to a server on the loopback interface. */

const servers: Server[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** Listens on a free port until the end of the test. */
async function urlOf(server: Server, scheme = "http"): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function socketServer(onOpen: (socket: WebSocket) => void) {
  const asked: Array<{ url: string; token: unknown }> = [];
  const server = createServer();
  new WebSocketServer({ server }).on("connection", (socket, message) => {
    asked.push({ url: message.url ?? "", token: message.headers["x-token"] });
    socket.addEventListener("message", ({ data }) => {
      const text = typeof data === "string" ? data : "no text";
      socket.send(`heard ${text}`);
    });
    onOpen(socket);
  });
  return { url: await urlOf(server), asked };
}

/** Opens a socket; `end` resolves when it closes, or after `until` messages. */
function listening(url: string, until: number, prefix = "", more: Partial<Connection> = {}) {
  const client = clientOf(`${url}${prefix}`, { headers: { "x-token": "t" }, ...more });
  const messages: string[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = client.listen("/ext/bc/C/ws", {
    open: () => socket.send("hello"),
    message: (text) => {
      messages.push(text);
      if (messages.length === until) resolve("enough");
    },
    closed: () => resolve("closed"),
  });
  return { end: promise, messages, socket };
}

describe("a WebSocket", () => {
  it("uses the path prefix and the headers of the connection, and works in both directions", async () => {
    const server = await socketServer((socket) => socket.send("welcome"));
    const { end, messages, socket } = listening(server.url, 2, "/node/1");
    expect(await end).toBe("enough");
    expect(messages).toEqual(["welcome", "heard hello"]);
    expect(server.asked).toEqual([{ url: "/node/1/ext/bc/C/ws", token: "t" }]);
    socket.close();
  });

  it("delivers long messages and closes on one above the limit", async () => {
    const server = await socketServer((socket) => {
      socket.send("x".repeat(70_000));
      socket.send("y".repeat(1_100_000));
    });
    const { end, messages } = listening(server.url, 5);
    expect(await end).toBe("closed");
    expect(messages.map((text) => text.length)).toContain(70_000);
    expect(messages.every((text) => text.length < 1_000_000)).toBe(true);
  });

  it.each(["text", "pong"] as const)("closes on 30,001 frames (%s) within ten seconds", async (kind) => {
    const flood = (frames: number) =>
      socketServer((socket) => {
        socket.on("error", () => undefined);
        for (let sent = 0; sent < frames; sent++) {
          if (kind === "text") socket.send("");
          else socket[kind]();
        }
        if (kind !== "text") socket.send("the end");
      });
    expect(await listening((await flood(30_001)).url, 30_001).end).toBe("closed");
    const { end, socket } = listening((await flood(29_990)).url, kind === "text" ? 29_990 : 1);
    expect(await end).toBe("enough");
    socket.close();
  });

  it("reports once that it closed: by the server, or because nothing listens", async () => {
    const server = await socketServer((socket) => socket.close(1001));
    expect(await listening(server.url, 9).end).toBe("closed");
    expect(await listening("http://127.0.0.1:1", 9).end).toBe("closed");
  });

  it("is refused by a server that has only HTTP", async () => {
    const server = createServer((_request, response) => response.writeHead(404).end());
    expect(await listening(await urlOf(server), 9).end).toBe("closed");
  });

  it("closes when the handshake is not over within 30 seconds, whatever the server sends", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked = Promise.withResolvers<unknown>();
    const { url } = await serveSockets((socket) => socket.once("data", asked.resolve));
    const { end } = listening(url, 9);
    await asked.promise;
    vi.advanceTimersByTime(29_999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await end).toBe("closed");
  });

  it("closes if the library refuses a header", async () => {
    const server = await socketServer(() => undefined);
    expect(await listening(server.url, 9, "", { headers: { "x-token": "two\nlines" } }).end).toBe("closed");
    expect(server.asked).toEqual([]);
  });

  it("sends a close frame to a server that does not reply, and ends the connection", async () => {
    const server = createServer();
    const received: Buffer[] = [];
    const ended = new Promise((resolve) => {
      server.on("upgrade", (request: IncomingMessage, stream: Duplex) => {
        stream.on("data", (chunk: Buffer) => received.push(chunk));
        stream.on("error", () => undefined);
        stream.on("end", () => {
          resolve("ended");
          stream.destroy();
        });
        stream.write(switchingProtocols(String(request.headers["sec-websocket-key"])));
      });
    });
    const client = clientOf(await urlOf(server));
    await new Promise<void>((resolve) => {
      const socket = client.listen("/ws", {
        open() {
          socket.close();
          resolve();
        },
        message: () => undefined,
        closed: () => expect.unreachable("no handler is called after close"),
      });
    });
    expect(await ended).toBe("ended");
    // The first byte of a close frame.
    expect(Buffer.concat(received)[0]).toBe(0x88);
  });

  it("that is closed during the handshake ends the connection and calls no handler", async () => {
    const accepted = Promise.withResolvers<Socket>();
    const { url } = await serveSockets((socket) => accepted.resolve(socket.resume()));
    const called: string[] = [];
    const socket = clientOf(url).listen("/ws", {
      open: () => called.push("open"),
      message: () => called.push("message"),
      closed: () => called.push("closed"),
    });
    const stream = await accepted.promise;
    const closed = once(stream, "close");
    socket.close();
    await closed;
    socket.send("hello");
    expect(called).toEqual([]);
  });

  it("uses the connection's TLS options: authority, client certificate, no verification", async () => {
    const keys = selfSigned();
    const server = createHttpsServer({ ...keys, ca: keys.cert, requestCert: true, rejectUnauthorized: false });
    const certified: boolean[] = [];
    new WebSocketServer({ server }).on("connection", (socket, { socket: stream }) => {
      certified.push("authorized" in stream && stream.authorized === true);
      socket.send("welcome");
      socket.addEventListener("message", () => socket.close());
    });
    const url = await urlOf(server, "https");
    const { end, messages } = listening(url, 9);
    expect([await end, messages]).toEqual(["closed", []]);
    expect(await listening(url, 1, "", { tls: { rejectUnauthorized: false } }).end).toBe("enough");
    expect(await listening(url, 1, "", { tls: { ca: keys.cert, ...keys } }).end).toBe("enough");
    expect(certified).toEqual([false, true]);
  });
});

/** Accepts a handshake. */
function switchingProtocols(key: string): string {
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
}
