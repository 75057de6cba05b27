import type { Endpoint, Source } from "../../api/endpoint.ts";
import { IsBootstrapped, NodeId } from "../../api/node/info.ts";
import { nodeEndpoints, sourceOf, type Catalogue } from "../../catalogue/catalogue.ts";

/**
 * The endpoints of an auxiliary node (a node of another shard): those of comparisons and network facts, and those that the
 * choice of a reference node depends on.
 */
export function auxiliaryEndpoints(catalogue: Catalogue): ReadonlyArray<Endpoint<unknown>> {
  const needed = catalogue.topics
    .filter(({ scope }) => scope === "comparison" || scope === "network")
    .flatMap(({ needs }) => Object.values(needs).map(sourceOf));
  const asked = new Set<Source<unknown>>([NodeId, IsBootstrapped, ...needed]);
  // Endpoints of networks are polled on the reference node, which any node may become.
  return nodeEndpoints(catalogue).filter((endpoint) => endpoint.scope === "network" || asked.has(endpoint));
}
