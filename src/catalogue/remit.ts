import { catalogueOf, metricsOf, type Catalogue } from "./catalogue.ts";
import type { Metric, Topic } from "./metric.ts";
import { polling } from "../self/polling.ts";

/** What a process answers for. */
export type Remit = {
  /** Facts of whole networks and of hosted services: of several shards the first alone has them, so that each is told once. */
  readonly networks: boolean;
  /**
   * It looks at one node once: it has nobody to compare it with, counts nothing and has no cadence. It tells either of the
   * network or of the node, so that a look of each kind at one node tells nothing twice.
   */
  readonly once: boolean;
};

/** A process that has the whole fleet. */
export const EVERYTHING: Remit = { networks: true, once: false };

/** Parts that were made, by what they are of: single looks come many a second, and all need the same. */
const known = new WeakMap<Catalogue, Map<string, Catalogue>>();

/**
 * The part of a catalogue that is within a remit: topics, their metrics, and the endpoints that they need. What a node says of
 * itself can always be asked: who it is decides what else is. The part of a part is that part.
 */
export function catalogueWithin(remit: Remit, catalogue: Catalogue): Catalogue {
  if (remit.networks && !remit.once) return catalogue;
  const key = JSON.stringify([remit.networks, remit.once]);
  const made = known.get(catalogue)?.get(key) ?? partOf(remit, catalogue);
  for (const each of [catalogue, made])
    known.set(each, (known.get(each) ?? new Map<string, Catalogue>()).set(key, made));
  return made;
}

function partOf(remit: Remit, catalogue: Catalogue): Catalogue {
  const part = catalogueOf(topicsWithin(remit, catalogue.topics));
  const needed = new Set(part.endpoints);
  return {
    ...part,
    endpoints: catalogue.endpoints.filter((endpoint) => needed.has(endpoint) || endpoint.scope === "node"),
  };
}

function topicsWithin(remit: Remit, topics: readonly Topic[]): readonly Topic[] {
  return topics
    .filter((topic) => isWithin(remit, topic))
    .map((topic) => ({
      ...topic,
      metrics: Object.fromEntries(Object.entries(topic.metrics).filter(([, metric]) => isTold(remit, topic, metric))),
    }))
    .filter((topic) => metricsOf(topic).length > 0);
}

function isWithin({ networks, once }: Remit, { scope, watched, helpers }: Topic): boolean {
  if (once && networks) return scope === "network";
  switch (scope) {
    case "hosted":
      return networks;
    case "fleet":
      return !once;
    case "network":
      return networks || watched === true;
    default:
      return !(once && helpers === true);
  }
}

function isTold({ networks, once }: Remit, { scope }: Topic, metric: Metric<never>): boolean {
  if (once && (metric.type === "counter" || metric.type === "histogram")) return false;
  if (once && metric.name === polling.metrics.interval.name) return false;
  // What is compared is a node's or a validator's, else the network's.
  if (!networks && scope === "fleet") return metric.labels.some((label) => label === "node" || label === "node_id");
  return true;
}
