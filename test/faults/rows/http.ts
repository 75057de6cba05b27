import { gzipSync } from "node:zlib";
import { body, isGet, status, when } from "../support/replies.ts";
import { failing, gets, partly, SOON, type Group, type Row } from "../support/row.ts";

const PAGE = "<!doctype html><html><head><title>Bad Gateway</title></head><body><h1>502</h1></body></html>";
const HTML = { "content-type": "text/html" };
const JSON_TYPE = { "content-type": "application/json" };

const statuses = [400, 405, 408, 409, 413, 418].map((code) =>
  failing(`status-${code}`, `HTTP ${code} to everything`, () => status(code, "no"), "http_status"),
);

const redirects = [301, 302, 307].map((code) =>
  failing(
    `redirect-${code}`,
    `HTTP ${code} to everything`,
    () => status(code, "", { location: "http://127.0.0.1:1/" }),
    "redirect",
  ),
);

const rows: readonly Row[] = [
  ...redirects,
  ...statuses,
  failing(
    "status-401",
    "HTTP 401 to everything",
    () => status(401, "Unauthorized", { "www-authenticate": "Basic" }),
    "unauthorized",
  ),
  failing("status-403", "HTTP 403 to everything", () => status(403, "Forbidden"), "unauthorized"),
  failing(
    "host-forbidden",
    "HTTP 403 with AvalancheGo's text about the Host header",
    () => status(403, "invalid host specified\n"),
    "host_forbidden",
    { down: "no" },
  ),
  failing(
    "status-404",
    "HTTP 404 to everything: a gateway without a node",
    () => status(404, "404 page not found\n"),
    "http_status",
  ),
  failing("status-404-page", "HTTP 404 with a page to everything", () => status(404, PAGE, HTML), "http_status"),
  partly(
    "health-404",
    "HTTP 404 to the health API alone: the node answers everything else",
    () => when(isGet, status(404, "404 page not found\n")),
    gets(["http_status", "unsupported"]),
  ),
  partly(
    "health-503-page",
    "HTTP 503 with a page from the health API alone",
    () => when(isGet, status(503, PAGE, HTML)),
    gets("http_status"),
    { absent: ["avax_node_health_check_passing", "avax_node_health_last_run_timestamp_seconds"] },
  ),
  failing(
    "status-429-seconds",
    "HTTP 429 with Retry-After in seconds",
    () => status(429, "slow down", { "retry-after": "2" }),
    "rate_limited",
    { recovery: SOON + 2, seen: "after the wait that the server set" },
  ),
  failing(
    "status-429-date",
    "HTTP 429 with Retry-After as a date",
    () => ({
      answer: ({ response }) => {
        const date = new Date(Math.floor(Date.now() / 1000) * 1000);
        response
          .writeHead(429, { date: date.toUTCString(), "retry-after": new Date(date.getTime() + 2000).toUTCString() })
          .end();
      },
    }),
    "rate_limited",
    { recovery: SOON + 2, seen: "after the wait that the server set" },
  ),
  failing(
    "status-429-nonsense",
    "HTTP 429 with a Retry-After that is not a time",
    () => status(429, "", { "retry-after": "-1e99 soon" }),
    "rate_limited",
  ),
  failing("status-500-page", "HTTP 500 with a page", () => status(500, PAGE, HTML), "http_status"),
  failing("status-500-plain", "HTTP 500 with plain text", () => status(500, "Internal Server Error"), "http_status"),
  failing(
    "status-500-json",
    "HTTP 500 with JSON of a gateway",
    () => status(500, '{"message":"no upstream","error":{"code":5}}', JSON_TYPE),
    "http_status",
  ),
  failing("status-500-empty", "HTTP 500 with an empty body", () => status(500), "http_status"),
  failing("status-502", "HTTP 502 with a page", () => status(502, PAGE, HTML), "http_status"),
  failing("status-503", "HTTP 503 with plain text", () => status(503, "no healthy upstream"), "http_status"),
  failing("status-504", "HTTP 504 with an empty body", () => status(504), "http_status"),
  failing(
    "bootstrapping",
    "HTTP 503 with AvalancheGo's text about bootstrapping",
    () => status(503, "API call rejected because chain is not done bootstrapping\n"),
    "not_bootstrapped",
    { down: "no" },
  ),
  failing("status-999", "HTTP 999", () => status(999, "what"), "http_status"),
  failing("status-204", "HTTP 204 without a body", () => status(204), "http_status"),
  failing("page", "HTTP 200 with a page", () => body(PAGE, HTML), "not_json"),
  failing("empty", "HTTP 200 with an empty body", () => body(""), "not_json"),
  failing("plain", "HTTP 200 with plain text", () => body("OK\n", { "content-type": "text/plain" }), "not_json"),
  failing(
    "gzip",
    "A gzip body that was not requested",
    () => body(gzipSync("{}"), { "content-encoding": "gzip" }),
    "not_json",
  ),
  failing(
    "page-of-escapes",
    "A page of terminal escapes and right-to-left marks",
    () => body(`\u001b[2J\u001b]0;pwned\u0007\u202e${"\u200f".repeat(50)}`),
    "not_json",
  ),
];

export const http: Group = { title: "HTTP", scene: "http", rows };
