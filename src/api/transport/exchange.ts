import type { Dispatcher, Pool } from "undici";
import { ApiError } from "../endpoint.ts";
import type { Deadline } from "./deadline.ts";
import type { Framing } from "./framing.ts";
import type { Charge } from "./in-flight.ts";

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
  /** JSON values that are read of the body: each needs memory, however short it is. */
  readonly mostValues?: number;
  /** Whether the deadline has passed, after which the rest is not read. */
  readonly isOver?: () => boolean;
};

type Request = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Closes the connection after the answer. */
  readonly reset: boolean;
};

type Server = {
  readonly pool: Pool;
  readonly deadline: Deadline;
  /** Is told the bytes, and stops the reading while they are too many. */
  readonly charge: Charge;
  readonly bodyBegins: Framing["bodyBegins"];
};

/** Informational answers (1xx) before the answer. Each costs as much as an answer. */
const MOST_INFORMATIONAL = 1_000;
/** Parts of an answer: so many, and one more for so many bytes. Each part needs some hundred bytes of memory, however small it is. */
const MOST_PARTS = 10_000;
const BYTES_PER_PART = 256;

function tooLarge(message: string): ApiError {
  return new ApiError({ reason: "too_large", message });
}

/**
 * Sends a request and returns the whole answer. It uses the callbacks of the pool, which cost less than a stream per answer. Rejects
 * with the errors of the library, and with an `ApiError` for an answer in too many parts.
 */
export function exchange({ pool, deadline, charge, bodyBegins }: Server, request: Request): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const parts: Buffer[] = [];
  let bytes = 0;
  let status = 0;
  let headers: Reply["headers"] = {};
  let informational = 0;
  let counted: ReturnType<typeof bodyBegins> | undefined;
  let done: () => void = () => undefined;
  const answered = deadline.waits();
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      done = deadline.onOver(() => controller.abort(new Error("the deadline has passed")));
    },
    onResponseStart(controller, code, received) {
      if (code < 200 && ++informational > MOST_INFORMATIONAL)
        controller.abort(tooLarge(`more than ${MOST_INFORMATIONAL} informational answers precede the answer`));
      else counted = bodyBegins();
      status = code;
      headers = received;
    },
    onResponseData(controller, chunk) {
      parts.push(chunk);
      bytes += chunk.length;
      counted?.(chunk.length);
      if (parts.length > MOST_PARTS + bytes / BYTES_PER_PART)
        controller.abort(tooLarge(`${bytes} bytes of the answer come in ${parts.length} parts`));
      else charge.add(chunk.length, controller);
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
