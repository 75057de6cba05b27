/**
 * Why a poll failed: a closed set, because it is a label value.
 * The words are shown to operators on the status page and in the metrics reference.
 */
export const REASONS = {
  refused: "nothing listens at the address, or a firewall rejects the connection",
  dns: "the host name could not be resolved",
  timeout: "no complete answer before the deadline",
  reset: "the connection was closed in the middle",
  tls: "the TLS handshake or the certificate check failed",
  unreachable: "there is no route to the host",
  unauthorized: "the server wants other credentials (HTTP 401, or 403 without a known cause)",
  host_forbidden: "the node does not accept this Host header; ask it by IP or add the name to --http-allowed-hosts",
  redirect: "the server answered with a redirect, which is never followed; correct the URL",
  rate_limited: "the server limits the rate (HTTP 429)",
  not_bootstrapped: "the chain behind this call is not done bootstrapping",
  http_status: "an HTTP status that carries no answer",
  not_json: "the body is not JSON: is this an Avalanche node?",
  rpc_error: "the node answered with a JSON-RPC error",
  unsupported: "this server does not have this method or path",
  schema: "a field of the answer is missing or has another type",
  too_large: "the answer is larger than the limit",
  wrong_node: "another node than the configured one answers at this address",
  internal: "a defect of the exporter; the log has the details",
} as const satisfies Readonly<Record<string, string>>;

export type Reason = keyof typeof REASONS;

/** Every reason, in the order of the table. */
export const REASON_NAMES = Object.keys(REASONS) as readonly Reason[];

/** A failed poll: `reason` is the label value, `message` the sentence for people, without secrets. */
export type Failure = {
  readonly reason: Reason;
  readonly message: string;
  /** Text of the JSON-RPC error, when the node answered with one. */
  readonly rpcMessage?: string;
  /** HTTP status, when there was an answer. */
  readonly status?: number;
  /** Seconds that the server asked us to wait (`Retry-After`). */
  readonly retryAfter?: number;
};

/** A failure of this kind proves that no node is serving at the address right now. */
export function isConnectionLost(reason: Reason): boolean {
  return reason === "refused" || reason === "dns" || reason === "tls" || reason === "unreachable" || reason === "reset";
}

/** Words that only a node says: a failure of this kind proves that one answers at the address. */
export function isNodesAnswer(reason: Reason): boolean {
  return (
    reason === "not_bootstrapped" || reason === "rpc_error" || reason === "host_forbidden" || reason === "unsupported"
  );
}
