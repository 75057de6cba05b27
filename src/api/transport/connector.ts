import type { buildConnector } from "undici";
import build from "undici/lib/core/connect.js";
import { definedTls, type Connection } from "./connection.ts";
import type { Framing } from "./framing.ts";

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

/** Opens the sockets of a pool, bounds the framing of their answers, and reports the certificates of the server, rejected ones included. */
export function createConnector(
  { tls, connectTimeout = 0 }: Pick<Connection, "tls" | "connectTimeout">,
  framing: Pick<Framing, "limit">,
  onCertificate: OnCertificate,
): (options: buildConnector.Options, callback: buildConnector.Callback) => void {
  const connect = build({
    timeout: Math.max(CONNECT_TIMEOUT, connectTimeout) * 1000,
    // A resumed session shows the certificate of its first connection, even after a renewal.
    maxCachedSessions: 0,
    ...definedTls(tls),
  });
  return (options, callback) => {
    const socket = connect(options, (error, opened) => {
      if (error === null) {
        framing.limit(opened);
        callback(error, opened);
      } else callback(withoutHostCode(error), null);
    });
    if (!("getPeerCertificate" in socket)) return;
    // `secureConnect` is not emitted for a rejected certificate. `secure` comes before the verification, which closes the socket.
    socket.prependOnceListener("secure", () => {
      // `getPeerX509Certificate` would take the certificate away from the verification (Node.js 24).
      const expiry = Date.parse(socket.getPeerCertificate().valid_to);
      if (Number.isFinite(expiry)) onCertificate(expiry / 1000);
    });
  };
}
