import type { FleetNode, HttpDependencies } from "../http-dependencies.ts";
import { maskedUrl, tokensOf } from "../../api/hide-secrets.ts";
import { jsonReply, textReply } from "../reply.ts";
import type { Route } from "../route.ts";

/** A host with an optional port, as in a Host header. */
const HOST = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/;

/**
 * Prometheus's HTTP service discovery. Every shard lists the whole fleet, including nodes that are down. `?for=probe` lists the
 * nodes as targets of `/probe`; `&module=` selects a module.
 */
export function sdRoute({ fleet, modules }: HttpDependencies): Route {
  return {
    path: "/sd",

    handle({ query, header }) {
      const wanted = query.get("for") ?? "node";
      if (wanted === "node") return jsonReply(nativeTargets(fleet()));
      if (wanted !== "probe") return textReply(400, "for must be node (the nodes' own metrics) or probe.\n");
      const module = query.get("module") ?? undefined;
      if (module !== undefined && !modules().includes(module))
        return textReply(400, `Unknown module. Modules: ${modules().join(", ")}\n`);
      const host = header("host") ?? "";
      if (!HOST.test(host))
        return textReply(400, "The Host header, the address of the probes, is missing or malformed.\n");
      return jsonReply(probeTargets(fleet(), host, module));
    },
  };
}

/** A group of Prometheus's HTTP service discovery. */
type TargetGroup = {
  readonly targets: readonly string[];
  /** Those that are undefined are absent from the JSON. */
  readonly labels: Readonly<Record<string, string | undefined>>;
};

/** Path of a node's own metrics, below its URL. */
const NATIVE_METRICS = "/ext/metrics";

/**
 * Targets of the nodes' own metrics, one group for each node, with the labels of the exporter's series: `node`, the configured
 * network and the free labels. None of them depends on an answer of the node, because a changed label makes a new target. The
 * reported network is in `__meta_avax_…`, for relabelling. A node with a token in the path of its URL is left out: Prometheus needs the
 * path, and whoever reads it can use it.
 */
export function nativeTargets(nodes: readonly FleetNode[]): readonly TargetGroup[] {
  const shown = nodes.filter(({ url }) => tokensOf(url).length === 0);
  return shown.map((node) => {
    const { protocol, hostname, port, pathname } = new URL(node.url);
    const portOfScheme = protocol === "https:" ? "443" : "80";
    return {
      targets: [`${hostname}:${port === "" ? portOfScheme : port}`],
      labels: {
        ...node.labels,
        node: node.name,
        network: node.network,
        __scheme__: protocol.slice(0, -1),
        __metrics_path__: pathname.replace(/\/+$/, "") + NATIVE_METRICS,
        ...metaOf(node),
      },
    };
  });
}

/**
 * Targets of this exporter's `/probe`. `host` is the exporter's address from the request. The label `instance` is the node's
 * name, because all these targets share one address. The probe exports `node` and `network` itself.
 */
export function probeTargets(
  nodes: readonly FleetNode[],
  host: string,
  module: string | undefined,
): readonly TargetGroup[] {
  return nodes.map((node) => ({
    targets: [host],
    labels: {
      instance: node.name,
      __metrics_path__: "/probe",
      __param_target: node.name,
      __param_module: module,
      ...metaOf(node),
    },
  }));
}

/** Labels for relabelling. They contain the kinds of credentials, but no credential. */
function metaOf({ name, url, network, reportedNetwork, credentials }: FleetNode): TargetGroup["labels"] {
  return {
    __meta_avax_node: name,
    __meta_avax_url: maskedUrl(url),
    __meta_avax_network: network ?? reportedNetwork,
    __meta_avax_credentials: credentials.length === 0 ? "none" : credentials.join(","),
  };
}
