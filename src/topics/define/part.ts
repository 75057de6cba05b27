import { catalogueOf, metricsOf, type Catalogue } from "./catalogue.ts";
import type { Metric } from "./metric.ts";
import type { Topic } from "./topic.ts";

/**
 * The part of the catalogue that a process exports. `whole`: everything, in a single process or in the first of several
 * shards. `nodes`: facts of its own nodes, in any other shard, so that each fact of a network is exported once. `node-probe`
 * and `network-probe`: facts of one node, or of its network, read once. A probe has no comparisons, counters or cadences.
 */
export type Part = "whole" | "nodes" | "node-probe" | "network-probe";

/** Parts by catalogue, because many probes a second need the same part. */
const cache = new WeakMap<Catalogue, Map<Part, Catalogue>>();

/**
 * A part of a catalogue: topics, their metrics, and the endpoints that they need. Endpoints of scope `node` always stay: the
 * identity of a node decides what else is polled. The same part of a part is that part.
 */
export function partOf(catalogue: Catalogue, part: Part): Catalogue {
  if (part === "whole") return catalogue;
  const made = cache.get(catalogue)?.get(part) ?? make(catalogue, part);
  for (const each of [catalogue, made])
    cache.set(each, (cache.get(each) ?? new Map<Part, Catalogue>()).set(part, made));
  return made;
}

/** Ids of node endpoints that only facts of whole networks need: a probe of a single node does not poll them. */
export function networkEndpointIds(catalogue: Catalogue): readonly string[] {
  const ofNode = new Set(partOf(catalogue, "node-probe").endpoints);
  return catalogue.endpoints.filter((each) => each.scope !== "hosted" && !ofNode.has(each)).map(({ id }) => id);
}

function make(catalogue: Catalogue, part: Part): Catalogue {
  const made = catalogueOf(topicsIn(catalogue.topics, part));
  const needed = new Set(made.endpoints);
  return {
    ...made,
    endpoints: catalogue.endpoints.filter((endpoint) => needed.has(endpoint) || endpoint.scope === "node"),
  };
}

function topicsIn(topics: readonly Topic[], part: Part): readonly Topic[] {
  return topics
    .filter((topic) => hasTopic(part, topic))
    .map((topic) => ({
      ...topic,
      metrics: Object.fromEntries(Object.entries(topic.metrics).filter(([, metric]) => hasMetric(part, topic, metric))),
    }))
    .filter((topic) => metricsOf(topic).length > 0);
}

function hasTopic(part: Part, { scope, watched }: Topic): boolean {
  switch (part) {
    case "whole":
      return true;
    case "nodes":
      return scope === "node" || scope === "observer" || scope === "comparison" || watched === true;
    case "node-probe":
      return scope === "node" || scope === "observer" || watched === true;
    case "network-probe":
      return scope === "network";
  }
}

/** Labels of what is about the nodes that this process polls. */
const OF_OWN_NODES: ReadonlySet<string> = new Set(["node", "nodes", "node_id"]);

function hasMetric(part: Part, { scope }: Topic, { type, labels, recurring }: Metric<never, string, never>): boolean {
  // A comparison without these labels is a fact of the network.
  if (part === "nodes") return scope !== "comparison" || labels.some((label) => OF_OWN_NODES.has(label));
  return part === "whole" || (type !== "counter" && type !== "histogram" && type !== "summary" && recurring !== true);
}
