import { body, envelopes, isBatch, status, when } from "../support/replies.ts";
import { all, failing, harmless, partly, rpcs, SOON, type Group, type Row } from "../support/row.ts";
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
  failing("long-silence", "No answers for 40 s", () => ({ answer: () => undefined }), "timeout"),
  failing("long-404", "HTTP 404 to everything for 40 s", () => status(404, "404 page not found\n"), "http_status"),
  failing("long-502", "HTTP 502 to everything for 40 s", () => status(502, "<html>"), "http_status"),
  failing("long-page", "A page instead of JSON for 40 s", () => body("<html>"), "not_json"),
  failing("long-slow", "Answers after 1.2 s, later than the deadline, for 40 s", () => late(1.2), "timeout"),
  partly(
    "long-rpc-error",
    "JSON-RPC errors for 40 s, while the health API answers",
    () => envelopes(({ id }) => ({ jsonrpc: "2.0", error: { code: 1, message: "no" }, id })),
    rpcs("rpc_error"),
  ),
  partly(
    "long-unknown-method",
    "Methods that do not exist for 40 s, while the health API answers",
    () => envelopes(({ id }) => ({ jsonrpc: "2.0", error: { code: -32601, message: "method not found" }, id })),
    rpcs("unsupported"),
  ),
  harmless("long-batch-refused", "Batches refused for 40 s", () => when(isBatch, status(413, "batch too large\n"))),
  failing(
    "long-tls-like-silence",
    "Connections that are accepted and never read for 40 s, and stay so",
    () => ({ connection: (socket) => socket.pause() }),
    "timeout",
  ),
];

export const long: Group = { title: "Forty seconds", scene: "long", rows };
