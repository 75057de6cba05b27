import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Exposition } from "./dependencies.ts";

/** An answer before it meets a socket. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly Uint8Array[];
  /** Present on a reply that goes on: told where to write once the headers are sent, it returns what ends it. */
  readonly stream?: (sink: Sink) => () => void;
};

/** Where a reply that goes on is written. */
export type Sink = {
  readonly write: (text: string) => void;
  readonly end: () => void;
};

/** Bytes that may wait for a slow reader before it is given up. */
const BACKLOG = 256 * 1024;

/** Sends the headers and lets the reply go on. The returned function ends it; so does the reader by going away. */
export function startStream(response: ServerResponse, reply: Reply, extra: OutgoingHttpHeaders): () => void {
  response.writeHead(reply.status, { ...reply.headers, ...extra });
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

/** A reply of one text; `contentType` is plain text unless told otherwise. */
export function textReply(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
  contentType = "text/plain; charset=utf-8",
): Reply {
  return { status, headers: { "Content-Type": contentType, ...headers }, chunks: [Buffer.from(text)] };
}

/** A scrape's answer. */
export function expositionReply({ contentType, contentEncoding, chunks }: Exposition): Reply {
  const encoding = contentEncoding === undefined ? {} : { "Content-Encoding": contentEncoding };
  return {
    status: 200,
    headers: { "Content-Type": contentType, ...encoding, Vary: "Accept, Accept-Encoding" },
    chunks,
  };
}

/**
 * Writes the whole reply in one go: corked, so that the headers and all chunks leave in one vectored write without being
 * concatenated first. `withBody` is false for HEAD, which has every header of GET and no body.
 */
export function sendReply(response: ServerResponse, reply: Reply, withBody: boolean, extra: OutgoingHttpHeaders): void {
  const length = reply.chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  response.cork();
  response.writeHead(reply.status, { ...reply.headers, "Content-Length": length, ...extra });
  if (withBody) for (const chunk of reply.chunks) response.write(chunk);
  response.end();
}
