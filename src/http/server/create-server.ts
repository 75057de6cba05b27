import { createServer as createHttpServer, type Server, type ServerOptions as HttpOptions } from "node:http";
import { createServer as createHttpsServer, Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { TlsSettings } from "../../config/web/web-schema.ts";
import type { HttpLog } from "../http-dependencies.ts";
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

/** A server that does not listen yet. `onHandshake` is called before each handshake of TLS, which uses what it replaces. */
export function createServer(
  tls: () => TlsSettings | undefined,
  limits: ServerLimits,
  log: HttpLog,
  onHandshake: () => void,
): Server {
  const settings = tls();
  const common: HttpOptions = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, 5_000),
  };
  const server =
    settings === undefined
      ? createHttpServer(common)
      : createHttpsServer({ ...common, handshakeTimeout: limits.handshakeMs, ...tlsOptions(settings) });
  server.maxConnections = limits.connections;
  if (!(server instanceof HttpsServer)) return server;
  boundHandshakes(server, Math.ceil(limits.connections / 4));
  // Prepended, so that the handshake of this very connection has the certificate of now.
  server.prependListener("connection", onHandshake);
  // Prepended, so that no request of a refused client is parsed.
  server.prependListener("secureConnection", (socket: TLSSocket) => {
    const why = refusal(tls(), socket);
    if (why === undefined) return;
    log.warn({ client: socket.remoteAddress, why }, "client refused");
    socket.destroy();
  });
  return server;
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
