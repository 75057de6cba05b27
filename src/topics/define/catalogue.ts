import type { Endpoint, Polled, Source } from "../../api/endpoint.ts";
import type { HostedEndpoint } from "../../api/hosted/hosted-endpoint.ts";
import type { Metric } from "./metric.ts";
import type { Need } from "./needs.ts";
import type { Topic } from "./topic.ts";
import type { Family } from "../../exposition/sample.ts";

/** What follows from a list of topics: endpoints to poll, families to export, and the topics that read each source. */
export type Catalogue = {
  readonly topics: readonly Topic[];
  /** Every endpoint that a topic needs, once; records of the exporter's own work are not endpoints. */
  readonly endpoints: ReadonlyArray<AnyEndpoint>;
  readonly families: readonly Family[];
  readonly topicsBySource: ReadonlyMap<string, readonly Topic[]>;
};

export type AnyEndpoint = Endpoint<unknown> | HostedEndpoint<unknown>;

/** The endpoints that are polled at nodes. */
export const nodeEndpoints = ({ endpoints }: Pick<Catalogue, "endpoints">): ReadonlyArray<Endpoint<unknown>> =>
  endpoints.filter((endpoint) => endpoint.scope !== "hosted");

/** The source of a required or optional need. */
export function sourceOf(need: Need): Source<unknown> {
  return "source" in need ? need.source : need;
}

export function isOptional(need: Need): boolean {
  return "source" in need;
}

/** True for a source that requests are sent for, false for a record of the exporter's own work. */
export function isEndpoint(source: Source<unknown>): source is AnyEndpoint {
  return (source as Partial<Polled<unknown>>).methods !== undefined;
}

export function metricsOf(topic: Topic): ReadonlyArray<Metric<never, string, never>> {
  return Object.values(topic.metrics);
}

export function catalogueOf(topics: readonly Topic[]): Catalogue {
  const needs = topics.flatMap((topic) =>
    Object.values(topic.needs).map((need) => ({ topic, source: sourceOf(need) })),
  );
  const bySource = Map.groupBy(needs, ({ source }) => source.id);
  return {
    topics,
    endpoints: [...new Set(needs.map(({ source }) => source))].filter(isEndpoint),
    families: topics.flatMap(metricsOf),
    topicsBySource: new Map([...bySource].map(([id, users]) => [id, users.map(({ topic }) => topic)])),
  };
}
