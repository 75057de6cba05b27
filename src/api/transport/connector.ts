import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import build from "undici/lib/core/connect.js";
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

/** Bytes that an answer can have beside its body: headers, informational answers, and the sizes of its chunks. */
const FRAMING = 1024 * 1024;

/** The code of the library for a body that is too large. */
const TOO_LARGE = "UND_ERR_RES_EXCEEDED_MAX_SIZE";

/**
 * Closes the connection when one answer takes more bytes than a body of the largest size in chunks. The parser reads blank lines, a
 * reason phrase or the extension of a chunk without end, and reports none of them: one node would take the processor until the
 * deadline of each poll.
 */
function limitAnswers(socket: Socket, maxResponseBytes: number): void {
  const most = 2 * maxResponseBytes + FRAMING;
  let [written, read, begins] = [0, 0, 0];
  // Requests are not pipelined: what comes after a request was sent is its answer.
  socket.prependListener("readable", () => {
    if (socket.bytesWritten !== written) [written, begins] = [socket.bytesWritten, read];
    read = socket.bytesRead;
    if (read - begins > most) socket.destroy(Object.assign(new Error("the answer is too large"), { code: TOO_LARGE }));
  });
}

/** Opens the sockets of a pool, bounds their answers, and reports the certificates of the server, rejected ones included. */
export function createConnector(
  { tls, connectTimeout = 0, maxResponseBytes }: Pick<Connection, "tls" | "connectTimeout" | "maxResponseBytes">,
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
        limitAnswers(opened, maxResponseBytes);
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
