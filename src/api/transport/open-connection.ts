import { TLSSocket } from "node:tls";
import { buildConnector, EnvHttpProxyAgent, Pool, type Dispatcher } from "undici";
import { socketOptions, type Connection } from "./connection.ts";

/** Receives the expiry of the certificate that the server presents on a new TLS connection. Unix seconds. */
export type OnCertificate = (expiry: number) => void;

/** Seconds for a connection with its handshake. One that hangs keeps a place of the pool beyond the deadline of its poll. */
const CONNECT_TIMEOUT = 10;

/**
 * The library treats a certificate of another host by its code, and then leaves the requests that wait for a place in the pool there
 * until their deadline (undici 7.30). As the cause of an error without the code it is an error like any other.
 */
function withoutHostCode(error: Error): Error {
  const isHost = "code" in error && error.code === "ERR_TLS_CERT_ALTNAME_INVALID";
  return isHost ? new Error(error.message, { cause: error }) : error;
}

/** Descriptors of the process itself, and the least number of sockets to nodes. */
const OWN = 30;
const FEWEST = 4;
/** Open sockets to all nodes, and how many there can be. */
let sockets = 0;
let most = Infinity;

/**
 * Leaves a quarter of the descriptors to clients: where polls took them all, no scrape would show why they fail.
 * @param descriptors how many the process can open
 */
export function limitSockets(descriptors: number): void {
  most = Math.max(FEWEST, Math.floor(descriptors * 0.75) - OWN);
}

/** The sockets of one server, by way of its proxy if it has one. */
export function createPool(
  origin: string,
  connection: Pick<Connection, "tls" | "connectTimeout" | "proxyUrl" | "noProxy">,
  options: Pool.Options,
  onCertificate: OnCertificate,
): Dispatcher {
  const { tls, connectTimeout = 0, proxyUrl, noProxy = "" } = connection;
  const timeout = Math.max(CONNECT_TIMEOUT, connectTimeout) * 1000;
  // A resumed session shows the certificate of its first connection, even after a renewal.
  const requestTls = { timeout, maxCachedSessions: 0, ...socketOptions(tls) };
  const pool = (to: string | URL, connect: buildConnector.connector): Pool =>
    new Pool(to, { ...options, connect: watched(connect, String(to) === origin ? onCertificate : () => undefined) });
  if (proxyUrl === undefined) return pool(origin, buildConnector(requestTls));
  return new EnvHttpProxyAgent({
    httpProxy: proxyUrl,
    httpsProxy: proxyUrl,
    noProxy,
    // As other clients do: many proxies open tunnels to port 443 alone.
    proxyTunnel: false,
    requestTls,
    proxyTls: { timeout, ...socketOptions() },
    factory: (to, { connect }: Pool.Options) =>
      pool(to, typeof connect === "function" ? connect : buildConnector(requestTls)),
    clientFactory: (to, more) => new Pool(to, { ...more, headersTimeout: timeout }),
  });
}

/** Counts the sockets of a pool, and reports the certificates of the server, rejected ones included where no proxy is between. */
function watched(connect: buildConnector.connector, onCertificate: OnCertificate): buildConnector.connector {
  const report = (socket: TLSSocket): void => {
    const expiry = Date.parse(socket.getPeerCertificate().valid_to);
    if (Number.isFinite(expiry)) onCertificate(expiry / 1000);
  };
  return (options, callback) => {
    if (sockets >= most) {
      callback(Object.assign(new Error("no descriptor is left for another socket"), { code: "EMFILE" }), null);
      return;
    }
    sockets++;
    const closed = (): void => void sockets--;
    // The declaration of the library lacks the socket that it returns; a tunnel returns none.
    const socket: unknown = connect(options, (...[error, opened]) => {
      if (error === null) {
        opened.once("close", closed);
        if (opened instanceof TLSSocket && opened !== socket) report(opened);
        callback(null, opened);
      } else {
        closed();
        callback(withoutHostCode(error), null);
      }
    });
    // `secureConnect` is not emitted for a rejected certificate. `secure` comes before the verification, which closes the socket.
    if (socket instanceof TLSSocket) socket.prependOnceListener("secure", () => report(socket));
  };
}
