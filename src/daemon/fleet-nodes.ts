import type { Config, NodeConfig } from "../config/config.ts";
import type { Credential, FleetNode } from "../http/http-dependencies.ts";
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

const SCHEMES: ReadonlyMap<string, Credential> = new Map([
  ["Basic", "basic_auth"],
  ["Bearer", "bearer_token"],
]);

function credentialsOf({ headers, tls }: NodeConfig): readonly Credential[] {
  const found = new Set<Credential>();
  for (const [name, value] of Object.entries(headers)) {
    const scheme = name.toLowerCase() === "authorization" ? value.split(" ", 1).join("") : "";
    found.add(SCHEMES.get(scheme) ?? "headers");
  }
  if (tls?.cert !== undefined) found.add("client_certificate");
  return [...found];
}
