import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Request } from "../world/wire.ts";

/** One node's HTTP server. */

export type NodeServer = {
  readonly port: number;
  /** Accepts connections on the same port, or refuses them. */
  open(open: boolean): void;
  close(): Promise<void>;
};

/** Maximum bytes of a request body. */
const BODY_LIMIT = 5_242_880;
/** Lifetime of an idle connection in milliseconds, as on a real node. */
const IDLE_MS = 120_000;

/** Listens; passes complete requests to `serve`, and upgrade requests to `upgrade`. */
export async function listen(
  host: string,
  port: number,
  serve: (request: Request, response: ServerResponse) => void,
  upgrade: (handshake: IncomingMessage, stream: Duplex, head: Buffer) => void,
): Promise<NodeServer> {
  const server = createServer(
    { keepAlive: true, keepAliveTimeout: IDLE_MS, requireHostHeader: false },
    (message, response) => {
      readRequest(message, (request) => {
        serve(request, response);
      });
    },
  );
  server.on("upgrade", upgrade);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
  const found = (server.address() as AddressInfo).port;
  return {
    port: found,
    open: (open) => {
      if (open && !server.listening) server.listen(found, host);
      if (!open && server.listening) shut(server);
    },
    close: () =>
      new Promise((resolve) => {
        if (!server.listening) resolve();
        else shut(server, resolve);
      }),
  };
}

function shut(server: Server, done?: () => void): void {
  server.close(() => done?.());
  server.closeAllConnections();
}

function readRequest(message: IncomingMessage, done: (request: Request) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  message.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > BODY_LIMIT) message.destroy();
    else chunks.push(chunk);
  });
  // A client may disconnect at any time.
  message.on("error", () => undefined);
  message.on("end", () => {
    const [path = "/", query = ""] = (message.url ?? "/").split("?", 2);
    const headers = Object.fromEntries(
      Object.entries(message.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
    );
    const body = Buffer.concat(chunks).toString("utf8");
    done({ method: message.method ?? "GET", path, query: new URLSearchParams(query), headers, body });
  });
}
