import { TLSSocket } from "node:tls";
import { buildConnector } from "undici";
import { definedTls, type Connection } from "./connection.ts";

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

/** Opens the sockets of a pool, and reports the certificates of the server, rejected ones included. */
export function createConnector(
  { tls, connectTimeout = 0 }: Pick<Connection, "tls" | "connectTimeout">,
  onCertificate: OnCertificate,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: Math.max(CONNECT_TIMEOUT, connectTimeout) * 1000,
    // A resumed session shows the certificate of its first connection, even after a renewal.
    maxCachedSessions: 0,
    ...definedTls(tls),
  });
  return (options, callback) => {
    // The declaration of the library lacks the socket that it returns.
    const socket: unknown = connect(options, (...[error, opened]) => {
      if (error === null) callback(null, opened);
      else callback(withoutHostCode(error), null);
    });
    if (!(socket instanceof TLSSocket)) return;
    // `secureConnect` is not emitted for a rejected certificate. `secure` comes before the verification, which closes the socket.
    socket.prependOnceListener("secure", () => {
      const expiry = Date.parse(socket.getPeerCertificate().valid_to);
      if (Number.isFinite(expiry)) onCertificate(expiry / 1000);
    });
  };
}
