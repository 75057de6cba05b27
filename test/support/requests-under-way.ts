import type { Client } from "../../src/api/transport/client.ts";

/** Requests of clients with a real server, on a clock that the test moves: a second may pass only after they were answered. */
export function createRequestsUnderWay() {
  const underWay = new Set<Promise<unknown>>();
  return {
    /** A client that records its running requests. */
    watched(this: void, client: Client): Client {
      return {
        ...client,
        within(timeout, ask) {
          const answer = client.within(timeout, ask);
          underWay.add(answer);
          void answer.catch(() => undefined).finally(() => underWay.delete(answer));
          return answer;
        },
      };
    },
    /** Waits until all are answered, and those that follow from their answers. */
    async answered(this: void, clock: { readonly pass: (seconds: number) => Promise<void> }): Promise<void> {
      for (await clock.pass(0); underWay.size > 0; await clock.pass(0)) await Promise.allSettled(underWay);
    },
  };
}
