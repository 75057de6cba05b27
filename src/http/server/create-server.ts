import { createServer as createHttpServer, type Server, type ServerOptions as HttpOptions } from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { TlsSettings } from "../../config/web/web-schema.ts";
import type { HttpLog } from "../dependencies.ts";
import { refusal, tlsOptions } from "./web-security.ts";

/** Bounds against slow or many clients. All but `connections` are milliseconds. */
export const LIMITS = {
  headersMs: 10_000,
  requestMs: 20_000,
  replyMs: 60_000,
  stallMs: 10_000,
  /** Longer than the usual scrape interval, so that a scraper keeps its connection. */
  keepAliveMs: 120_000,
  handshakeMs: 10_000,
  closeMs: 5_000,
  /** Of each address: a flood at one does not take the places of another. */
  connections: 1_000,
};

export type ServerLimits = Readonly<typeof LIMITS>;

export type Created = {
  readonly server: Server | HttpsServer;
  /** Throws, and changes nothing, when the settings are invalid or need a restart. */
  readonly replaceTls: (tls: TlsSettings | undefined) => void;
};

/** A server that does not listen yet. `onHandshake` is called before each handshake of TLS, which uses what it replaces. */
export function createServer(
  tls: TlsSettings | undefined,
  limits: ServerLimits,
  log: HttpLog,
  onHandshake: () => void,
): Created {
  const common: HttpOptions = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, 5_000),
  };
  const created =
    tls === undefined ? createPlainServer(common) : createTlsServer(common, tls, limits, log, onHandshake);
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

/**
 * Half-open connections get a quarter of the places: beyond that the oldest one is closed. A handshake takes milliseconds, so that
 * it ends those of clients that begin none to the end before their time is over.
 */
function boundHandshakes(server: HttpsServer, most: number): void {
  const open = new Map<string, Socket>();
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.on("connection", (socket: Socket) => {
    const key = keyOf(socket);
    // A Unix socket has no port; only processes of this machine reach it.
    if (socket.remotePort === undefined) return;
    open.set(key, socket);
    socket.once("close", () => open.get(key) === socket && open.delete(key));
    const [oldest] = open;
    if (oldest === undefined || open.size <= most) return;
    open.delete(oldest[0]);
    oldest[1].destroy();
  });
  server.on("secureConnection", (socket: TLSSocket) => open.delete(keyOf(socket)));
}

function createTlsServer(
  common: HttpOptions,
  first: TlsSettings,
  limits: ServerLimits,
  log: HttpLog,
  onHandshake: () => void,
): Created {
  let tls = first;
  const server = createHttpsServer({ ...common, handshakeTimeout: limits.handshakeMs, ...tlsOptions(tls) });
  boundHandshakes(server, Math.ceil(limits.connections / 4));
  // Prepended, so that the handshake of this very connection has the certificate of now.
  server.prependListener("connection", onHandshake);
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
