import { createPages, type Pages } from "./hosted-pages.ts";
import { HOSTED_FAULTS, json, refusal, type HostedFault } from "./hosted-reply.ts";
import { DATA_ROUTES, metricRoutes, type Answer, type Route } from "./hosted-routes.ts";
import type { HostedDialect, HostedView } from "./hosted-world.ts";
import type { Reply, Request } from "../world/wire.ts";

/** The two simulated hosted services without their sockets: pages, keys, rates and faults around what the routes answer. */

export type HostedName = "data" | "metrics";

export type HostedServiceOptions = {
  /** A server of the specification's letter, or one that answers as the real service does (default). */
  readonly dialect?: HostedDialect;
  readonly seed?: number;
  /** Unix seconds at which the simulation begins. */
  readonly start: number;
  /** Requests must carry this key; by default none is needed. */
  readonly key?: string;
  /** Units that a minute allows before 429; default: none are refused. */
  readonly unitsPerMinute?: number;
  /** Seconds that page tokens live, default 24 hours. */
  readonly tokenLifetime?: number;
  /** A node ID whose last period ended a few days ago and was not paid, default none. */
  readonly denied?: string;
  /** Requests that are remembered, default 10,000. */
  readonly remembered?: number;
};

export type Told = {
  readonly at: number;
  readonly service: HostedName;
  readonly url: string;
  readonly status: number;
  readonly units: number;
};

export type HostedServices = {
  /** Answers one request. @param now Unix seconds of simulated time */
  readonly answer: (
    service: HostedName,
    request: Pick<Request, "method" | "path" | "query" | "headers">,
    now: number,
  ) => Reply;
  /** Makes a service fail from now on, in one way; `undefined` ends it. */
  readonly set: (service: HostedName, fault: HostedFault | undefined) => void;
  /** Seconds that the Metrics API's series are behind. */
  readonly lagBy: (seconds: number) => void;
  readonly expireTokens: () => void;
  /** The last requests, oldest first. */
  readonly requests: () => readonly Told[];
};

export function createHostedServices(options: HostedServiceOptions): HostedServices {
  const { dialect = "real", seed = 1, start, key, unitsPerMinute, denied } = options;
  const { tokenLifetime = 86_400, remembered = 10_000 } = options;
  const pages = createPages(tokenLifetime);
  const faults = new Map<HostedName, HostedFault>();
  const told: Told[] = [];
  /** Units by minute of the clock, as a service that counts by calendar minutes does. */
  const minutes = new Map<HostedName, { minute: number; units: number }>();
  const header = dialect === "spec" ? "x-service-api-key" : "x-glacier-api-key";
  let lag = 0;
  const routes: Readonly<Record<HostedName, readonly Route[]>> = {
    data: DATA_ROUTES,
    metrics: metricRoutes(() => lag),
  };

  function overRate(service: HostedName, units: number, now: number): Reply | undefined {
    if (unitsPerMinute === undefined) return undefined;
    const minute = Math.floor(now / 60);
    const known = minutes.get(service);
    const used = known?.minute === minute ? known : { minute, units: 0 };
    minutes.set(service, used);
    used.units += units;
    if (used.units <= unitsPerMinute) return undefined;
    const wait = String(Math.ceil((minute + 1) * 60 - now));
    return refusal(429, undefined, { "retry-after": wait, "ratelimit-reset": wait, "ratelimit-remaining": "0" });
  }

  function reply(
    service: HostedName,
    request: Pick<Request, "method" | "path" | "query" | "headers">,
    now: number,
  ): [Reply, number] {
    const route = routes[service].find(({ pattern }) => pattern.test(request.path));
    const units = route?.units ?? 0;
    const fault = faults.get(service);
    if (fault !== undefined) return [HOSTED_FAULTS[fault](), units];
    // The Metrics API takes no key, and does not look at one.
    const given = request.headers[header];
    if (key !== undefined && service === "data" && given !== key)
      return [refusal(401, given === undefined ? "Unauthorized" : `Invalid API key ${given}`), units];
    const limited = overRate(service, units, now);
    if (limited !== undefined) return [limited, units];
    if (route === undefined || request.method !== "GET")
      return [refusal(404, `Cannot ${request.method} ${request.path}`), units];
    const parts = (route.pattern.exec(request.path) ?? []).slice(1).map(decodeURIComponent);
    const view: HostedView = { seed, dialect, now: Math.floor(now), start, denied };
    const answer = route.answer({ parts, query: request.query, view });
    return [rendered(answer, request, pages, now), units];
  }

  return {
    answer(service, request, now) {
      const [answer, units] = reply(service, request, now);
      const search = request.query.toString();
      told.push({
        at: now,
        service,
        url: search === "" ? request.path : `${request.path}?${search}`,
        status: answer.status,
        units,
      });
      if (told.length > remembered * 2) told.splice(0, told.length - remembered);
      return answer;
    },
    set: (service, fault) => void (fault === undefined ? faults.delete(service) : faults.set(service, fault)),
    lagBy: (seconds) => {
      lag = seconds;
    },
    expireTokens: pages.expireAll,
    requests: () => told.slice(-remembered),
  };
}

function rendered(answer: Answer, { path, query }: Pick<Request, "path" | "query">, pages: Pages, now: number): Reply {
  if ("status" in answer) return refusal(answer.status, answer.message);
  if ("whole" in answer) return json(answer.whole);
  const size = query.get("pageSize");
  const most = answer.most;
  if (size !== null && !/^\d+$/.test(size)) return refusal(400, ["pageSize must be an integer number"]);
  const count = size === null ? (answer.usual ?? 10) : Number(size);
  if (count > most) return refusal(400, [`pageSize must not be greater than ${most}`]);
  if (count < 1) return refusal(400, ["pageSize must not be less than 1"]);
  const listing = [
    path,
    ...[...query].filter(([name]) => name !== "pageToken").map(([name, value]) => `${name}=${value}`),
  ].join(" ");
  const token = query.get("pageToken");
  const offset = token === null ? 0 : pages.offset(token, listing, now);
  if (offset === undefined) return refusal(400, "Invalid page token");
  const items = answer.items(offset, offset + count);
  const next = offset + count < answer.length ? { nextPageToken: pages.issue(listing, offset + count, now) } : {};
  return json({ ...next, [answer.list]: items, ...answer.beside });
}
