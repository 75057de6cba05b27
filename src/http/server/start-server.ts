import type { Server } from "node:http";
import { Server as HttpsServer } from "node:https";
import { setTimeout as after } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { TlsSettings, WebSecurity } from "../../config/web/web-schema.ts";
import type { HttpDependencies } from "../http-dependencies.ts";
import { createRoutes } from "../routes/create-routes.ts";
import { createAuthenticator } from "./authenticator.ts";
import { createServer, LIMITS, type ServerLimits } from "./create-server.ts";
import { ownAddresses } from "./cross-site-refusal.ts";
import { addressOf, listen, placesOf } from "./listen.ts";
import { createRateLimit, createRequestHandler, type RequestPolicy } from "./create-request-handler.ts";
import { requiresLogin, tlsOptions } from "./web-security.ts";

export type ServerOptions = {
  /** `host:port`, `:port` or `[IPv6]:port`, one or several. */
  readonly listen?: string | readonly string[];
  /** Numbers of open, listening sockets to use in addition. */
  readonly sockets?: readonly number[] | undefined;
  readonly web?: WebSecurity | undefined;
  /** Limit on concurrent scrapes; 0 for none. */
  readonly maxRequests?: number | undefined;
  /** The machine's name, and the exporter's address for people: browsers may change something there. */
  readonly hostname?: string | undefined;
  readonly externalUrl?: string | undefined;
  /** Called before each handshake of TLS; what it renews is used at once. It must not throw. */
  readonly onHandshake?: ((running: Pick<Running, "renew">) => void) | undefined;
  /** Files and sockets that the process can open. Clients get a quarter of them: the polls need theirs. */
  readonly descriptors?: number | undefined;
  /** Replaced in tests. */
  readonly limits?: Partial<ServerLimits> | undefined;
};

export type Running = {
  /** `http://host:port`, with the opened port and a host that clients can connect to; the first one. */
  readonly address: string;
  /** All of them; a text with its number for a passed Unix socket. */
  readonly addresses: readonly string[];
  /**
   * Replaces certificates, users and headers without closing connections. Throws when the new settings are invalid or need a
   * restart (TLS switched on or off, another policy for client certificates); the old ones stay.
   */
  readonly secure: (web: WebSecurity | undefined) => void;
  /** Replaces only certificates and keys (PEM). Returns whether one differs from that in use; throws like `secure`. */
  readonly renew: (certificates: Certificates) => boolean;
  /** Stops listening, waits up to 5 s for running requests, then closes every connection. */
  readonly close: () => Promise<void>;
};

export type Certificates = Partial<Pick<TlsSettings, "cert" | "key" | "clientCa">>;

const MAX_REQUESTS = 40;
/** Connections at each address in any case: for a scraper, a browser and a probe. */
const FEWEST = 8;
const NEEDS_RESTART =
  "TLS cannot be switched on or off, nor client_auth_type change, while running: restart the exporter";
const NO_LOGIN =
  "--web.enable-debug requires basic_auth_users, or client_auth_type RequireAndVerifyClientCert, in the file of --web.config.file: heap snapshots hold credentials";

/** Opens every address, or none. Rejects with a message for the operator when one is malformed or cannot be opened, or a login is missing. */
export async function startServer(options: ServerOptions, dependencies: HttpDependencies): Promise<Running> {
  const { log } = dependencies;
  const places = placesOf([options.listen ?? []].flat(), options.sockets ?? []);
  const checkLogin = (web: WebSecurity | undefined): void => {
    if (dependencies.inspection !== undefined && !requiresLogin(web)) throw new Error(NO_LOGIN);
  };
  checkLogin(options.web);
  const limits = { ...LIMITS, ...options.limits };
  const share = Math.max(FEWEST, Math.floor((options.descriptors ?? Infinity) / 4 / places.length));
  limits.connections = Math.min(limits.connections, share);
  let closing = false;
  /** The settings in force. */
  let policy = policyOf(options.web);
  let tls = options.web?.tls;
  /** Ends the open streams. */
  const streams = new Set<() => void>();
  const handle = createRequestHandler({
    routes: createRoutes(dependencies, options.maxRequests ?? MAX_REQUESTS),
    log,
    policy: () => policy,
    authenticate: createAuthenticator(),
    closing: () => closing,
    streams,
    own: ownAddresses({
      listenHosts: places.map(({ host }) => host),
      hostname: options.hostname,
      externalUrl: options.externalUrl,
    }),
    limits,
  });
  const replaceTls = (next: TlsSettings | undefined): void => {
    if (next?.clientAuth !== tls?.clientAuth) throw new Error(NEEDS_RESTART);
    // All have the same settings: what the first accepts, the others accept.
    for (const { server } of created)
      if (next !== undefined && server instanceof HttpsServer) server.setSecureContext(tlsOptions(next));
    tls = next;
  };
  const renew: Running["renew"] = (certificates) => {
    const next = tls && { ...tls, ...certificates };
    if (isDeepStrictEqual(next, tls)) return false;
    replaceTls(next);
    return true;
  };
  const onHandshake = (): void => options.onHandshake?.({ renew });
  const created = places.map((place) => ({ place, server: createServer(() => tls, limits, log, onHandshake) }));
  const running = new Set<Promise<void>>();
  for (const { server } of created) {
    server.on("request", (request, response) => {
      const handled = handle(request, response).finally(() => running.delete(handled));
      running.add(handled);
    });
  }
  try {
    for (const { server, place } of created) await listen(server, place);
  } catch (error) {
    await Promise.all(created.map(closedOf));
    throw error;
  }
  for (const { server } of created) server.on("error", (error) => log.error({ err: error }, "http server failed"));
  const addresses = created.map(({ server, place }) => addressOf(server, place, tls !== undefined));

  return {
    address: addresses[0] ?? "",
    addresses,
    secure(web) {
      checkLogin(web);
      replaceTls(web?.tls);
      policy = policyOf(web, policy);
    },
    renew,
    async close() {
      closing = true;
      const closed = created.map(closedOf);
      for (const end of streams) end();
      await Promise.race([Promise.all(running), after(limits.closeMs, undefined, { ref: false })]);
      for (const { server } of created) server.closeAllConnections();
      await Promise.all(closed);
    },
  };
}

function closedOf({ server }: { readonly server: Server }): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** A limit with the same settings continues: a reload must not accept another burst. */
function policyOf(web: WebSecurity | undefined, before?: RequestPolicy): RequestPolicy {
  const settings = web?.rateLimit;
  const isSame = isDeepStrictEqual(settings, before?.limit?.settings);
  return {
    users: web?.users ?? {},
    headers: web?.headers ?? {},
    publicPaths: new Set(web?.publicPaths ?? []),
    limit: isSame ? before?.limit : settings && { settings, take: createRateLimit(settings) },
  };
}
