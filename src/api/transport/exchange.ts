import type { Dispatcher, Pool } from "undici";
import type { Deadline } from "./deadline.ts";

/** An HTTP answer. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body, in parts as received. */
  readonly parts: readonly Buffer[];
  /** Size of the body. */
  readonly bytes: number;
  /** Removes the secrets of the request from a text. It must run before the text is cut, which could leave half a secret. */
  readonly hide?: (text: string) => string;
};

type Request = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Closes the connection after the answer. */
  readonly reset: boolean;
};

/**
 * Sends a request and returns the whole answer. It uses the callbacks of the pool, which cost less than a stream per answer. Rejects
 * with the errors of the library.
 */
export function exchange(pool: Pool, request: Request, deadline: Deadline): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const parts: Buffer[] = [];
  let bytes = 0;
  let status = 0;
  let headers: Reply["headers"] = {};
  let done: () => void = () => undefined;
  const answered = deadline.waits();
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
      answered();
      done();
      resolve({ status, headers, parts, bytes });
    },
    onResponseError(_controller, error) {
      answered();
      done();
      reject(error);
    },
  };
  pool.dispatch(request, handler);
  return promise;
}
