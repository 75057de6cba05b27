import type { Failure } from "./reasons.ts";

/** The ports of a node unless it is configured otherwise. */
const API_PORT = 9650;
const STAKING_PORT = 9651;

/** What a person can do about an address of which no poll succeeds, as the end of a sentence; `undefined` where the reason tells it. */
export function remedyFor(
  url: string,
  { reason, status, message }: Pick<Failure, "reason" | "status" | "message">,
): string | undefined {
  const { protocol, port } = new URL(url);
  const isStaking = port === String(STAKING_PORT);
  switch (reason) {
    case "reset":
    case "tls":
    case "timeout":
      if (isStaking) return `${STAKING_PORT} is the staking port: use the API port, ${API_PORT} by default`;
      if (reason === "reset")
        return `if it is the staking port (${STAKING_PORT} by default), use the API port (${API_PORT} by default)${protocol === "http:" ? "; if the port has TLS, use https://" : ""}`;
      return reason === "tls" ? certificateRemedy(message) : undefined;
    case "refused":
      return `start the node, or correct host and port (API port: ${API_PORT} by default); from another machine the node needs --http-host`;
    case "dns":
      return "correct the host name, or use the IP address";
    case "unauthorized":
      return "write the node with basic_auth or bearer_token into a configuration file (config.example.yaml)";
    case "not_json":
    case "schema":
    case "http_status":
      // 503 is the answer of a node that starts.
      return status === 503 ? undefined : "the HTTP server is not an Avalanche node: correct host and port";
    default:
      return undefined;
  }
}

/** By the words of Node.js about a certificate. */
function certificateRemedy(message: string): string | undefined {
  if (message.includes("altnames"))
    return "write the node with tls.server_name, a name in the certificate, into a configuration file";
  if (message.includes("expired")) return "renew the certificate of the node's API";
  if (!/self-signed|issuer|authority|verify/.test(message)) return undefined;
  return "for an authority of your own write the node with tls.ca_file into a configuration file";
}
