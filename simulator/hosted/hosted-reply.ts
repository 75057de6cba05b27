import type { SimulatedReply } from "../world/wire.ts";

/** Replies of the simulated hosted services. */

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

export const json = (body: unknown, headers: Readonly<Record<string, string>> = {}): SimulatedReply => ({
  status: 200,
  type: "application/json; charset=utf-8",
  headers,
  body: JSON.stringify(body),
});

/** An error reply; `message` is one text or a list. */
export const refusal = (
  status: number,
  message: string | readonly string[] = STATUS_TEXT[status] ?? "",
  headers: Readonly<Record<string, string>> = {},
): SimulatedReply => ({
  status,
  type: "application/json; charset=utf-8",
  headers,
  body: JSON.stringify({ message, error: STATUS_TEXT[status], statusCode: status }),
});

/** The HTML page of a gateway in front of the service. */
const gatewayPage = (status: number): SimulatedReply => ({
  status,
  type: "text/html; charset=UTF-8",
  body: `<!DOCTYPE html><html><head><title>${status} ${STATUS_TEXT[status]}</title></head><body><h1>${status}</h1></body></html>`,
});

/** Failures of a whole service. */
export const HOSTED_FAULTS = {
  "bad-request": () => refusal(400, ["pageSize must not be greater than 100", "pageSize must be an integer number"]),
  unauthorized: () => refusal(401),
  forbidden: () => refusal(403),
  "forbidden-page": () => gatewayPage(403),
  "not-found": () => refusal(404),
  "rate-limited": () =>
    refusal(429, undefined, {
      "ratelimit-limit": "6000",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "30",
      "retry-after": "30",
    }),
  "rate-limited-bare": () => refusal(429),
  "server-error": () => refusal(500),
  "bad-gateway": () => refusal(502),
  "bad-gateway-page": () => gatewayPage(502),
  unavailable: () => refusal(503),
} as const satisfies Readonly<Record<string, () => SimulatedReply>>;

export type HostedFault = keyof typeof HOSTED_FAULTS;
