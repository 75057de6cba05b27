import type { Endpoint } from "../../api/endpoint.ts";
import { IsBootstrapped, NodeId } from "../../api/node/info.ts";
import { endpointOf, type Catalogue } from "../../catalogue/catalogue.ts";
import type { Topic } from "../../catalogue/metric.ts";
import type { Fleet } from "../fleet.ts";
import type { Target } from "../target.ts";

/** Nodes of other shards that help: what they are asked, and what is told of them. */

/** What nodes are compared by, what facts of networks are read from, and what it takes to choose a speaker. */
export function endpointsOfHelpers({ topics, endpoints }: Catalogue): ReadonlyArray<Endpoint<unknown>> {
  const needed = topics
    .filter(({ scope }) => scope === "fleet" || scope === "network")
    .flatMap(({ needs }) => Object.values(needs).map(endpointOf));
  const asked = new Set<Endpoint<unknown>>([NodeId, IsBootstrapped, ...needed]);
  // A question about the network is put to the speaker alone, whoever that is.
  return endpoints.filter((endpoint) => endpoint.scope === "network" || asked.has(endpoint));
}

/** Whether a topic is read of a node: its own shard tells what a helper is, this one what it sees of this one's validators. */
export function isReadOf({ scope, helpers }: Topic, { helps }: Target): boolean {
  return helps ? scope === "vantage" || helpers === true : helpers !== true;
}

export type Keep = (labels: Readonly<Record<string, string>>) => boolean;

/** Which series of a comparison are told here: none of a helper, and of validators those that are this process's to tell of. */
export function keepOf({ targets }: Fleet, members: readonly Target[]): Keep {
  const told = new Set(members[0]?.subject.watchNetwork);
  return ({ node, node_id: nodeId }) => {
    if (node !== undefined) return targets.get(node)?.helps !== true;
    return nodeId === undefined || told.has(nodeId);
  };
}
