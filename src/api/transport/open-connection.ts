import { TLSSocket } from "node:tls";
import { buildConnector, Client, EnvHttpProxyAgent, type Dispatcher } from "undici";
import { socketOptions, type Connection } from "./connection.ts";

/** Receives the expiry of the certificate that the server presents on a new TLS connection. Unix seconds. */
export type OnCertificate = (expiry: number) => void;

/** Seconds for a connection with its handshake. */
const CONNECT_TIMEOUT = 10;

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

/** One connection to a server, by way of its proxy if it has one: it is made with its first request, and again where it has ended. */
export function openConnection(
  origin: string,
  connection: Pick<Connection, "tls" | "connectTimeout" | "proxyUrl" | "noProxy">,
  options: Client.Options,
  onCertificate: OnCertificate,
): Dispatcher {
  const { tls, connectTimeout = 0, proxyUrl, noProxy = "" } = connection;
  const timeout = Math.max(CONNECT_TIMEOUT, connectTimeout) * 1000;
  // A resumed session shows the certificate of its first connection, even after a renewal.
  const requestTls = { timeout, maxCachedSessions: 0, ...socketOptions(tls) };
  const client = (to: string | URL, connect: buildConnector.connector): Client =>
    new Client(to, { ...options, connect: watched(connect, String(to) === origin ? onCertificate : () => undefined) });
  if (proxyUrl === undefined) return client(origin, buildConnector(requestTls));
  return new EnvHttpProxyAgent({
    httpProxy: proxyUrl,
    httpsProxy: proxyUrl,
    noProxy,
    // As other clients do: many proxies open tunnels to port 443 alone.
    proxyTunnel: false,
    requestTls,
    proxyTls: { timeout, ...socketOptions() },
    factory: (to, { connect }: Client.Options) =>
      client(to, typeof connect === "function" ? connect : buildConnector(requestTls)),
    clientFactory: (to, more) => new Client(to, { ...more, headersTimeout: timeout }),
  });
}

/** Counts the sockets, and reports the certificates of the server, rejected ones included where no proxy is between. */
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
        callback(error, null);
      }
    });
    // `secureConnect` is not emitted for a rejected certificate. `secure` comes before the verification, which closes the socket.
    if (socket instanceof TLSSocket) socket.prependOnceListener("secure", () => report(socket));
  };
}
