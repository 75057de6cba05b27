import { isRefusal, type Failure } from "../reasons.ts";
import { ApiError, type Api, type Call, type Method, type CallOutcome } from "../endpoint.ts";

/** Many calls in few requests: batches up to the limit of the server, or single calls if it refuses batches. */

/** State between polls for a server that does not accept a full batch. */
export type BatchMemory = {
  /** Accepted calls per request; 1 if it refuses batches. */
  readonly limit: number;
  /** Polls since the configured size was tried. */
  readonly polls: number;
};

type BatchAnswer<C extends readonly Call[]> = {
  readonly outcomes: { readonly [K in keyof C]: C[K] extends Call<infer R> ? CallOutcome<R> : never };
  /** Accepted calls per request. */
  readonly limit: number;
};

/** Polls before the configured size is tried again: the configuration of the server can change. */
const RETRY_AFTER_POLLS = 360;

/** Number of calls per batch for the next poll. */
export function batchSize(configured: number, memory: BatchMemory | undefined): number {
  return memory === undefined || memory.polls >= RETRY_AFTER_POLLS ? configured : Math.min(configured, memory.limit);
}

/** The state after a poll; `undefined` if the server accepted the configured size. */
export function nextMemory(configured: number, limit: number, memory?: BatchMemory): BatchMemory | undefined {
  const polls = memory === undefined || memory.polls >= RETRY_AFTER_POLLS ? 0 : memory.polls + 1;
  return limit >= configured ? undefined : { limit, polls };
}

/**
 * Sends calls to one path, `size` per request. Repeats calls without an answer, or with an answer that is too large together with
 * the others, in smaller batches, down to single calls. Rejects if the failure is not of one call: no connection, no such chain.
 */
export async function askInBatches<const C extends readonly Call[]>(
  api: Api,
  path: string,
  calls: C,
  size: number,
): Promise<BatchAnswer<C>> {
  const outcomes = new Array<CallOutcome<unknown> | undefined>(calls.length).fill(undefined);
  let limit = size;
  let open = [...calls.entries()];
  while (open.length > 0) {
    const part = open.slice(0, limit);
    const rest = open.slice(part.length);
    const [first] = part;
    if (part.length === 1 && first !== undefined) {
      const answers = outcomes.some((outcome) => outcome !== undefined && "value" in outcome);
      outcomes[first[0]] = await single(api, path, first[1], answers);
      open = rest;
      continue;
    }
    const asked = part.map(([, call]) => call);
    const answers = await batch(api, path, asked);
    if (answers === "refused") {
      // A server that refuses this batch can have a lower limit than the configured one.
      limit = Math.floor(part.length / 2);
      continue;
    }
    const left = part.filter(([index], position) => {
      const answer = answers[position];
      if (answer === undefined || isTooLarge(answer)) return true;
      outcomes[index] = answer;
      return false;
    });
    const taken = part.length - left.length;
    if (left.length > 0) limit = Math.max(1, taken > 0 ? taken : Math.floor(part.length / 2));
    open = [...left, ...rest];
  }
  // The loop ends with an outcome for each call, in the order of the calls; the compiler cannot relate the positions of both.
  return { outcomes: outcomes as unknown as BatchAnswer<C>["outcomes"], limit };
}

/** The value of an outcome. @throws its `ApiError` */
export function valueOf<R>(outcome: CallOutcome<R>): R {
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}

/** The value of a call that a server can refuse; `undefined` for a refusal. @throws `ApiError` if the answer is invalid */
export function valueIfAny<R>(outcome: CallOutcome<R>): R | undefined {
  if ("value" in outcome) return outcome.value;
  if (isRefusal(outcome.error.failure)) return undefined;
  throw outcome.error;
}

/** An error of one call from the node itself, as opposed to a failure of the request. */
export const isRpcError = ({ reason }: Failure): boolean => reason === "rpc_error" || reason === "unsupported";

/** @param answers whether it answered another call: a proxy that refuses one method by a status would else refuse the whole poll */
async function single(
  api: Api,
  path: string,
  { method, params }: Call,
  answers: boolean,
): Promise<CallOutcome<unknown>> {
  try {
    return { value: await api.call({ ...method, path } as Method<unknown, unknown>, params) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isOfCall = answers ? isRefusal(error.failure) : isRpcError(error.failure);
    if (isOfCall || error.failure.reason === "schema") return { error };
    throw error;
  }
}

/** The outcomes of a batch, or that the server refuses it. */
async function batch(api: Api, path: string, calls: readonly Call[]) {
  try {
    return await api.batch(path, calls);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // No answers, so that the next batch is smaller.
    if (error.failure.reason === "too_large") return [];
    if (refusesBatch(error.failure)) return "refused";
    throw error;
  }
}

/** Statuses with which servers and proxies refuse a batch; others (404, 429) also apply to single calls. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([400, 403, 405, 406, 413, 415, 422, 500, 501, 503]);

function refusesBatch(failure: Failure): boolean {
  const { reason, status } = failure;
  if (reason === "http_status" || reason === "unauthorized") return REFUSING_STATUSES.has(status ?? 0);
  return isRpcError(failure) || reason === "not_json";
}

/** Errors of go-ethereum's server for answers beyond its limits. */
const TOO_LARGE = /batch too large|response too large/i;

function isTooLarge(outcome: CallOutcome<unknown>): boolean {
  return "error" in outcome && TOO_LARGE.test(outcome.error.failure.rpcMessage ?? "");
}
