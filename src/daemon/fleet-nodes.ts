import type { Config, NodeConfig } from "../config/config.ts";
import type { Credential, FleetNode } from "../http/dependencies.ts";
import type { Status } from "../poller/poll/status.ts";

/** The configured nodes without their secrets. */
export function fleetNodes({ nodes }: Config, { targets }: Status): readonly FleetNode[] {
  const reported = new Map(targets.map(({ name, network }) => [name, network]));
  return nodes.map((node) => ({
    name: node.name,
    url: node.url,
    network: node.network,
    reportedNetwork: reported.get(node.name),
    labels: node.labels,
    credentials: credentialsOf(node),
  }));
}

function credentialsOf({ headers, tls }: NodeConfig): readonly Credential[] {
  const { authorization, ...others } = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const found: Credential[] = [];
  if (authorization !== undefined) {
    const [kind = ""] = authorization.split(" ");
    found.push(kind === "Basic" ? "basic_auth" : kind === "Bearer" ? "bearer_token" : "headers");
  }
  if (Object.keys(others).length > 0 && !found.includes("headers")) found.push("headers");
  if (tls?.cert !== undefined) found.push("client_certificate");
  return found;
}
