import type { Reply } from "./reply.ts";

/** GET includes HEAD. */
type Method = "GET" | "POST" | "PUT";

type RouteRequest = {
  /** Path of the request, as sent: parts can be percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** A request header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Calls `release` once, when the handler has ended and the reply is sent or its reader is gone. */
  readonly afterwards: (release: () => void) => void;
};

/** One path of the server. A handler that throws is answered with 500. */
export type Route = {
  readonly path: string;
  /** Whether it answers every path that begins with `path`, which then ends in a slash. */
  readonly below?: true;
  readonly methods: readonly Method[];
  readonly handle: (request: RouteRequest) => Reply | Promise<Reply>;
};

type Match =
  | { readonly kind: "found"; readonly route: Route }
  | { readonly kind: "wrong-method"; readonly allow: string }
  | { readonly kind: "unknown" };

export function matchRoute(routes: ReadonlyMap<string, Route>, method: string, path: string): Match {
  const route = routes.get(path) ?? routeAbove(routes, path);
  if (route === undefined) return { kind: "unknown" };
  const allowed: readonly string[] = route.methods.flatMap((name) => (name === "GET" ? [name, "HEAD"] : [name]));
  return allowed.includes(method) ? { kind: "found", route } : { kind: "wrong-method", allow: allowed.join(", ") };
}

/** The route of the folder that contains this path. */
function routeAbove(routes: ReadonlyMap<string, Route>, path: string): Route | undefined {
  const folder = routes.get(path.slice(0, path.lastIndexOf("/") + 1));
  return folder?.below === true ? folder : undefined;
}

/** Path and query of a request target, in origin form (`/path?query`) or absolute form (`http://host/path?query`). */
export function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const origin = target.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = origin.indexOf("?");
  const path = mark < 0 ? origin : origin.slice(0, mark);
  return { path: path === "" ? "/" : path, query: new URLSearchParams(mark < 0 ? "" : origin.slice(mark + 1)) };
}
