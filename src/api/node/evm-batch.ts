import { ApiError, type Api, type Call, type Method, type Outcome } from "../endpoint.ts";

/** Many calls in few requests: batches where the server takes them, smaller ones where it limits them, else one by one. */

/** What is remembered between polls about a server that takes less than a whole batch. */
export type BatchMemory = {
  /** Calls that it takes at a time; 1 when it refuses batches. */
  readonly limit: number;
  /** Polls since that was found out. */
  readonly polls: number;
};

export type Asked<C extends readonly Call[]> = {
  readonly outcomes: { readonly [K in keyof C]: C[K] extends Call<infer R> ? Outcome<R> : never };
  /** Calls in a batch that the server took. */
  readonly limit: number;
};

/** Polls for which a limit is believed before the configured size is tried again: the server may have been changed. */
const BELIEVED = 360;

/** Calls to put in one batch now. */
export function batchSize(configured: number, memory: BatchMemory | undefined): number {
  return memory === undefined || memory.polls >= BELIEVED ? configured : Math.min(configured, memory.limit);
}

/** The memory after a poll that began with `asked` calls in a batch; nothing when the configured size was taken. */
export function remembered(
  configured: number,
  asked: number,
  limit: number,
  memory: BatchMemory | undefined,
): BatchMemory | undefined {
  if (limit >= configured) return undefined;
  return { limit, polls: asked < configured && memory?.limit === limit ? memory.polls + 1 : 0 };
}

/**
 * Asks calls of one path, `size` at a time. A call that the server leaves out, or calls too large, is asked again in a
 * smaller batch, in the end by itself. Rejects with what concerns the server and not a call: no connection, no chain.
 */
export async function askAll<const C extends readonly Call[]>(
  api: Api,
  path: string,
  calls: C,
  size: number,
): Promise<Asked<C>> {
  const outcomes = new Array<Outcome<unknown> | undefined>(calls.length).fill(undefined);
  let limit = size;
  let open = [...calls.entries()];
  while (open.length > 0) {
    const part = open.slice(0, limit);
    const rest = open.slice(part.length);
    const [first] = part;
    if (part.length === 1 && first !== undefined) {
      outcomes[first[0]] = await single(api, path, first[1]);
      open = rest;
      continue;
    }
    const answers = await batch(
      api,
      path,
      part.map(([, call]) => call),
    );
    if (answers === "refused") {
      limit = 1;
      continue;
    }
    const left = part.filter(([index], place) => {
      const answer = answers[place];
      if (answer === undefined || isTooLarge(answer)) return true;
      outcomes[index] = answer;
      return false;
    });
    const taken = part.length - left.length;
    if (left.length > 0) limit = Math.max(1, taken > 0 ? taken : Math.floor(part.length / 2));
    open = [...left, ...rest];
  }
  return { outcomes: outcomes as unknown as Asked<C>["outcomes"], limit };
}

/** The value of an outcome. @throws its `ApiError` */
export function valueOf<R>(outcome: Outcome<R>): R {
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}

/** The value of a call that a server may refuse; `undefined` when it answered with an error. @throws when the answer is no good */
export function valueIfAny<R>(outcome: Outcome<R>): R | undefined {
  if ("value" in outcome) return outcome.value;
  if (isRpcError(outcome.error)) return undefined;
  throw outcome.error;
}

/** The server's own word about one call, as opposed to a failure of the request. */
function isRpcError({ failure: { reason } }: ApiError): boolean {
  return reason === "rpc_error" || reason === "unsupported";
}

async function single(api: Api, path: string, { method, params }: Call): Promise<Outcome<unknown>> {
  try {
    return { value: await api.call({ ...method, path } as Method<unknown, unknown>, params) };
  } catch (error) {
    if (error instanceof ApiError && (isRpcError(error) || error.failure.reason === "schema")) return { error };
    throw error;
  }
}

async function batch(
  api: Api,
  path: string,
  calls: readonly Call[],
): Promise<ReadonlyArray<Outcome<unknown> | undefined> | "refused"> {
  try {
    return await api.batch(path, calls);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Too much in one answer: as if nothing had come, so that fewer are asked for.
    if (error.failure.reason === "too_large") return [];
    if (isRefusal(error)) return "refused";
    throw error;
  }
}

/** Statuses with which servers and proxies turn down a batch; others (404, 429, 503) would meet single calls as well. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([400, 405, 406, 413, 415, 422, 500, 501]);

function isRefusal(error: ApiError): boolean {
  const { reason, status } = error.failure;
  if (reason === "http_status") return REFUSING_STATUSES.has(status ?? 0);
  return isRpcError(error) || reason === "not_json";
}

/** What go-ethereum's server says in place of answers beyond its limits. */
const TOO_LARGE = /batch too large|response too large/i;

function isTooLarge(outcome: Outcome<unknown>): boolean {
  return "error" in outcome && TOO_LARGE.test(outcome.error.failure.rpcMessage ?? "");
}
