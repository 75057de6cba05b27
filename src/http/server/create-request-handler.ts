import type { IncomingMessage, ServerResponse } from "node:http";
import { TLSSocket } from "node:tls";
import type { Authenticator } from "./authenticator.ts";
import type { ServerLimits } from "./create-server.ts";
import { crossSiteRefusal, type OwnAddresses } from "./cross-site-refusal.ts";
import type { HttpLog } from "../http-dependencies.ts";
import { laterReply, sendReply, startStream, textReply, type Reply } from "../reply.ts";
import { findRoute, splitTarget, type Route } from "../route.ts";

/** `undefined` when the request is accepted, else the seconds after which one is accepted again. */
type RateLimit = (now: number) => number | undefined;

type RateLimitSettings = {
  /** Seconds after which one more request is accepted. */
  readonly interval: number;
  /** Requests that are accepted at once. */
  readonly burst: number;
};

/** A token bucket, full at the beginning, for the requests of all clients together. `now` is monotonic, in seconds. */
export function createRateLimit({ interval, burst }: RateLimitSettings): RateLimit {
  let tokens = burst;
  let filledAt: number | undefined;
  return (now) => {
    tokens = Math.min(burst, tokens + (now - (filledAt ?? now)) / interval);
    filledAt = now;
    // Rounding of the sum must not refuse the request that comes exactly in time.
    if (tokens < 1 - 1e-9) return (1 - tokens) * interval;
    tokens = Math.max(0, tokens - 1);
    return undefined;
  };
}

/** Settings that can change while the server runs. */
export type RequestPolicy = {
  /** bcrypt hashes of the passwords by user; no login without any. */
  readonly users: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Paths without a login. */
  readonly publicPaths: ReadonlySet<string>;
  /** Of all requests together; none when undefined. */
  readonly limit: { readonly settings: RateLimitSettings; readonly take: RateLimit } | undefined;
};

type HandlerOptions = {
  readonly routes: ReadonlyMap<string, Route>;
  readonly log: HttpLog;
  readonly policy: () => RequestPolicy;
  readonly authenticate: Authenticator;
  /** Whether the server is closing; connections are then not kept alive. */
  readonly closing: () => boolean;
  /** Functions that end the open streams. */
  readonly streams: Set<() => void>;
  readonly own: OwnAddresses;
  /** Milliseconds within which a client must read a reply, and without progress after which it is ended. */
  readonly limits: Pick<ServerLimits, "replyMs" | "stallMs">;
};

/** Bytes of a request body that are accepted and discarded, because no route reads one. */
const BODY_LIMIT = 64 * 1024;
const STANDARD_HEADERS = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" };
const CHALLENGE = { "WWW-Authenticate": 'Basic realm="avax-exporter", charset="UTF-8"' };

/** Checks the credentials, then calls the route. Settles when the reply is sent or its reader is gone. Never rejects. */
export function createRequestHandler(options: HandlerOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const releases: Array<() => void> = [];
    const closed = new Promise<void>((resolve) => response.once("close", resolve));
    const policy = options.policy();
    discardBody(request);
    try {
      const reply = await answer(options, policy, request, closed, (release) => releases.push(release));
      for (const [name, value] of headersOf(reply, policy)) response.setHeader(name, value);
      if (options.closing()) response.setHeader("Connection", "close");
      if (reply.stream !== undefined && request.method !== "HEAD" && !options.closing()) {
        const end = startStream(response, reply);
        options.streams.add(end);
        response.once("close", () => options.streams.delete(end));
      } else {
        endWhenUnread(response, options.limits);
        sendReply(response, reply, request.method !== "HEAD");
      }
    } catch (error) {
      options.log.error({ err: error, path: splitTarget(request.url ?? "").path }, "reply could not be sent");
      response.destroy();
    }
    await closed;
    for (const release of releases) release();
  };
}

/** A reader that makes no progress, or too little, must not keep its reply in memory and its place among the scrapes. */
function endWhenUnread(response: ServerResponse, { replyMs, stallMs }: HandlerOptions["limits"]): void {
  const deadline = setTimeout(() => response.destroy(), replyMs);
  response.once("close", () => clearTimeout(deadline));
  // Node.js starts this time again while the socket's queue of writes shrinks.
  response.setTimeout(stallMs, () => response.destroy());
}

async function answer(
  { routes, log, own, authenticate }: HandlerOptions,
  { users, publicPaths, limit }: RequestPolicy,
  request: IncomingMessage,
  closed: Promise<void>,
  afterwards: (release: () => void) => void,
): Promise<Reply> {
  const { path, query } = splitTarget(request.url ?? "");
  try {
    if (Number(request.headers["content-length"] ?? 0) > BODY_LIMIT) {
      return textReply(413, "Request body too large.\n", { Connection: "close" });
    }
    const found = findRoute(routes, path);
    const allowed: readonly string[] = found?.route.methods ?? ["GET", "HEAD"];
    const route = allowed.includes(request.method ?? "") ? found?.route : undefined;
    // Before the login: guessed passwords count too. A flood of them must not make a supervisor restart the exporter.
    const wait = route?.showsNothing === true ? undefined : limit?.take(performance.now() / 1000);
    if (wait !== undefined) return laterReply("Too many requests", wait, 429);
    const isPublic = route?.isPublic === true || (route?.showsNothing === true && publicPaths.has(path));
    const verdict = isPublic
      ? "granted"
      : await authenticate(users, request.headers.authorization, request.socket.remoteAddress, closed);
    if (verdict === "denied") return textReply(401, "Unauthorized.\n", CHALLENGE);
    if (verdict === "busy") return laterReply("Too many concurrent logins", 5);
    if (found === undefined) return textReply(404, `Not found. Available paths: ${[...routes.keys()].join(" ")}\n`);
    const allow = allowed.join(", ");
    if (route === undefined) return textReply(405, `Method not allowed. Allowed: ${allow}\n`, { Allow: allow });
    const refused = route.acts === true ? crossSiteRefusal(request.headers, schemeOf(request), own) : undefined;
    if (refused !== undefined) return textReply(403, `${refused}\n`);
    return await route.handle({
      query,
      rest: found.rest,
      header: (name) => [request.headers[name]].flat()[0],
      client: request.socket.remoteAddress ?? "",
      afterwards,
    });
  } catch (error) {
    log.error({ err: error, path }, "request failed");
    return textReply(500, "Internal error, see the exporter's log.\n");
  }
}

/** Each replaces those before it: configured headers also the server's own. */
function headersOf(reply: Reply, { headers }: RequestPolicy): ReadonlyArray<readonly [name: string, value: string]> {
  return [STANDARD_HEADERS, reply.headers, headers].flatMap(Object.entries<string>).filter(([, value]) => value !== "");
}

function schemeOf({ socket }: IncomingMessage): "http" | "https" {
  return socket instanceof TLSSocket ? "https" : "http";
}

/** Discards the body, and closes the connection when it exceeds the limit. */
function discardBody(request: IncomingMessage): void {
  let received = 0;
  request.on("error", () => undefined);
  request.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (received > BODY_LIMIT) request.destroy();
  });
}
