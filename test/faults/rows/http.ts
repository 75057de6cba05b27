import { gzipSync } from "node:zlib";
import { body, status } from "../support/replies.ts";
import { all, gets, SOON, type Group, type Row } from "../support/row.ts";

const PAGE = "<!doctype html><html><head><title>Bad Gateway</title></head><body><h1>502</h1></body></html>";
const HTML = { "content-type": "text/html" };
const JSON_TYPE = { "content-type": "application/json" };

const failed = { fails: all("http_status"), down: "after 30 s", recovery: SOON } as const;
const notJson = { fails: all("not_json"), down: "after 30 s", recovery: SOON } as const;

const statuses: readonly Row[] = [400, 405, 408, 409, 413, 418].map((code) => ({
  id: `status-${code}`,
  fault: `HTTP ${code} to everything`,
  behave: () => status(code, "no"),
  ...failed,
}));

const redirects: readonly Row[] = [301, 302, 307].map((code) => ({
  id: `redirect-${code}`,
  fault: `HTTP ${code} to everything`,
  behave: () => status(code, "", { location: "http://127.0.0.1:1/" }),
  fails: all("redirect"),
  down: "after 30 s",
  recovery: SOON,
}));

const rows: readonly Row[] = [
  ...redirects,
  ...statuses,
  {
    id: "status-401",
    fault: "HTTP 401 to everything",
    behave: () => status(401, "Unauthorized", { "www-authenticate": "Basic" }),
    ...failed,
    fails: all("unauthorized"),
  },
  {
    id: "status-403",
    fault: "HTTP 403 to everything",
    behave: () => status(403, "Forbidden"),
    ...failed,
    fails: all("unauthorized"),
  },
  {
    id: "host-forbidden",
    fault: "HTTP 403 with AvalancheGo's text about the Host header",
    behave: () => status(403, "invalid host specified\n"),
    ...failed,
    fails: all("host_forbidden"),
    down: "no",
  },
  {
    id: "status-404",
    fault: "HTTP 404 to everything: a gateway without a node",
    behave: () => status(404, "404 page not found\n"),
    ...failed,
  },
  {
    id: "status-404-page",
    fault: "HTTP 404 with a page to everything",
    behave: () => status(404, PAGE, HTML),
    ...failed,
  },
  {
    id: "health-404",
    fault: "HTTP 404 to the health API alone: the node answers everything else",
    behave: () => ({
      answer: ({ question, response }) => {
        if (question.method !== "GET") return false;
        response.writeHead(404).end("404 page not found\n");
        return true;
      },
    }),
    fails: gets(["http_status", "unsupported"]),
    down: "no",
    recovery: SOON,
  },
  {
    id: "health-503-page",
    fault: "HTTP 503 with a page from the health API alone",
    behave: () => ({
      answer: ({ question, response }) => {
        if (question.method !== "GET") return false;
        response.writeHead(503, HTML).end(PAGE);
        return true;
      },
    }),
    fails: gets("http_status"),
    absent: ["avax_node_health_check_passing", "avax_node_health_check_last_run_timestamp_seconds"],
    down: "no",
    recovery: SOON,
  },
  {
    id: "status-429-seconds",
    fault: "HTTP 429 with Retry-After in seconds",
    behave: () => status(429, "slow down", { "retry-after": "2" }),
    ...failed,
    fails: all("rate_limited"),
    recovery: SOON + 2,
    seen: "after the wait that the server set",
  },
  {
    id: "status-429-date",
    fault: "HTTP 429 with Retry-After as a date",
    behave: () => ({
      answer: ({ response }) => {
        const date = new Date(Math.floor(Date.now() / 1000) * 1000);
        response
          .writeHead(429, { date: date.toUTCString(), "retry-after": new Date(date.getTime() + 2000).toUTCString() })
          .end();
      },
    }),
    ...failed,
    fails: all("rate_limited"),
    recovery: SOON + 2,
    seen: "after the wait that the server set",
  },
  {
    id: "status-429-nonsense",
    fault: "HTTP 429 with a Retry-After that is not a time",
    behave: () => status(429, "", { "retry-after": "-1e99 soon" }),
    ...failed,
    fails: all("rate_limited"),
  },
  { id: "status-500-page", fault: "HTTP 500 with a page", behave: () => status(500, PAGE, HTML), ...failed },
  {
    id: "status-500-plain",
    fault: "HTTP 500 with plain text",
    behave: () => status(500, "Internal Server Error"),
    ...failed,
  },
  {
    id: "status-500-json",
    fault: "HTTP 500 with JSON of a gateway",
    behave: () => status(500, '{"message":"no upstream","error":{"code":5}}', JSON_TYPE),
    ...failed,
  },
  { id: "status-500-empty", fault: "HTTP 500 with an empty body", behave: () => status(500), ...failed },
  { id: "status-502", fault: "HTTP 502 with a page", behave: () => status(502, PAGE, HTML), ...failed },
  { id: "status-503", fault: "HTTP 503 with plain text", behave: () => status(503, "no healthy upstream"), ...failed },
  { id: "status-504", fault: "HTTP 504 with an empty body", behave: () => status(504), ...failed },
  {
    id: "bootstrapping",
    fault: "HTTP 503 with AvalancheGo's text about bootstrapping",
    behave: () => status(503, "API call rejected because chain is not done bootstrapping\n"),
    ...failed,
    fails: all("not_bootstrapped"),
    down: "no",
  },
  {
    id: "status-999",
    fault: "HTTP 999",
    behave: () => status(999, "what"),
    ...failed,
  },
  {
    id: "status-204",
    fault: "HTTP 204 without a body",
    behave: () => status(204),
    ...failed,
  },
  { id: "page", fault: "HTTP 200 with a page", behave: () => body(PAGE, HTML), ...notJson },
  { id: "empty", fault: "HTTP 200 with an empty body", behave: () => body(""), ...notJson },
  {
    id: "plain",
    fault: "HTTP 200 with plain text",
    behave: () => body("OK\n", { "content-type": "text/plain" }),
    ...notJson,
  },
  {
    id: "gzip",
    fault: "A gzip body that was not requested",
    behave: () => body(gzipSync("{}"), { "content-encoding": "gzip" }),
    ...notJson,
  },
  {
    id: "page-of-escapes",
    fault: "A page of terminal escapes and right-to-left marks",
    behave: () => body(`\u001b[2J\u001b]0;pwned\u0007\u202e${"\u200f".repeat(50)}`),
    ...notJson,
  },
];

export const http: Group = { title: "HTTP", scene: "http", rows };
