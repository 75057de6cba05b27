import type { Connection } from "./connection.ts";
import { bounded } from "../bounded.ts";
import { REASON_NAMES, REASONS, type Failure, type Reason } from "../reasons.ts";

/** Maps the error codes of libraries and the statuses of servers to the closed set of reasons. */

const CODES: Readonly<Partial<Record<Reason, readonly string[]>>> = {
  refused: ["ECONNREFUSED"],
  dns: ["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "EAI_NODATA"],
  timeout: [
    "ETIMEDOUT",
    "UND_ERR_CONNECT_TIMEOUT",
    "UND_ERR_HEADERS_TIMEOUT",
    "UND_ERR_BODY_TIMEOUT",
    "UND_ERR_ABORTED",
  ],
  reset: ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_CLOSED", "UND_ERR_DESTROYED"],
  unreachable: ["EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"],
  not_json: ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH"],
  too_large: ["UND_ERR_RES_EXCEEDED_MAX_SIZE", "UND_ERR_HEADERS_OVERFLOW"],
  tls: ["EPROTO"],
  descriptors: ["EMFILE", "ENFILE"],
};
/** Prefix of the HTTP parser's codes. Some of its errors have no code. */
const NOT_HTTP = "HPE_";
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** How the library reports a proxy that opens no tunnel, or forwards nothing. */
const PROXY_REFUSES = /^Proxy (?:response|Authentication Required) \((\d+)\)/;

/** The failure for an error of the HTTP client. The message contains only the code and, for TLS, the text of the error. */
export function connectionFailure(
  error: unknown,
  { maxResponseBytes = Infinity, proxyUrl }: Partial<Connection> = {},
): Failure {
  const code = codeOf(error);
  const reason = code === undefined ? "internal" : reasonOf(code);
  const text = error instanceof Error ? bounded(error.message) : "";
  const status = PROXY_REFUSES.exec(text)?.[1];
  if (status !== undefined) return { reason: "unreachable", message: `the proxy refuses the request (HTTP ${status})` };
  const messages: Partial<Record<Reason, string>> = {
    refused: `connection refused (${code})`,
    too_large:
      code === "UND_ERR_HEADERS_OVERFLOW"
        ? "the headers of the answer are too large"
        : `the answer is larger than ${maxResponseBytes} bytes`,
    // Without the advice that Node.js adds for its own command line.
    tls: `TLS failed: ${text.replace(/; if the root CA .*/, "")}`,
    not_json: "the reply is not HTTP",
    internal: error instanceof Error ? `${error.name}: ${text}` : "unknown error",
  };
  const by = proxyUrl === undefined ? "" : "; proxy_url is set";
  return { reason, message: (messages[reason] ?? `${REASONS[reason]} (${code})`) + by };
}

/** Whether the server closed the connection before its answer was complete. */
export function isReset(error: unknown): boolean {
  return CODES.reset?.includes(codeOf(error) ?? "") === true;
}

function reasonOf(code: string): Reason {
  if (TLS_CODE.test(code)) return "tls";
  if (code.startsWith(NOT_HTTP)) return "not_json";
  return REASON_NAMES.find((reason) => CODES[reason]?.includes(code)) ?? "internal";
}

/** The first code in an error, its causes, or the errors of an attempt on several addresses. */
function codeOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth > 5) return undefined;
  const inner = error instanceof AggregateError ? error.errors.map((each) => codeOf(each, depth + 1)) : [];
  const first = inner.find((code) => code !== undefined);
  if (first !== undefined) return first;
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof Error && error.name === "HTTPParserError") return NOT_HTTP;
  return "cause" in error ? codeOf(error.cause, depth + 1) : undefined;
}

/**
 * The failure for an answer with an error status. The texts compared are those of AvalancheGo's HTTP server.
 * @param wait from `waitOf`
 * @param shown the part of the body for the message
 */
export function statusFailure(status: number, body: string, wait: Wait, shown: string): Failure {
  const message = shown === "" ? `HTTP ${status}` : `HTTP ${status}: "${shown}"`;
  if (status >= 300 && status < 400)
    return { reason: "redirect", message: `HTTP ${status}: redirects are not followed`, status };
  if (status === 403 && body.includes("invalid host specified")) {
    const advice = "use the node's IP address, or add the name to its --http-allowed-hosts";
    return { reason: "host_forbidden", message: `${message}; ${advice}`, status };
  }
  if (status === 401 || status === 403) return { reason: "unauthorized", message, status };
  if (status === 503 && body.includes("not done bootstrapping")) return { reason: "not_bootstrapped", message, status };
  return { reason: status === 429 ? "rate_limited" : "http_status", message, status, ...wait };
}

/** Requested wait in seconds. */
type Wait = { readonly retryAfter?: number };

/** Longest accepted wait, in seconds: 11 days. */
const LONGEST_WAIT = 999_999;

/** Reads `Retry-After`: seconds, or a time relative to the server's clock (`Date`). */
export function waitOf({ "retry-after": after, date }: Readonly<Record<string, unknown>>): Wait {
  if (typeof after !== "string") return {};
  const seconds = /^\d{1,9}$/.test(after) ? Number(after) : (Date.parse(after) - Date.parse(String(date))) / 1000;
  return seconds >= 0 && seconds <= LONGEST_WAIT ? { retryAfter: Math.ceil(seconds) } : {};
}
