import type { Socket } from "node:net";
import { ApiError } from "../endpoint.ts";

/** What the answers of a server have beside their bodies: headers, informational answers, blank lines, the framing of chunks. */
export type Framing = {
  /** Closes a connection whose answer has too much of it. Must be called before the parser listens to the socket. */
  readonly limit: (socket: Socket) => void;
  /** Must be called when the status of an answer was read. Returns the function that must receive the size of each part of its body. */
  readonly bodyBegins: () => (bytes: number) => void;
};

/** Bytes, beside as many as the body has: a chunk of few bytes has more framing than content. */
const MOST = 1024 * 1024;
const MESSAGE = "more than 1 MiB of the answer are headers, blank lines or the framing of chunks";

/**
 * Bounds the framing of the answers of one server. The parser reads blank lines, a reason phrase or the extension of a chunk without
 * end and reports none of them: so what the socket received is compared with the bodies that the parser returned.
 */
export function createFraming(): Framing {
  /** The answer on the socket that was read last. The parser runs within that reading, so an answer that begins is this one. */
  let last = { body: 0 };
  return {
    limit(socket) {
      const answer = { body: 0 };
      let [written, read, begins] = [0, 0, 0];
      socket.prependListener("readable", () => {
        // Requests are not pipelined: what comes after a request was sent is its answer.
        if (socket.bytesWritten !== written) {
          [written, begins] = [socket.bytesWritten, read];
          answer.body = 0;
        }
        read = socket.bytesRead;
        last = answer;
        if (read - begins - 2 * answer.body > MOST)
          socket.destroy(new ApiError({ reason: "too_large", message: MESSAGE }));
      });
    },
    bodyBegins() {
      const answer = last;
      return (bytes) => {
        answer.body += bytes;
      };
    },
  };
}
