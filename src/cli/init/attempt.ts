import { ApiError, type Api } from "../../api/endpoint.ts";
import type { Failure } from "../../api/reasons.ts";
import type { Client } from "../../api/transport/client.ts";

export type AttemptOutcome<T> = { readonly value?: T; readonly failure?: Failure };

/** Runs requests with a deadline. */
export type Attempt = <T>(ask: (api: Api) => Promise<T>) => Promise<AttemptOutcome<T>>;

/** Gives what a node does not answer as a failure. @param timeout seconds */
export function attemptOf(client: Client, timeout: number): Attempt {
  return async (ask) => {
    try {
      return { value: await client.within(timeout, ask) };
    } catch (error) {
      if (error instanceof ApiError) return { failure: error.failure };
      throw error;
    }
  };
}
