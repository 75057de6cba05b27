import { get } from "node:http";

/** A client of the server-sent events that comes and goes. */
export type Listener = {
  readonly connect: () => void;
  readonly leave: () => void;
  readonly isConnected: () => boolean;
  /** Events received since the start. */
  readonly events: () => number;
};

export function createListener(address: string): Listener {
  let events = 0;
  let connected: { readonly destroy: () => unknown } | undefined;
  return {
    connect() {
      const request = get(`${address}/api/v1/events`, { agent: false }, (response) => {
        response.setEncoding("utf8").on("data", (text: string) => (events += text.split("data: ").length - 1));
        response.on("error", () => undefined);
      });
      // It hangs up in the middle of an event.
      request.on("error", () => undefined);
      connected = request;
    },
    leave() {
      connected?.destroy();
      connected = undefined;
    },
    isConnected: () => connected !== undefined,
    events: () => events,
  };
}
