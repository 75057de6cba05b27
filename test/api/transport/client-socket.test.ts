import { afterEach, describe, expect, it } from "vitest";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { acceptSocket, type ServerSocket } from "../../../src/simulator/websocket.ts";
import { clientOf } from "../../support/clients.ts";

/** The client's WebSockets against a server on the loopback interface. */

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function socketServer(onOpen: (socket: ServerSocket) => void) {
  const heard: string[] = [];
  const asked: Array<{ url: string; token: unknown }> = [];
  const server = createServer();
  server.on("upgrade", (message, stream) => {
    asked.push({ url: message.url ?? "", token: message.headers["x-token"] });
    const socket = acceptSocket(message.headers, stream, {
      message: (text) => {
        heard.push(text);
        socket?.send(`heard ${text}`);
      },
      closed: () => undefined,
    });
    if (socket !== undefined) onOpen(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, asked };
}

/** Opens a socket and tells what happens until it closes, or until `until` of messages came. */
function listening(url: string, until: number, prefix = "") {
  const client = clientOf(`${url}${prefix}`, { headers: { "x-token": "t" } });
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
  it("is opened behind the path prefix with the connection's headers, and talks both ways", async () => {
    const server = await socketServer((socket) => socket.send("welcome"));
    const { end, messages, socket } = listening(server.url, 2, "/node/1");
    expect(await end).toBe("enough");
    expect(messages).toEqual(["welcome", "heard hello"]);
    expect(server.asked).toEqual([{ url: "/node/1/ext/bc/C/ws", token: "t" }]);
    socket.close();
  });

  it("hands over long messages, and closes on one that is larger than a head can be", async () => {
    const server = await socketServer((socket) => {
      socket.send("x".repeat(70_000));
      socket.send("y".repeat(1_100_000));
    });
    const { end, messages } = listening(server.url, 5);
    expect(await end).toBe("closed");
    expect(messages.map((text) => text.length)).toContain(70_000);
    expect(messages.every((text) => text.length < 1_000_000)).toBe(true);
  });

  it("tells once that it was closed: by the server, or because nobody is there", async () => {
    const server = await socketServer((socket) => socket.close(1001));
    expect(await listening(server.url, 9).end).toBe("closed");
    expect(await listening("http://127.0.0.1:1", 9).end).toBe("closed");
  });

  it("is refused by a server that speaks HTTP alone", async () => {
    const server = createServer((_request, response) => response.writeHead(404).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.push(server);
    expect(await listening(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 9).end).toBe("closed");
  });
});
