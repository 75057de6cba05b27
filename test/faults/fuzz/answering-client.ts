import type { Dispatcher } from "undici";

/** Stands in for the connections of undici: the bytes of a made-up answer enter the real client here. */

export type Sent = { readonly path: string; readonly method: string; readonly body: string };
export type Made = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Ends the answer with this error after half of its body. */
  readonly broken?: string;
};

let respond: (origin: string, sent: Sent) => Made = () => {
  throw new Error("no responder");
};

export function setResponder(make: typeof respond): void {
  respond = make;
}

/** Bytes of a part of a body, as a socket would deliver it. */
const PART = 65_536;

/** The part of undici's `Client` that the exporter uses. */
export function Client(origin: string) {
  return {
    dispatch({ path, method, body }: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;
      setImmediate(() => {
        handler.onRequestStart?.(controller, {});
        const made = respond(origin, { path, method, body: typeof body === "string" ? body : "" });
        deliver(made, handler, controller);
      });
      return true;
    },
    /** Its connection is never closed. */
    on() {
      return this;
    },
    destroy: () => Promise.resolve(),
  };
}

function deliver(made: Made, handler: Dispatcher.DispatchHandler, controller: Dispatcher.DispatchController): void {
  const { status, headers, body, broken } = made;
  handler.onResponseStart?.(controller, status, headers, "");
  const end = broken === undefined ? body.length : body.length >> 1;
  for (let at = 0; at < end; at += PART)
    handler.onResponseData?.(controller, body.subarray(at, Math.min(end, at + PART)));
  if (broken === undefined) handler.onResponseEnd?.(controller, {});
  else handler.onResponseError?.(controller, Object.assign(new Error(broken), { code: broken }));
}

/** The rest of undici that stands beside it: no connection is opened, and no proxy is configured. */
export const buildConnector = () => () => undefined;
export function EnvHttpProxyAgent(): never {
  throw new Error("no proxy");
}
