import type { Socket } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import type { Fault } from "../support/fault-server.ts";
import { raw, text } from "../support/replies.ts";
import { all, failing, harmless, PACE, SOON, type Group, type Row } from "../support/row.ts";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

/** Never answers. */
const silent: Fault = { answer: () => undefined };

/** Writes a byte each second. */
const trickle: Fault = {
  answer: async ({ socket, reply }) => {
    socket.write(`${HEAD}Content-Length: ${Buffer.byteLength(reply.body)}\r\n\r\n`);
    for (const byte of reply.body.slice(0, 60)) {
      if (socket.destroyed) return;
      socket.write(byte);
      await after(1_000 * PACE);
    }
  },
};

/** The recorded bytes with another head. */
function framed(head: (length: number) => string, then: "end" | "keep" = "keep"): Fault {
  return {
    answer: ({ socket, reply }) => {
      const bytes = head(Buffer.byteLength(reply.body)) + reply.body;
      if (then === "end") socket.end(bytes);
      else socket.write(bytes);
    },
  };
}

/** Answers each request as recorded after so many seconds. */
export function late(seconds: number): Fault {
  return {
    answer: async () => {
      await after(seconds * 1000 * PACE);
      return false;
    },
  };
}

/** Sends what it likes before the answer. */
const preceded = (bytes: string): Fault => ({
  answer: ({ socket }) => {
    socket.write(bytes);
    return false;
  },
});

const rows: readonly Row[] = [
  // prettier-ignore
  { id: "refused", fault: "No program listens at the port", behave: () => ({ closed: true }), fails: all("refused"), down: "at once", recovery: SOON },
  // prettier-ignore
  { id: "dns", fault: "The host name does not resolve", behave: () => ({}), url: "http://node.invalid:9650", fails: all("dns"), down: "at once", recovery: undefined },
  // prettier-ignore
  { id: "unreachable", fault: "No route to the address", behave: () => ({}), url: "http://255.255.255.255:9650", fails: all("unreachable"), down: "at once", recovery: undefined },
  failing(
    "accept-silence",
    "Connections are accepted and never read",
    () => ({ connection: (socket) => socket.pause() }),
    "timeout",
    // After an aborted request undici opens a connection that nobody needs yet (7.30). Those of the fault are as silent after its
    // end, and each costs one poll: a dozen polls use a dozen of them up within two intervals, and the third succeeds.
    { recovery: SOON + 4 },
  ),
  failing(
    "accept-reset",
    "Connections are reset at once",
    () => ({ connection: (socket) => socket.resetAndDestroy() }),
    "reset",
    { down: "at once" },
  ),
  failing(
    "accept-close",
    "Connections are closed at once",
    () => ({ connection: (socket) => socket.destroy() }),
    "reset",
    { down: "at once" },
  ),
  failing("no-headers", "No headers follow the request", () => silent, "timeout"),
  failing("half-headers", "The headers stop in the middle", () => raw(HEAD, "keep"), "timeout"),
  failing(
    "half-body",
    "The body stops in the middle",
    () => raw(`${HEAD}Content-Length: 5000\r\n\r\n{"jsonrpc":"2.0",`, "keep"),
    "timeout",
  ),
  failing("one-byte-a-second", "One byte of the body a second", () => trickle, "timeout"),
  failing(
    "endless-early-hints",
    "Informational answers (103) without end",
    () => ({
      answer: async ({ socket }) => {
        for (let sent = 0; sent < 400 * PACE && !socket.destroyed; sent++) {
          socket.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
          await after(10);
        }
      },
    }),
    "timeout",
  ),
  harmless("answers-after-750ms", "Every answer takes 750 ms of the deadline of 1 s", () => late(0.75)),
  harmless(
    "slow-and-few-connections",
    "Every answer takes 750 ms, and three connections are too few for the polls: they are late, and none fails",
    () => late(0.75),
    { node: { connections: 3 } },
  ),
  failing(
    "truncated-body",
    "The connection ends before the announced length",
    () => raw(`${HEAD}Content-Length: 5000\r\n\r\n{"jsonrpc":"2.0",`),
    "reset",
    { down: "at once" },
  ),
  failing(
    "truncated-chunks",
    "The connection ends within a chunk",
    () => raw(`${HEAD}Transfer-Encoding: chunked\r\n\r\n1000\r\n{"jsonrpc":`),
    "reset",
    { down: "at once" },
  ),
  failing("reset-in-headers", "Reset within the headers", () => raw(HEAD, "reset"), "reset", { down: "at once" }),
  failing(
    "reset-in-body",
    "Reset within the body",
    () => raw(`${HEAD}Content-Length: 5000\r\n\r\n{"jsonrpc":"2.0",`, "reset"),
    "reset",
    { down: "at once" },
  ),
  harmless("kept-reset", "Each connection is reset at its second request: it is sent once more on another one", () => {
    const used = new WeakSet<object>();
    return {
      answer: ({ socket }) => {
        const isKept = used.has(socket);
        used.add(socket);
        if (isKept) (socket as Socket).resetAndDestroy();
        return isKept;
      },
    };
  }),
  failing("close-without-answer", "The connection ends without an answer", () => raw(""), "reset", { down: "at once" }),
  failing(
    "length-too-short",
    "The announced length is shorter than the body",
    () => framed((length) => `${HEAD}Content-Length: ${length - 10}\r\n\r\n`),
    ["not_json", "reset"],
    { down: "any" },
  ),
  failing(
    "negative-length",
    "A negative Content-Length",
    () => framed(() => `${HEAD}Content-Length: -5\r\n\r\n`),
    "not_json",
  ),
  failing(
    "two-lengths",
    "Two different Content-Lengths",
    () => framed((length) => `${HEAD}Content-Length: ${length}\r\nContent-Length: 7\r\n\r\n`),
    "not_json",
  ),
  failing(
    "bad-chunk",
    "A chunk size that is not a number",
    () => framed(() => `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`),
    "not_json",
  ),
  failing("not-http", "Another protocol answers (SSH)", () => raw("SSH-2.0-OpenSSH_9.6\r\n"), "not_json"),
  failing(
    "binary",
    "Random bytes",
    () => raw(Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 37 + 128) % 256))),
    "not_json",
  ),
  failing(
    "headers-of-100kB",
    "Headers of 100 kB",
    () => framed((length) => `${HEAD}X-Long: ${"x".repeat(100_000)}\r\nContent-Length: ${length}\r\n\r\n`),
    ["not_json", "too_large"],
  ),
  harmless("early-hints", "103 Early Hints before the answer", () =>
    preceded("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
  ),
  failing(
    "continue",
    "100 Continue that was not requested",
    () => preceded("HTTP/1.1 100 Continue\r\n\r\n"),
    ["reset", "ok"],
    { down: "any" },
  ),
  failing(
    "switching-protocols",
    "101 Switching Protocols that was not requested",
    () => raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    "reset",
    { down: "at once" },
  ),
  harmless("http-1.0", "HTTP/1.0 without a length: the end of the connection ends the body", () =>
    framed(() => "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n", "end"),
  ),
  harmless("connection-close", "A new connection for each request", () =>
    framed((length) => `${HEAD}Content-Length: ${length}\r\nConnection: close\r\n\r\n`, "end"),
  ),
  {
    id: "two-answers",
    fault: "Two answers to one request",
    behave: () => ({
      answer: ({ socket, reply }) => {
        const bytes = `${HEAD}Content-Length: ${Buffer.byteLength(reply.body)}\r\n\r\n${reply.body}`;
        socket.write(bytes + bytes);
      },
    }),
    fails: all(["ok", "reset"]),
    down: "any",
    recovery: SOON,
  },
  {
    id: "flapping",
    fault: "Every other second no connection is accepted",
    behave: () => {
      const isOut = () => Math.floor(Date.now() / 1000) % 2 === 0;
      return {
        answer: ({ socket }) => {
          if (isOut()) socket.destroy();
          return isOut() ? undefined : false;
        },
      };
    },
    fails: all(["reset", "ok", "timeout", "waiting"]),
    changes: ["avax_"],
    down: "any",
    recovery: SOON,
  },
  harmless("whitespace", "Whitespace around the JSON", () => text((found) => `\r\n\t ${found} \n`)),
];

export const transport: Group = { title: "Connections and framing", scene: "transport", rows };
