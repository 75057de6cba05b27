import type { Endpoint } from "../api/endpoint.ts";
import type { Metric, Need, Topic } from "./metric.ts";
import type { MetricType } from "../exposition/sample.ts";

type Family = { readonly name: string; readonly help: string; readonly type: MetricType };

/** What can be derived from a list of topics: the endpoints to poll, the families to expose, and which topics an answer concerns. */
export type Catalogue = {
  readonly topics: readonly Topic[];
  /** Every endpoint that a topic needs, once, without the exporter's own record. */
  readonly endpoints: ReadonlyArray<Endpoint<unknown>>;
  readonly families: readonly Family[];
  readonly topicsByEndpoint: ReadonlyMap<string, readonly Topic[]>;
};

/** The endpoint behind a need, whether the topic can do without it or not. */
export function endpointOf(need: Need): Endpoint<unknown> {
  return "optional" in need && "endpoint" in need ? need.endpoint : need;
}

export function isOptional(need: Need): boolean {
  return "endpoint" in need;
}

/** Every metric of a topic. */
export function metricsOf(topic: Topic): ReadonlyArray<Metric<never>> {
  return Object.values(topic.metrics);
}

/** Throws when two topics claim one family or two endpoints one id: a defect that every start must show. */
export function catalogueOf(topics: readonly Topic[]): Catalogue {
  const endpoints = new Map<string, Endpoint<unknown>>();
  const byEndpoint = new Map<string, Topic[]>();
  const families = new Map<string, Family>();
  for (const topic of topics) {
    for (const endpoint of Object.values(topic.needs).map(endpointOf)) {
      if ((endpoints.get(endpoint.id) ?? endpoint) !== endpoint)
        throw new Error(`two endpoints are called ${endpoint.id}`);
      endpoints.set(endpoint.id, endpoint);
      byEndpoint.set(endpoint.id, [...(byEndpoint.get(endpoint.id) ?? []), topic]);
    }
    for (const { name, help, type } of metricsOf(topic)) {
      if (families.has(name)) throw new Error(`two metrics are called ${name}`);
      families.set(name, { name, help, type });
    }
  }
  return {
    topics,
    endpoints: [...endpoints.values()].filter(({ internal }) => internal !== true),
    families: [...families.values()],
    topicsByEndpoint: byEndpoint,
  };
}
