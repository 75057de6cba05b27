import type { HttpDependencies } from "../dependencies.ts";
import { expositionReply, textReply } from "../reply.ts";
import type { Route } from "../route.ts";

/** The query parameters that select families; exporters use both names. */
const FILTERS = ["collect[]", "name[]"] as const;

/**
 * The scrape. At most `maxRequests` run concurrently; further ones are answered with 503. A scrape counts until its last byte
 * is read, so that slow readers cannot accumulate expositions in memory. 0 means no limit.
 */
export function metricsRoute({ metrics, about }: HttpDependencies, maxRequests: number): Route {
  let running = 0;
  return {
    path: about.telemetryPath,
    methods: ["GET"],
    async handle({ query, header, afterwards }) {
      if (maxRequests > 0 && running >= maxRequests) {
        const why = `Limit of ${maxRequests} concurrent scrapes reached, try again later.\n`;
        return textReply(503, why, { "Retry-After": "5" });
      }
      running += 1;
      afterwards(() => (running -= 1));
      const exposition = await metrics({
        accept: header("accept"),
        acceptEncoding: header("accept-encoding"),
        only: readFilters(query),
      });
      return expositionReply(exposition);
    },
  };
}

/** The values of `collect[]` and `name[]`; `undefined` when there are none. */
export function readFilters(query: URLSearchParams): ReadonlySet<string> | undefined {
  const names = FILTERS.flatMap((parameter) => query.getAll(parameter)).filter((name) => name !== "");
  return names.length === 0 ? undefined : new Set(names);
}
