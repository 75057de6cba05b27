import type { Endpoint, Source } from "../../api/endpoint.ts";
import { IsBootstrapped, NodeId } from "../../api/node/info.ts";
import { nodeEndpoints, sourceOf, type Catalogue } from "../../catalogue/catalogue.ts";

/**
 * What an auxiliary node (a node of another shard) is asked: what nodes are compared by, what facts of networks are read from,
 * and what it takes to choose a reference node.
 */
export function auxiliaryEndpoints(catalogue: Catalogue): ReadonlyArray<Endpoint<unknown>> {
  const needed = catalogue.topics
    .filter(({ scope }) => scope === "comparison" || scope === "network")
    .flatMap(({ needs }) => Object.values(needs).map(sourceOf));
  const asked = new Set<Source<unknown>>([NodeId, IsBootstrapped, ...needed]);
  // A question about the network is put to the reference node alone, whichever that is.
  return nodeEndpoints(catalogue).filter((endpoint) => endpoint.scope === "network" || asked.has(endpoint));
}
