import type { Config, HostPattern, NodeConfig } from "../../config/config.ts";
import { defaultNode } from "../../config/default-config.ts";

/** A node that may be probed, or the refusal: `forbidden` by this configuration, or `malformed` for any configuration. */
type ProbeTarget =
  { readonly node: NodeConfig } | { readonly refused: "forbidden" | "malformed"; readonly why: string };

const NOT_ALLOWED =
  "Only configured nodes may be probed, by name or by URL, and hosts that match probe.targets of the configuration.";

/**
 * Resolves the target of a probe: a configured node by its name or URL, else a URL whose host and port the configuration allows.
 * Anything else is refused, because a client of the exporter must not reach the rest of its network.
 */
export function probeTarget({ nodes, subnets, probe }: Config, text: string): ProbeTarget {
  const named = nodes.find(({ name }) => name === text);
  if (named !== undefined) return { node: named };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:"))
    return { refused: "forbidden", why: `No node has this name. ${NOT_ALLOWED}` };
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return { refused: "malformed", why: "The URL of a target has no user name, password, query or fragment." };
  const base = url.origin + url.pathname.replace(/\/+$/, "");
  const configured = nodes.find((node) => node.url === base);
  if (configured !== undefined) return { node: configured };
  if (url.pathname !== "/" || !probe.targets.some((pattern) => matches(pattern, url)))
    return { refused: "forbidden", why: NOT_ALLOWED };
  // Like a configured node that has neither a network nor subnets of its own.
  const served = subnets.filter(({ network }) => network === undefined).map(({ id }) => id);
  return { node: { ...defaultNode(url.host, url.origin), subnets: served } };
}

function matches({ host, port }: HostPattern, url: URL): boolean {
  const asked = Number(url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port);
  const parts = host.split("*").map((part) => part.replace(/[.[\]]/g, "\\$&"));
  return asked === port && new RegExp(`^${parts.join("[^.]+")}$`).test(url.hostname);
}
