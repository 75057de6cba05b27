import type { ServerResponse } from "node:http";
import type { EncodedExposition } from "./http-dependencies.ts";

/** A response that is not yet written. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly Uint8Array[];
  /** For a streamed reply: called after the headers are sent; returns a function that ends the stream. */
  readonly stream?: (sink: Sink) => () => void;
};

/** Destination of a streamed reply. */
export type Sink = { readonly write: (text: string) => void; readonly end: () => void };

/** Buffered bytes above which a slow reader is disconnected. */
const BACKLOG = 256 * 1024;

/** Sends the status and starts the stream. It ends when the returned function is called or the reader disconnects. */
export function startStream(response: ServerResponse, reply: Reply): () => void {
  response.writeHead(reply.status);
  response.flushHeaders();
  const stop = reply.stream?.({
    write(text) {
      if (response.writableLength > BACKLOG) response.destroy();
      else if (!response.destroyed) response.write(text);
    },
    end: () => response.end(),
  });
  response.once("close", () => stop?.());
  return () => response.end();
}

export function textReply(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
  contentType = "text/plain; charset=utf-8",
): Reply {
  return { status, headers: { "Content-Type": contentType, ...headers }, chunks: [Buffer.from(text)] };
}

/** The server has no place for the request now. @param seconds after which it can be sent again */
export function laterReply(text: string, seconds: number, status: 429 | 503 = 503): Reply {
  return textReply(status, `${text}, try again later.\n`, { "Retry-After": String(Math.ceil(seconds)) });
}

/** An HTML document with the policy that allows its style and script. */
export function pageReply(status: number, page: string, contentSecurityPolicy: string): Reply {
  return textReply(status, page, { "Content-Security-Policy": contentSecurityPolicy }, "text/html; charset=utf-8");
}

export function jsonReply(value: unknown, status = 200): Reply {
  return textReply(status, JSON.stringify(value), {}, "application/json");
}

export function expositionReply({ contentType, contentEncoding, chunks }: EncodedExposition): Reply {
  const encoding = contentEncoding === undefined ? {} : { "Content-Encoding": contentEncoding };
  return {
    status: 200,
    headers: { "Content-Type": contentType, ...encoding, Vary: "Accept, Accept-Encoding" },
    chunks,
  };
}

/**
 * Writes the whole reply. The socket is corked, so that headers and chunks leave in one vectored write without being
 * concatenated. `withBody` is false for HEAD, which has the headers of GET and no body.
 */
export function sendReply(response: ServerResponse, reply: Reply, withBody: boolean): void {
  const length = reply.chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  response.cork();
  response.writeHead(reply.status, { "Content-Length": length });
  if (withBody) for (const chunk of reply.chunks) response.write(chunk);
  response.end();
}
