import { setTimeout as after } from "node:timers/promises";
import type { Fault } from "../support/fault-server.ts";
import { raw, text } from "../support/replies.ts";
import { all, PACE, SOON, type Group, type Row } from "../support/row.ts";

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

const timeout = { fails: all("timeout"), down: "after 30 s", recovery: SOON } as const;
const reset = { fails: all("reset"), down: "at once", recovery: SOON } as const;
const notHttp = { fails: all("not_json"), down: "after 30 s", recovery: SOON } as const;
const harmless = { fails: {}, down: "no", recovery: SOON } as const;

const rows: readonly Row[] = [
  // prettier-ignore
  { id: "refused", fault: "No program listens at the port", behave: () => ({ closed: true }), fails: all("refused"), down: "at once", recovery: SOON },
  // prettier-ignore
  { id: "dns", fault: "The host name does not resolve", behave: () => ({}), url: "http://node.invalid:9650", fails: all("dns"), down: "at once", recovery: undefined },
  // prettier-ignore
  { id: "unreachable", fault: "No route to the address", behave: () => ({}), url: "http://255.255.255.255:9650", fails: all("unreachable"), down: "at once", recovery: undefined },
  {
    id: "accept-silence",
    fault: "Connections are accepted and never read",
    behave: () => ({ connection: (socket) => socket.pause() }),
    ...timeout,
  },
  {
    id: "accept-reset",
    fault: "Connections are reset at once",
    behave: () => ({ connection: (socket) => socket.resetAndDestroy() }),
    ...reset,
  },
  {
    id: "accept-close",
    fault: "Connections are closed at once",
    behave: () => ({ connection: (socket) => socket.destroy() }),
    ...reset,
  },
  { id: "no-headers", fault: "No headers follow the request", behave: () => silent, ...timeout },
  { id: "half-headers", fault: "The headers stop in the middle", behave: () => raw(HEAD, "keep"), ...timeout },
  {
    id: "half-body",
    fault: "The body stops in the middle",
    behave: () => raw(`${HEAD}Content-Length: 5000\r\n\r\n{"jsonrpc":"2.0",`, "keep"),
    ...timeout,
  },
  { id: "one-byte-a-second", fault: "One byte of the body a second", behave: () => trickle, ...timeout },
  {
    id: "endless-early-hints",
    fault: "Informational answers (103) without end",
    behave: () => ({
      answer: async ({ socket }) => {
        for (let sent = 0; sent < 400 * PACE && !socket.destroyed; sent++) {
          socket.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
          await after(10);
        }
      },
    }),
    ...timeout,
  },
  {
    id: "answers-after-750ms",
    fault: "Every answer takes 750 ms of the deadline of 1 s",
    behave: () => late(0.75),
    node: { connections: 16 },
    ...harmless,
  },
  {
    id: "slow-and-two-connections",
    fault: "Every answer takes 900 ms, and two connections are too few for the polls",
    behave: () => late(0.9),
    fails: all(["timeout", "ok"]),
    down: "no",
    recovery: SOON,
  },
  {
    id: "truncated-body",
    fault: "The connection ends before the announced length",
    behave: () => raw(`${HEAD}Content-Length: 5000\r\n\r\n{"jsonrpc":"2.0",`),
    ...reset,
  },
  {
    id: "truncated-chunks",
    fault: "The connection ends within a chunk",
    behave: () => raw(`${HEAD}Transfer-Encoding: chunked\r\n\r\n1000\r\n{"jsonrpc":`),
    ...reset,
  },
  { id: "reset-in-headers", fault: "Reset within the headers", behave: () => raw(HEAD, "reset"), ...reset },
  {
    id: "reset-in-body",
    fault: "Reset within the body",
    behave: () => raw(`${HEAD}Content-Length: 5000\r\n\r\n{"jsonrpc":"2.0",`, "reset"),
    ...reset,
  },
  { id: "close-without-answer", fault: "The connection ends without an answer", behave: () => raw(""), ...reset },
  {
    id: "length-too-short",
    fault: "The announced length is shorter than the body",
    behave: () => framed((length) => `${HEAD}Content-Length: ${length - 10}\r\n\r\n`),
    ...notHttp,
    fails: all(["not_json", "reset"]),
    down: "any",
  },
  {
    id: "negative-length",
    fault: "A negative Content-Length",
    behave: () => framed(() => `${HEAD}Content-Length: -5\r\n\r\n`),
    ...notHttp,
  },
  {
    id: "two-lengths",
    fault: "Two different Content-Lengths",
    behave: () => framed((length) => `${HEAD}Content-Length: ${length}\r\nContent-Length: 7\r\n\r\n`),
    ...notHttp,
  },
  {
    id: "bad-chunk",
    fault: "A chunk size that is not a number",
    behave: () => framed(() => `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`),
    ...notHttp,
  },
  { id: "not-http", fault: "Another protocol answers (SSH)", behave: () => raw("SSH-2.0-OpenSSH_9.6\r\n"), ...notHttp },
  {
    id: "binary",
    fault: "Random bytes",
    behave: () => raw(Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 37 + 128) % 256))),
    ...notHttp,
  },
  {
    id: "headers-of-100kB",
    fault: "Headers of 100 kB",
    behave: () => framed((length) => `${HEAD}X-Long: ${"x".repeat(100_000)}\r\nContent-Length: ${length}\r\n\r\n`),
    ...notHttp,
    fails: all(["not_json", "too_large"]),
  },
  {
    id: "early-hints",
    fault: "103 Early Hints before the answer",
    behave: () => preceded("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    ...harmless,
  },
  {
    id: "continue",
    fault: "100 Continue that was not requested",
    behave: () => preceded("HTTP/1.1 100 Continue\r\n\r\n"),
    ...reset,
    fails: all(["reset", "ok"]),
    down: "any",
  },
  {
    id: "switching-protocols",
    fault: "101 Switching Protocols that was not requested",
    behave: () => raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    ...reset,
  },
  {
    id: "http-1.0",
    fault: "HTTP/1.0 without a length: the end of the connection ends the body",
    behave: () => framed(() => "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n", "end"),
    ...harmless,
  },
  {
    id: "connection-close",
    fault: "A new connection for each request",
    behave: () => framed((length) => `${HEAD}Content-Length: ${length}\r\nConnection: close\r\n\r\n`, "end"),
    ...harmless,
  },
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
  {
    id: "whitespace",
    fault: "Whitespace around the JSON",
    behave: () => text((found) => `\r\n\t ${found} \n`),
    ...harmless,
  },
];

export const transport: Group = { title: "Connections and framing", scene: "transport", rows };
