import type { Reply } from "./reply.ts";

type Method = "GET" | "HEAD" | "POST" | "PUT";

type RouteRequest = {
  readonly query: URLSearchParams;
  /** A request header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** The address at the other end of the connection. */
  readonly client: string;
  /** The decoded rest of the path, for a route with `below`. */
  readonly rest: string;
  /** Calls `release` once, when the handler has ended and the reply is sent or its reader is gone. */
  readonly afterwards: (release: () => void) => void;
};

/** One path of the server. A handler that throws is answered with 500. */
export type Route = {
  readonly path: string;
  /** The route also has the paths one level below its own, which ends with "/". */
  readonly below?: true;
  /** The route is served without a login. */
  readonly isPublic?: boolean;
  /** The answer shows nothing about nodes, validators or the configuration: a supervisor may get it without a login, as often as it likes. */
  readonly showsNothing?: true;
  /** The route changes something or sends requests to nodes: those that a page of another site makes a browser send are refused. */
  readonly acts?: true;
  /** GET and HEAD when left out. */
  readonly methods?: readonly Method[];
  readonly handle: (request: RouteRequest) => Reply | Promise<Reply>;
};

/** A route, and the part of a path below its own. */
type Found = { readonly route: Route; readonly rest: string };

/** The route of a path: its own, else one that has the paths below its own. */
export function findRoute(routes: ReadonlyMap<string, Route>, path: string): Found | undefined {
  const exact = routes.get(path);
  if (exact !== undefined) return { route: exact, rest: "" };
  const slash = path.lastIndexOf("/") + 1;
  const route = routes.get(path.slice(0, slash));
  const rest = decoded(path.slice(slash));
  return route?.below === true && rest !== undefined ? { route, rest } : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Path and query of a request target, in origin form (`/path?query`) or absolute form (`http://host/path?query`). */
export function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const origin = target.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = origin.indexOf("?");
  const path = mark < 0 ? origin : origin.slice(0, mark);
  return { path: path === "" ? "/" : path, query: new URLSearchParams(mark < 0 ? "" : origin.slice(mark + 1)) };
}
