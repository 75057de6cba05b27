import type { HttpDependencies } from "../http-dependencies.ts";
import { expositionReply, laterReply, textReply } from "../reply.ts";
import type { Route } from "../route.ts";
import { createPlaces } from "../client-places.ts";
import { nearNames } from "../near-names.ts";
import { quoted } from "../../config/base/error-texts.ts";

/** The query parameters that select families; exporters use both names. */
const FILTERS = ["collect[]", "name[]"] as const;

/**
 * The scrape. At most `maxRequests` run concurrently; further ones are answered with 503. A scrape counts until its last byte
 * is read, so that slow readers cannot accumulate expositions in memory. One client address can take half of them, so that the
 * scraper at another address is served. 0 means no limit.
 */
export function metricsRoute({ metrics, selectable, about }: HttpDependencies, maxRequests: number): Route {
  const places = createPlaces(maxRequests);
  return {
    path: about.telemetryPath,

    async handle({ query, header, client, afterwards }) {
      const only = readFilters(query);
      const fault = only === undefined ? undefined : filterFault(only, selectable());
      if (fault !== undefined) return textReply(400, fault);
      const place = places.take(client);
      if (place === undefined)
        return laterReply(
          `Limit of ${maxRequests} concurrent scrapes, or of half as many from one address, reached`,
          5,
        );
      afterwards(place);
      return expositionReply(
        await metrics({ accept: header("accept"), acceptEncoding: header("accept-encoding"), only }),
      );
    },
  };
}

/** The values of `collect[]` and `name[]`; `undefined` when there are none. */
export function readFilters(query: URLSearchParams): ReadonlySet<string> | undefined {
  const names = FILTERS.flatMap((parameter) => query.getAll(parameter)).filter((name) => name !== "");
  return names.length === 0 ? undefined : new Set(names);
}

/** Unknown names in one answer. */
const MOST_UNKNOWN = 5;

/**
 * A line for each name that selects nothing, with the names like it; undefined when all are known. An empty answer would look
 * like nodes without data.
 */
function filterFault(only: ReadonlySet<string>, known: ReadonlySet<string>): string | undefined {
  const unknown = [...only].filter((name) => !known.has(name)).slice(0, MOST_UNKNOWN);
  if (unknown.length === 0) return undefined;
  const lines = unknown.map((name) => {
    const near = nearNames(name, [...known]);
    return `Unknown topic or family ${quoted(name)} in collect[] or name[]${near.length === 0 ? "" : `; near: ${near.join(", ")}`}\n`;
  });
  return lines.join("");
}
