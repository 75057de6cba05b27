import { body, envelopes, status } from "../support/replies.ts";
import { all, rpcs, SOON, type Group, type Row } from "../support/row.ts";
import { late } from "./transport.ts";

/** Faults of forty seconds: what backs off, and what is called missing, must return as soon. */
const rows: readonly Row[] = [
  {
    id: "long-refused",
    fault: "No program listens at the port for 40 s",
    behave: () => ({ closed: true }),
    fails: all("refused"),
    down: "at once",
    recovery: SOON,
  },
  {
    id: "long-silence",
    fault: "No answers for 40 s",
    behave: () => ({ answer: () => undefined }),
    fails: all("timeout"),
    down: "after 30 s",
    recovery: SOON,
  },
  {
    id: "long-404",
    fault: "HTTP 404 to everything for 40 s",
    behave: () => status(404, "404 page not found\n"),
    fails: all("http_status"),
    down: "after 30 s",
    recovery: SOON,
  },
  {
    id: "long-502",
    fault: "HTTP 502 to everything for 40 s",
    behave: () => status(502, "<html>"),
    fails: all("http_status"),
    down: "after 30 s",
    recovery: SOON,
  },
  {
    id: "long-page",
    fault: "A page instead of JSON for 40 s",
    behave: () => body("<html>"),
    fails: all("not_json"),
    down: "after 30 s",
    recovery: SOON,
  },
  {
    id: "long-slow",
    fault: "Answers after 1.2 s, later than the deadline, for 40 s",
    behave: () => late(1.2),
    fails: all("timeout"),
    down: "after 30 s",
    recovery: SOON,
  },
  {
    id: "long-rpc-error",
    fault: "JSON-RPC errors for 40 s, while the health API answers",
    behave: () => envelopes(({ id }) => ({ jsonrpc: "2.0", error: { code: 1, message: "no" }, id })),
    fails: rpcs("rpc_error"),
    down: "no",
    recovery: SOON,
  },
  {
    id: "long-unknown-method",
    fault: "Methods that do not exist for 40 s, while the health API answers",
    behave: () => envelopes(({ id }) => ({ jsonrpc: "2.0", error: { code: -32601, message: "method not found" }, id })),
    fails: rpcs("unsupported"),
    down: "no",
    recovery: SOON,
  },
  {
    id: "long-batch-refused",
    fault: "Batches refused for 40 s",
    behave: () => ({
      answer: ({ question, response }) => {
        if (question.batch === undefined) return false;
        response.writeHead(413).end("batch too large\n");
        return true;
      },
    }),
    fails: {},
    down: "no",
    recovery: SOON,
  },
  {
    id: "long-tls-like-silence",
    fault: "Connections that are accepted and never read for 40 s, and stay so",
    behave: () => ({ connection: (socket) => socket.pause() }),
    fails: all("timeout"),
    down: "after 30 s",
    recovery: SOON,
  },
];

export const long: Group = { title: "Forty seconds", scene: "long", rows };
