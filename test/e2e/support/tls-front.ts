import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createServer } from "node:tls";
import { selfSigned } from "../../support/certificates.ts";
import { listenOn } from "./recording-server.ts";

export type TlsFront = { readonly url: string; readonly close: () => Promise<void> };

/** A TLS server in front of an HTTP server, with a new certificate that expires in so many days of the real clock. */
export async function startTlsFront(url: string, days: number): Promise<TlsFront> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer(selfSigned(days), (socket) => {
    const behind = connect(Number(port), hostname);
    for (const [each, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      sockets.add(each);
      each.on("error", () => undefined);
      each.on("close", () => {
        sockets.delete(each);
        other.destroy();
      });
      each.pipe(other);
    }
  });
  // A client that closes during the handshake is no fault of the scene.
  server.on("tlsClientError", () => undefined);
  return {
    url: `https://127.0.0.1:${await listenOn(server)}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
