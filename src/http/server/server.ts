import { createServer as createHttpServer, type Server, type ServerOptions as HttpOptions } from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import { isIPv6 } from "node:net";
import type { TLSSocket } from "node:tls";
import { createAuthenticator } from "./basic-auth.ts";
import { ownAddresses } from "./cross-site.ts";
import type { HttpDependencies, HttpLog } from "../dependencies.ts";
import { parseListenAddress } from "./listen-address.ts";
import { createPasswordCheck, type PasswordCheck } from "./password-check.ts";
import { createRequestHandler, type Policy } from "./request-handler.ts";
import { createRoutes } from "../routes/routes.ts";
import type { TlsSettings, WebSecurity } from "../../config/web/web-schema.ts";
import { refusal, requiresLogin, tlsOptions } from "./web-security.ts";

type ServerOptions = {
  /** `host:port`, `:port` or `[IPv6]:port`. */
  readonly listen: string;
  readonly web?: WebSecurity | undefined;
  /** Limit on concurrent scrapes; 0 for none. */
  readonly maxRequests?: number | undefined;
  /** The machine's name, and the exporter's address for people: browsers may change something there. */
  readonly hostname?: string | undefined;
  readonly externalUrl?: string | undefined;
  /** Replaced in tests. */
  readonly limits?: Partial<ServerLimits> | undefined;
};

export type Running = {
  /** `http://host:port`, with the opened port and a host that clients can connect to. */
  readonly address: string;
  /**
   * Replaces certificates, users and headers without closing connections. Throws when the new settings are invalid or need a
   * restart (TLS switched on or off, another policy for client certificates); the old ones stay.
   */
  readonly secure: (web: WebSecurity | undefined) => void;
  /** Stops listening, waits up to 5 s for running requests, then closes every connection. */
  readonly close: () => Promise<void>;
};

/** Bounds against slow or many clients. All but `connections` are milliseconds. */
type ServerLimits = {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly replyMs: number;
  readonly stallMs: number;
  /** Longer than the usual scrape interval, so that a scraper keeps its connection. */
  readonly keepAliveMs: number;
  readonly closeMs: number;
  readonly connections: number;
};

const LIMITS: ServerLimits = {
  headersMs: 10_000,
  requestMs: 20_000,
  replyMs: 60_000,
  stallMs: 10_000,
  keepAliveMs: 120_000,
  closeMs: 5_000,
  connections: 1_000,
};
const MAX_REQUESTS = 40;
const NO_LOGIN =
  "--web.enable-debug requires basic_auth_users, or client_auth_type RequireAndVerifyClientCert, in the file of --web.config.file: heap snapshots hold credentials";

/** Opens the port. Rejects with a message for the operator when the address is malformed or cannot be opened, or a login is missing. */
export async function startServer(options: ServerOptions, dependencies: HttpDependencies): Promise<Running> {
  const where = parseListenAddress(options.listen);
  if (where === undefined)
    throw new Error(`listen address ${options.listen}: expected host:port, :port or [IPv6]:port`);
  const checkLogin = (web: WebSecurity | undefined): void => {
    if (dependencies.inspection !== undefined && !requiresLogin(web)) throw new Error(NO_LOGIN);
  };
  checkLogin(options.web);
  const limits = { ...LIMITS, ...options.limits };
  const passwords = createPasswordCheck();
  const state = { closing: false, running: 0, idle: () => undefined as void, policy: policyOf(options.web, passwords) };
  const streams = new Set<() => void>();
  const handle = createRequestHandler({
    routes: createRoutes(dependencies, options.maxRequests ?? MAX_REQUESTS),
    log: dependencies.log,
    policy: () => state.policy,
    closing: () => state.closing,
    streams,
    own: ownAddresses({ listenHost: where.host, hostname: options.hostname, externalUrl: options.externalUrl }),
    replyMs: limits.replyMs,
    stallMs: limits.stallMs,
  });
  const { server, replaceTls } = createServer(options.web?.tls, limits, dependencies.log);
  server.on("request", (request, response) => {
    state.running += 1;
    void handle(request, response).finally(() => {
      state.running -= 1;
      if (state.running === 0) state.idle();
    });
  });
  await listen(server, options.listen, where);
  server.on("error", (error) => dependencies.log.error({ err: error }, "http server failed"));

  return {
    address: addressOf(server, where.host, options.web?.tls !== undefined),
    secure(web) {
      checkLogin(web);
      replaceTls(web?.tls);
      state.policy = policyOf(web, passwords);
    },
    async close() {
      state.closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const end of streams) end();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, state.running === 0 ? 0 : limits.closeMs);
        state.idle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      server.closeAllConnections();
      await Promise.all([closed, passwords.close()]);
    },
  };
}

function policyOf(web: WebSecurity | undefined, { compare }: PasswordCheck): Policy {
  return { authenticate: createAuthenticator(web?.users ?? {}, compare), headers: web?.headers ?? {} };
}

type Created = { readonly server: Server | HttpsServer; readonly replaceTls: (tls: TlsSettings | undefined) => void };

function createServer(tls: TlsSettings | undefined, limits: ServerLimits, log: HttpLog): Created {
  const common: HttpOptions = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, 5_000),
  };
  const created = tls === undefined ? createPlainServer(common) : createTlsServer(common, tls, log);
  created.server.maxConnections = limits.connections;
  return created;
}

function createPlainServer(common: HttpOptions): Created {
  return {
    server: createHttpServer(common),
    replaceTls(next) {
      if (next !== undefined) throw new Error("TLS cannot be switched on while running: restart the exporter");
    },
  };
}

function createTlsServer(common: HttpOptions, first: TlsSettings, log: HttpLog): Created {
  let tls = first;
  const server = createHttpsServer({ ...common, ...tlsOptions(tls) });
  // Prepended, so that no request of a refused client is parsed.
  server.prependListener("secureConnection", (socket: TLSSocket) => {
    const why = refusal(tls, socket);
    if (why === undefined) return;
    log.warn({ client: socket.remoteAddress, why }, "client refused");
    socket.destroy();
  });
  return {
    server,
    replaceTls(next) {
      if (next === undefined) throw new Error("TLS cannot be switched off while running: restart the exporter");
      if (next.clientAuth !== tls.clientAuth) {
        throw new Error("client_auth_type cannot change while running: restart the exporter");
      }
      server.setSecureContext(tlsOptions(next));
      tls = next;
    },
  };
}

function listen(
  server: Server,
  text: string,
  { host, port }: { host: string | undefined; port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const why = LISTEN_ERRORS[error.code ?? ""] ?? error.message;
      reject(new Error(`cannot listen on ${text}: ${why}`, { cause: error }));
    };
    server.once("error", fail);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.removeListener("error", fail);
      resolve();
    });
  });
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use by another program",
  EACCES: "no permission to open the port",
  EADDRNOTAVAIL: "this machine does not have the address",
  ENOTFOUND: "the host name is unknown",
};

/** Clients cannot connect to a wildcard address, so the loopback address replaces it. */
function addressOf(server: Server, host: string | undefined, secure: boolean): string {
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  const name = host === undefined || host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `${secure ? "https" : "http"}://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}
