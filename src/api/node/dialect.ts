import { ApiError, type NodeOptions } from "../endpoint.ts";
import { isRefusal, type Failure } from "../reasons.ts";

/**
 * The specification and AvalancheGo use different paths and method names for the ledger and admin interfaces. With `auto` in the
 * configuration, the first successful request determines the dialect, and the answer stores it.
 */
export type Dialect = "spec" | "avalanchego";

/** An answer with its dialect, so that the next poll begins with it. */
export type InDialect = { readonly dialect: Dialect };

/**
 * Sends a request in the configured dialect. With `auto`, it begins with `known`, and repeats the request in the other dialect if
 * the server has no such path, service or method, or refuses the first request of all in whatever words. Not for methods that write.
 */
export async function inDialect<A>(
  configured: NodeOptions["dialect"],
  known: Dialect | undefined,
  ask: (dialect: Dialect) => Promise<A>,
): Promise<A> {
  const first = configured === "auto" ? (known ?? "spec") : configured;
  try {
    return await ask(first);
  } catch (error) {
    if (configured !== "auto" || !isLacking(error, known === undefined)) throw error;
    const again = ask(first === "spec" ? "avalanchego" : "spec");
    // Where neither answers, the one with words of its own knows the request.
    return isLacking(error, false) ? again : again.catch(() => Promise.reject(error as Error));
  }
}

/**
 * Whether an error shows that the server lacks what was asked for.
 * @param isFirst nothing has answered before: any refusal counts, and what is asked instead decides
 */
export function isLacking(error: unknown, isFirst: boolean): boolean {
  return error instanceof ApiError && (isFirst ? isRefusal(error.failure) : isMissing(error.failure));
}

/** Whether the server lacks the method or the path. */
export function isMissing({ reason, status }: Failure): boolean {
  return reason === "unsupported" || (reason === "http_status" && status === 404);
}
