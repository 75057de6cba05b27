import { ApiError, type TargetFacts } from "../endpoint.ts";
import type { Failure } from "../reasons.ts";

/**
 * The specification spells the ledger and admin interfaces in one way, real nodes in another. Where the configuration does
 * not say which, the first answer does, and is remembered with it.
 */
export type Dialect = "spec" | "avalanchego";

/** Answers carry the spelling that brought them, so that the next poll begins with it. */
export type InDialect = { readonly dialect: Dialect };

/**
 * Asks in the configured spelling, or in the one that `known` remembers; with `auto`, once more in the other one when the
 * server says that there is no such path, service or method. Never to be used with a method that writes.
 */
export async function inDialect<A>(
  configured: TargetFacts["dialect"],
  known: Dialect | undefined,
  ask: (dialect: Dialect) => Promise<A>,
): Promise<A> {
  const [first, second] = order(configured, known);
  try {
    return await ask(first);
  } catch (error) {
    if (second === undefined || !(error instanceof ApiError) || !isMissing(error.failure)) throw error;
    return ask(second);
  }
}

function order(
  configured: TargetFacts["dialect"],
  known: Dialect | undefined,
): readonly [first: Dialect, second: Dialect | undefined] {
  if (configured !== "auto") return [configured, undefined];
  return known === "avalanchego" ? ["avalanchego", "spec"] : ["spec", "avalanchego"];
}

/** The server says that it does not have this: by name, or with a path that leads nowhere. */
export function isMissing({ reason, status }: Failure): boolean {
  return reason === "unsupported" || (reason === "http_status" && status === 404);
}
