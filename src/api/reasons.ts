import { isIP } from "node:net";

/**
 * Reasons of a failed poll: a closed set, because they are label values. The status page and the metrics reference show the texts.
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

export const REASON_NAMES = Object.keys(REASONS) as readonly Reason[];

/** Reasons that only some addresses or configurations can have. */
const HOST_NAME_ONLY: readonly Reason[] = ["dns", "host_forbidden"];

/**
 * The reasons for which polls of a node can fail: `tls` needs HTTPS, `dns` and `host_forbidden` a host name, `wrong_node` a
 * configured node ID.
 */
export function reasonsOf({ url, nodeId }: { readonly url: string; readonly nodeId?: string | undefined }) {
  const { protocol, hostname } = new URL(url);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  return REASON_NAMES.filter(
    (reason) =>
      (reason !== "tls" || protocol === "https:") &&
      (reason !== "wrong_node" || nodeId !== undefined) &&
      !(isAddress && HOST_NAME_ONLY.includes(reason)),
  );
}

/** The reasons for which polls of a hosted service can fail. */
export const HOSTED_REASONS = REASON_NAMES.filter(
  (reason) => !["host_forbidden", "not_bootstrapped", "rpc_error", "wrong_node"].includes(reason),
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

/** Whether the failure proves that no node serves at the address. */
export function isConnectionLost(reason: Reason): boolean {
  return reason === "refused" || reason === "dns" || reason === "tls" || reason === "unreachable" || reason === "reset";
}

/** Whether the failure proves that a node answers at the address: only nodes send such errors. */
export function isNodesAnswer(reason: Reason): boolean {
  return (
    reason === "not_bootstrapped" || reason === "rpc_error" || reason === "host_forbidden" || reason === "unsupported"
  );
}
