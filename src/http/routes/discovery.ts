import type { FleetNode } from "../dependencies.ts";

/** A group of Prometheus's HTTP service discovery. */
export type TargetGroup = { readonly targets: readonly string[]; readonly labels: Readonly<Record<string, string>> };

/** Where a node serves its own metrics, below its URL. */
const NATIVE_METRICS = "/ext/metrics";

/**
 * The nodes' own metrics, a group for each node, under the labels that the exporter's series of it have: `node`, the network
 * where the configuration names it, and its free labels. None of these depends on what a node answers, or a target would
 * become another one whenever it goes away; what was learned is in `__meta_avax_…`, which relabelling may use.
 */
export function nativeTargets(nodes: readonly FleetNode[]): readonly TargetGroup[] {
  return nodes.map((node) => {
    const { protocol, pathname } = new URL(node.url);
    return {
      targets: [addressOf(node.url)],
      labels: {
        ...node.labels,
        node: node.name,
        ...(node.network === undefined ? {} : { network: node.network }),
        __scheme__: protocol.slice(0, -1),
        __metrics_path__: pathname.replace(/\/+$/, "") + NATIVE_METRICS,
        ...metaOf(node),
      },
    };
  });
}

/**
 * The nodes as targets of this exporter's `/probe`: `host` is where Prometheus reached it. The label `instance` is the node's
 * name, because all these targets have one address; `node` and `network` come with the answers.
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
      ...(module === undefined ? {} : { __param_module: module }),
      ...metaOf(node),
    },
  }));
}

/** What relabelling may use and no series keeps. No credential is among it, only of which kind the node wants one. */
function metaOf({ name, url, network, learnedNetwork, credentials }: FleetNode): Readonly<Record<string, string>> {
  const known = network ?? learnedNetwork;
  return {
    __meta_avax_node: name,
    __meta_avax_url: url,
    ...(known === undefined ? {} : { __meta_avax_network: known }),
    __meta_avax_credentials: credentials.length === 0 ? "none" : credentials.join(","),
  };
}

/** Host and port of a URL; the port is there even where it is the scheme's own. */
function addressOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`;
}
