import type { Dispatcher, Pool } from "undici";
import type { Deadline } from "./deadline.ts";

/** An HTTP answer as it was received. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body, in the parts in which it arrived. */
  readonly parts: readonly Buffer[];
  /** Size of the body. */
  readonly bytes: number;
  /** Removes the secrets of the request from a text that will be shown. It runs before the text is cut, which could leave half a secret. */
  readonly hide?: (words: string) => string;
};

type Request = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/**
 * Sends a request and collects the whole answer. It uses the pool's callbacks: a stream for each answer would cost
 * more, and no caller needs one. Rejects with the library's errors.
 */
export function exchange(pool: Pool, request: Request, deadline: Deadline): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const parts: Buffer[] = [];
  let bytes = 0;
  let status = 0;
  let headers: Reply["headers"] = {};
  let done: () => void = () => undefined;
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      done = deadline.onOver(() => controller.abort(new Error("the deadline has passed")));
    },
    onResponseStart(_controller, code, received) {
      status = code;
      headers = received;
    },
    onResponseData(_controller, chunk) {
      parts.push(chunk);
      bytes += chunk.length;
    },
    onResponseEnd() {
      done();
      resolve({ status, headers, parts, bytes });
    },
    onResponseError(_controller, error) {
      done();
      reject(error);
    },
  };
  pool.dispatch(request, handler);
  return promise;
}
