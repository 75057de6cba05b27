import { createHash } from "node:crypto";
import { HOSTED_FAULTS, json, refusal, type HostedFault } from "./hosted-reply.ts";
import { DATA_ROUTES, metricRoutes, type HostedAnswer, type HostedRoute } from "./hosted-routes.ts";
import type { HostedDialect, HostedView } from "./hosted-world.ts";
import type { SimulatedReply, Request } from "../world/wire.ts";

/** The two simulated hosted services without sockets: routes with pages, API keys, rate limits and faults. */

export type HostedName = "data" | "metrics";

export type HostedServiceOptions = {
  /** A server of the specification, or one like the real service (default). */
  readonly dialect?: HostedDialect;
  readonly seed?: number;
  /** Start of the simulation, Unix seconds. */
  readonly start: number;
  /** Required API key; default none. */
  readonly key?: string;
  /** Units per minute before 429; default unlimited. */
  readonly unitsPerMinute?: number;
  /** Lifetime of page tokens in seconds, default 24 hours. */
  readonly tokenLifetime?: number;
  /** A node ID whose last staking period ended a few days ago without a reward, default none. */
  readonly denied?: string;
  /** Length of the request log, default 10,000. */
  readonly remembered?: number;
};

export type HostedRequestRecord = {
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
  ) => SimulatedReply;
  /** Sets a fault of a service; `undefined` ends it. */
  readonly set: (service: HostedName, fault: HostedFault | undefined) => void;
  /** Sets the delay of the Metrics API in seconds. */
  readonly lagBy: (seconds: number) => void;
  readonly expireTokens: () => void;
  /** The last requests, oldest first. */
  readonly requests: () => readonly HostedRequestRecord[];
};

export function createHostedServices(options: HostedServiceOptions): HostedServices {
  const { dialect = "real", seed = 1, start, key, unitsPerMinute, denied } = options;
  const { tokenLifetime = 86_400, remembered = 10_000 } = options;
  const pages = createPages(tokenLifetime);
  const faults = new Map<HostedName, HostedFault>();
  const log: HostedRequestRecord[] = [];
  /** Units per calendar minute. */
  const minutes = new Map<HostedName, { minute: number; units: number }>();
  const header = dialect === "spec" ? "x-service-api-key" : "x-glacier-api-key";
  let lag = 0;
  const routes: Readonly<Record<HostedName, readonly HostedRoute[]>> = {
    data: DATA_ROUTES,
    metrics: metricRoutes(() => lag),
  };

  function overRate(service: HostedName, units: number, now: number): SimulatedReply | undefined {
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
  ): [SimulatedReply, number] {
    const route = routes[service].find(({ pattern }) => pattern.test(request.path));
    const units = route?.units ?? 0;
    const fault = faults.get(service);
    if (fault !== undefined) return [HOSTED_FAULTS[fault](), units];
    // The Metrics API ignores API keys.
    const received = request.headers[header];
    if (key !== undefined && service === "data" && received !== key)
      return [refusal(401, received === undefined ? "Unauthorized" : `Invalid API key ${received}`), units];
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
      log.push({
        at: now,
        service,
        url: search === "" ? request.path : `${request.path}?${search}`,
        status: answer.status,
        units,
      });
      if (log.length > remembered * 2) log.splice(0, log.length - remembered);
      return answer;
    },
    set: (service, fault) => void (fault === undefined ? faults.delete(service) : faults.set(service, fault)),
    lagBy: (seconds) => {
      lag = seconds;
    },
    expireTokens: pages.expireAll,
    requests: () => log.slice(-remembered),
  };
}

function rendered(
  answer: HostedAnswer,
  { path, query }: Pick<Request, "path" | "query">,
  pages: Pages,
  now: number,
): SimulatedReply {
  if ("status" in answer) return refusal(answer.status, answer.message);
  if ("whole" in answer) return json(answer.whole);
  const size = query.get("pageSize");
  if (size !== null && !/^\d+$/.test(size)) return refusal(400, ["pageSize must be an integer number"]);
  const count = size === null ? (answer.defaultSize ?? 10) : Number(size);
  if (count > answer.maxSize) return refusal(400, [`pageSize must not be greater than ${answer.maxSize}`]);
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

type Held = { readonly listing: string; readonly offset: number; readonly until: number };

/** Page tokens: UUIDs for one listing and offset, with an expiry time. */
type Pages = {
  /** The offset for a token; `undefined` if it is unknown, of another listing, or expired. */
  readonly offset: (token: string, listing: string, now: number) => number | undefined;
  readonly issue: (listing: string, offset: number, now: number) => string;
  /** Expires every token. */
  readonly expireAll: () => void;
};

/** @param lifetime seconds */
function createPages(lifetime: number): Pages {
  const held = new Map<string, Held>();
  let issued = 0;
  return {
    offset(token, listing, now) {
      const found = held.get(token);
      return found !== undefined && found.listing === listing && found.until > now ? found.offset : undefined;
    },
    issue(listing, offset, now) {
      if (held.size > 10_000) for (const [token, { until }] of held) if (until <= now) held.delete(token);
      const bytes = createHash("sha256").update(`${listing} ${offset} ${issued++}`).digest("hex");
      const token = `${bytes.slice(0, 8)}-${bytes.slice(8, 12)}-4${bytes.slice(13, 16)}-8${bytes.slice(17, 20)}-${bytes.slice(20, 32)}`;
      held.set(token, { listing, offset, until: now + lifetime });
      return token;
    },
    expireAll: () => held.clear(),
  };
}
