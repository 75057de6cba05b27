import { z } from "zod";
import {
  endpoint,
  keyedEndpoint,
  methodsAt,
  type Api,
  type Endpoint,
  type Resource,
  type TargetFacts,
} from "../endpoint.ts";
import { isLate } from "../is-late.ts";
import { countOf, httpDate, readBy, secondsOfNanos, timeOf } from "../wire.ts";

/** Health API of the node specification ("Health check result", "Health API"). */

/** Times in Unix seconds. A field that cannot be read is unknown: it costs neither the check nor the report. */
type HealthCheck = {
  /** "Optional context", of any type. */
  readonly message: unknown;
  /** "Optional reason for failure", of any type. */
  readonly error: unknown;
  readonly timestamp: number | undefined;
  /** Seconds. */
  readonly duration: number | undefined;
  readonly contiguousFailures: number | undefined;
  readonly timeOfFirstFailure: number | undefined;
  /** Number of its times that are later than the answer: they are unknown. */
  readonly late: number | undefined;
};

/** By plain functions: a node has some ten checks, and no other answer is asked for as often. */
function checksOf(value: unknown): Readonly<Record<string, HealthCheck>> | undefined {
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  const checks: Record<string, HealthCheck> = {};
  for (const [name, fields] of Object.entries(value)) {
    const check = checkOf(fields);
    if (check === undefined) return undefined;
    // It would become the prototype.
    if (name !== "__proto__") checks[name] = check;
  }
  return checks;
}

function checkOf(value: unknown): HealthCheck | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const [timestamp, timeOfFirstFailure] = [timeOf(fields["timestamp"]), timeOf(fields["timeOfFirstFailure"])];
  const [isRunLate, isFailureLate] = [isLate(timestamp, "node"), isLate(timeOfFirstFailure, "node")];
  return {
    message: fields["message"],
    error: fields["error"],
    timestamp: isRunLate ? undefined : timestamp,
    duration: secondsOfNanos(fields["duration"]),
    contiguousFailures: countOf(fields["contiguousFailures"]),
    timeOfFirstFailure: isFailureLate ? undefined : timeOfFirstFailure,
    late: Number(isRunLate) + Number(isFailureLate) || undefined,
  };
}

const health = z.object({
  checks: readBy(z.unknown(), checksOf, "not an object of checks"),
  healthy: z.boolean(),
  /** Time of the node's clock, of an answer that is asked for with it. */
  date: httpDate.optional(),
});

export type HealthReport = z.infer<typeof health>;

/** A check fails if it has an `error` of any type. */
export function isFailing({ error }: HealthCheck): boolean {
  return error !== undefined && error !== null;
}

const tags = z.object({ tags: z.array(z.string()).optional() });

/** Status 503 with a report is an answer, not a failure. */
export const UNHEALTHY = { status: 503, field: "healthy" };

function resource(path: string, about: string): Resource<HealthReport> {
  return { name: `GET ${path}`, path, about, result: health, also: UNHEALTHY };
}

export const healthResources = {
  health: resource("/ext/health", "Holistic report of the node."),
  alias: resource("/ext/health/health", "Same as GET /ext/health."),
  readiness: resource("/ext/health/readiness", "Healthy once initialization has finished."),
  liveness: resource("/ext/health/liveness", "Healthy once the endpoint is available."),
};

const method = methodsAt("/ext/health");

export const healthMethods = {
  health: method("health.health", "Last set of check results.", tags, health),
  readiness: method("health.readiness", "Last evaluation of the startup checks.", tags, health),
  liveness: method("health.liveness", "Healthy once the endpoint is available.", tags, health),
};

/** Adds the time on the node's clock, from the `Date` header. */
const DATED = { dated: true } as const;

/** A report of the node by the configured transport; with a tag the one of a subnet. */
export function healthReport(
  api: Api,
  which: keyof typeof healthMethods,
  { options }: TargetFacts,
  tag?: string,
): Promise<HealthReport> {
  if (options.healthTransport === "rpc")
    return api.call({ ...healthMethods[which], ...DATED }, tag === undefined ? {} : { tags: [tag] });
  return api.get({ ...healthResources[which], ...DATED }, tag === undefined ? [] : [["tag", tag]]);
}

const OF_NODE = { scope: "node", optional: true, ofOneNode: true } as const;

/** The endpoint of a report about the whole node. */
function reportEndpoint(
  which: keyof typeof healthMethods,
  definition: Pick<Endpoint<HealthReport>, "id" | "about" | "every" | "trace" | "probe">,
) {
  const methods = [healthResources[which].name, healthMethods[which].name];
  return endpoint({ ...definition, ...OF_NODE, methods, ask: (api, _key, facts) => healthReport(api, which, facts) });
}

export const Health = reportEndpoint("health", {
  id: "health",
  about: "All health checks of the node.",
  trace: "A node that is unhealthy writes a WARN line with its checks at each poll.",
  probe: true,
  every: 15,
});

export const Readiness = reportEndpoint("readiness", {
  id: "health.readiness",
  about: "Whether the node has finished its startup.",
  trace: "A node that has not finished its startup writes a WARN line at each poll.",
  // It changes once in the life of a process.
  every: 60,
});

export const Liveness = reportEndpoint("liveness", {
  id: "health.liveness",
  about: "Whether the node's API is available.",
  every: 30,
});

/** The global checks and those of one subnet. Keyed by subnet ID. */
export const SubnetHealth = keyedEndpoint({
  id: "health.subnet",
  about: "Health checks of each configured subnet.",
  ...OF_NODE,
  methods: ["GET /ext/health?tag=", "health.health {tags}"],
  trace: "A node writes a WARN line at each poll while one of these checks fails.",
  // The checks are in the report of `health` too; this one adds which of them count for the subnet.
  every: 60,
  keys: (facts) => facts.subnets.map(({ id }) => id),
  ask: (api, subnet, facts) => healthReport(api, "health", facts, subnet),
});
