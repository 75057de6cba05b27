import { catalogueOf, metricsOf, type Catalogue } from "./catalogue.ts";
import type { Metric, Scope } from "./metric.ts";
import type { Topic } from "./topic.ts";

/**
 * The part of the catalogue that a process exports. `whole`: everything, in a single process or in the first of several
 * shards. `nodes`: facts of its own nodes, in any other shard, so that each fact of a network is exported once. `node-probe`
 * and `network-probe`: facts of one node, or of its network, read once. A probe has no comparisons, counters or cadences.
 */
export type Part = "whole" | "nodes" | "node-probe" | "network-probe";

/** Scopes of the topics of a part, which also has the topics about watched validators. */
const SCOPES = {
  nodes: ["node", "observer", "comparison"],
  "node-probe": ["node", "observer"],
  "network-probe": ["network"],
} as const satisfies Readonly<Record<Exclude<Part, "whole">, readonly Scope[]>>;

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

function make({ topics, endpoints }: Catalogue, part: keyof typeof SCOPES): Catalogue {
  const scopes: readonly Scope[] = SCOPES[part];
  const made = catalogueOf(
    topics
      .filter(({ scope, watched }) => scopes.includes(scope) || watched === true)
      .map(({ metrics, ...topic }) => {
        const shown = Object.entries(metrics).filter(([, metric]) => hasMetric(part, topic, metric));
        return { ...topic, metrics: Object.fromEntries(shown) };
      })
      .filter((topic) => metricsOf(topic).length > 0),
  );
  const needed = new Set(made.endpoints);
  return { ...made, endpoints: endpoints.filter((endpoint) => needed.has(endpoint) || endpoint.scope === "node") };
}

/** Labels of what is about the nodes that this process polls. */
const OF_OWN_NODES: ReadonlySet<string> = new Set(["node", "nodes", "node_id"]);

type AnyMetric = Metric<never, string, never>;

function hasMetric(
  part: keyof typeof SCOPES,
  { scope, across, perShard }: Pick<Topic, "scope" | "across" | "perShard">,
  { type, labels, recurring }: AnyMetric,
): boolean {
  // A comparison without these labels is a fact of the network, or of the process.
  const isOfShard = across === true || perShard === true;
  if (part === "nodes") return scope !== "comparison" || isOfShard || labels.some((label) => OF_OWN_NODES.has(label));
  return type !== "counter" && type !== "histogram" && type !== "summary" && recurring !== true;
}
