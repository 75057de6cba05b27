/**
 * Reasons of a failed poll: a closed set, because they are label values. The status page and the metrics reference show the texts.
 */
export const REASONS = {
  refused: "nothing listens at the address, or a firewall rejects the connection",
  dns: "the host name does not resolve",
  timeout: "no complete answer before the deadline",
  reset: "the connection was closed before the answer was complete",
  tls: "the TLS handshake or the certificate check failed",
  unreachable: "no route to the host",
  unauthorized: "missing or wrong credentials (HTTP 401, or 403 without a known cause)",
  host_forbidden: "the node rejects this Host header; use its IP address or add the name to --http-allowed-hosts",
  redirect: "the server redirects, and redirects are not followed; correct the URL",
  rate_limited: "the server limits the request rate (HTTP 429)",
  not_bootstrapped: "the polled chain is still bootstrapping",
  http_status: "an HTTP error status without an answer",
  not_json: "the body is not JSON; check that the URL points to an Avalanche node",
  rpc_error: "the node returned a JSON-RPC error",
  unsupported: "the server lacks this method or path",
  schema: "a field of the answer is missing or has the wrong type",
  too_large: "the answer is larger than the limit, has a list of more than 20,000 rows, or more than a million values",
  wrong_node: "the node at this address has another ID than configured",
  overloaded: "the exporter was too busy to read the answer in time; not counted against the node",
  descriptors: "the exporter has used up its file descriptors; not counted against the node",
  internal: "internal error of the exporter; see its log",
} as const satisfies Readonly<Record<string, string>>;

export type Reason = keyof typeof REASONS;

export const REASON_NAMES = Object.keys(REASONS) as readonly Reason[];

/** The reasons for which polls of a hosted service can fail. */
export const HOSTED_REASONS = REASON_NAMES.filter(
  (reason) =>
    !isOfExporter(reason) &&
    !["host_forbidden", "internal", "not_bootstrapped", "rpc_error", "unsupported", "wrong_node"].includes(reason),
);

/** A failed poll: `reason` is a label value, `message` a text for people without secrets. */
export type Failure = {
  readonly reason: Reason;
  readonly message: string;
  /** Text of the JSON-RPC error, if the answer was one. */
  readonly rpcMessage?: string;
  /** HTTP status, if there was an answer. */
  readonly status?: number;
  /** `Retry-After` of the server, in seconds. */
  readonly retryAfter?: number;
};

/** Whether the exporter itself lacked something, processor time or file descriptors: that shows nothing of the target. */
export function isOfExporter(reason: Reason): reason is "overloaded" | "descriptors" {
  return reason === "overloaded" || reason === "descriptors";
}

/** Whether the failure proves that no node serves at the address. */
export function isConnectionLost(reason: Reason): boolean {
  return ["refused", "dns", "tls", "unreachable", "reset"].includes(reason);
}

/** Whether the failure proves that a node answers at the address: only nodes send such errors. */
export function isNodesAnswer(reason: Reason): boolean {
  return ["not_bootstrapped", "rpc_error", "host_forbidden", "unsupported"].includes(reason);
}

/** Whether the server refuses this request, in whatever words: a proxy has its own for what the server behind it lacks. */
export function isRefusal({ reason }: Pick<Failure, "reason">): boolean {
  return ["unsupported", "rpc_error", "http_status", "unauthorized"].includes(reason);
}
