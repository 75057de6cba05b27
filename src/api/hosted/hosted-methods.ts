import { z } from "zod";
import { CHAIN_METRIC_NAMES, LegacyAvgTps } from "./chain-metric.ts";
import { HOSTED_ENDPOINTS } from "./hosted-endpoints.ts";
import { getResource, type HostedService } from "./hosted-endpoint.ts";

/** A path of a hosted service, for the command `call`. */
export type HostedMethod = {
  readonly service: HostedService;
  /** `GET` and the path with `{names}`. */
  readonly name: string;
  readonly path: string;
  readonly about: string;
};

const TransactionByHash = getResource(
  "/v1/chains/{chainId}/transactions/{txHash}",
  "A transaction by its hash; the specification does not show its form.",
  z.unknown(),
);

/** The resources of the Data API, of which several endpoints can read one. */
const DATA = new Set(HOSTED_ENDPOINTS.flatMap(({ service, resource }) => (service === "data" ? [resource] : [])));

const SERIES = "/v2/chains/{chainId}/metrics/{metric}";

export const HOSTED_METHODS: readonly HostedMethod[] = [
  ...[...DATA, TransactionByHash].map(({ name, path, about }) => ({ service: "data" as const, name, path, about })),
  {
    service: "metrics",
    name: `GET ${SERIES}`,
    path: SERIES,
    about: `A series of a chain; metric is one of ${CHAIN_METRIC_NAMES.join(", ")}.`,
  },
  { service: "metrics", name: LegacyAvgTps.name, path: LegacyAvgTps.path, about: LegacyAvgTps.about },
];

/** Names of the parameters in a path. */
export const placesOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
