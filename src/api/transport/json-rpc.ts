import type { z } from "zod";
import { ApiError, type Call, type CallOutcome, type Resource } from "../endpoint.ts";
import { parseExactJson } from "./parse-exact-json.ts";
import { bounded } from "../bounded.ts";
import { readAsOf } from "../is-late.ts";
import { dateOf } from "../wire.ts";
import type { Look } from "../unknown/unknown-names.ts";
import { statusFailure, waitOf } from "./failures.ts";

/** Reads replies: JSON-RPC envelopes, batches and failures. */

/** An HTTP answer. */
export type HttpAnswer = {
  readonly status: number;
  /** Those that are read; the others are not kept. */
  readonly headers: Readonly<Partial<Record<"node-id" | "date" | "retry-after", string | string[] | undefined>>>;
  /**
   * Its text, made again at each call. A text that is a value here is in memory until the whole heap is collected, because a poll that
   * waits for a node is an old object to V8: 20 MB/s of a fleet of 1,000 nodes.
   */
  readonly body: { readonly text: () => string };
  /** When it came, Unix seconds; `undefined` where no time is refused. */
  readonly at?: number | undefined;
  /** Removes the secrets of the request from a text. It must run before the text is cut, which could leave half a secret. */
  readonly hide?: ((text: string) => string) | undefined;
  /** Gets the answer before it is read. */
  readonly look?: Look | undefined;
};

/** The body of a JSON-RPC request. */
export function requestText({ method, params }: Call, id = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: method.name, params });
}

/** The body of a batch; ids count from `first` in the order of the calls. */
export function batchText(calls: readonly Call[], first = 1): string {
  return `[${calls.map((call, index) => requestText(call, first + index)).join(",")}]`;
}

/**
 * The validated `result` of a JSON-RPC answer. Reads an `error` with any HTTP status, unless a gateway sent it. The answer to another
 * request, which a proxy has mixed up, is a failure; one without an id cannot be told apart.
 */
export function resultOf<R>(reply: HttpAnswer, method: Call<R>["method"], id = 1): R {
  const envelope = jsonOf(reply, method.exact);
  const found = isObject(envelope) ? (envelope["id"] ?? id) : id;
  if (numberOf(found) !== id)
    throw new ApiError({ reason: "schema", message: `the answer is to another request: its id is not ${id}` });
  return envelopeResult(envelope, reply, method);
}

/**
 * The outcome of each call of a batch, in the order of the calls. Answers are matched by `id`; `undefined` for a call without an
 * answer. Throws if the reply is not an array: the server refuses batches, or failed.
 */
export function batchResults(
  reply: HttpAnswer,
  calls: readonly Call[],
  first = 1,
): ReadonlyArray<CallOutcome<unknown> | undefined> {
  const json = jsonOf(reply);
  if (!Array.isArray(json)) {
    if (isObject(json) && "error" in json && isOfServer(json, reply)) throw rpcError(json["error"], "batch", reply);
    throw isSuccess(reply) ? notRpc() : statusError(reply);
  }
  if (!isSuccess(reply)) throw statusError(reply);
  const byId = new Map<number, unknown>();
  for (const item of json as unknown[]) {
    const id = isObject(item) ? numberOf(item["id"]) : NaN;
    if (Number.isInteger(id) && !byId.has(id)) byId.set(id, item);
  }
  return calls.map(({ method }, index) => {
    const item = byId.get(first + index);
    return item === undefined ? undefined : settled(() => envelopeResult(item, reply, method));
  });
}

/** An id is a number, or its text. */
const numberOf = (id: unknown): number => (typeof id === "number" || typeof id === "string" ? Number(id) : NaN);

function settled(result: () => unknown): CallOutcome<unknown> {
  try {
    return { value: result() };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
}

function envelopeResult<R>(envelope: unknown, reply: HttpAnswer, method: Call<R>["method"]): R {
  if (!isObject(envelope)) throw isSuccess(reply) ? notRpc() : statusError(reply);
  if ((envelope["error"] ?? null) !== null && (envelope["result"] ?? null) === null && isOfServer(envelope, reply)) {
    throw rpcError(envelope["error"], method.name, reply);
  }
  if (!isSuccess(reply)) throw statusError(reply);
  if (!("result" in envelope)) throw notRpc();
  // An exact answer is printed whole.
  const most = method.exact === true ? Infinity : MOST_ROWS;
  return read(method.result, envelope["result"], reply, method, "result", most);
}

/** Validates the value of a reply as of its time. @throws `ApiError` `schema`, or `too_large` */
export function read<R>(
  schema: z.ZodType<R>,
  value: unknown,
  reply: HttpAnswer,
  asked: { readonly name: string; readonly dated?: boolean },
  root = "",
  most = MOST_ROWS,
): R {
  if (reply.at !== undefined) reply.look?.(asked.name, value, reply.at);
  const date = asked.dated === true ? dateOf(reply.headers["date"]) : undefined;
  return readAsOf(reply.at, date, () => validated(schema, withDate(value, reply, asked), root, most));
}

/** Whether the server sent this error. With a status of no success, an error without `jsonrpc` comes from a gateway. */
function isOfServer(envelope: Readonly<Record<string, unknown>>, reply: HttpAnswer): boolean {
  return isSuccess(reply) || "jsonrpc" in envelope;
}

/** 204 has no body, and so no answer. */
const isSuccess = ({ status }: HttpAnswer): boolean => status >= 200 && status < 300 && status !== 204;

/** The JSON body of a GET, or its text. Throws if the status or the body is not that of an answer. */
export function bodyOf(reply: HttpAnswer, { also, text }: Pick<Resource<unknown>, "also" | "text">): unknown {
  const isAlso = reply.status === also?.status;
  if (!isSuccess(reply) && !isAlso) throw statusError(reply);
  if (text === true) return reply.body.text();
  const json = jsonOf(reply);
  if (isAlso && !(isObject(json) && also.field in json)) throw statusError(reply);
  return json;
}

/** The JSON of a body. @throws `ApiError` that quotes the body, or `too_large` */
function jsonOf(reply: HttpAnswer, exact = false): unknown {
  const text = reply.body.text();
  if (!exact) checkValues(text);
  try {
    return exact ? parseExactJson(text) : JSON.parse(text);
  } catch {
    throw isSuccess(reply) ? notJson(reply) : statusError(reply);
  }
}

/** Adds the reply's `Date` header as the field `date`, if the method or resource is `dated`. */
export function withDate(value: unknown, { headers }: HttpAnswer, { dated }: { readonly dated?: boolean }): unknown {
  return dated === true && isObject(value) ? { ...value, date: headers["date"] } : value;
}

/** UTF-16 units of an answer whose values are not counted: no real one has more, and so few do not fill the memory. */
const UNCOUNTED = 4_194_304;

/** UTF-16 units of an answer that are read for a message. */
const BEGINNING = 16_384;

/** Copied: the engine makes `slice` a view that keeps the whole text, and a failure is kept for as long as its endpoint fails. */
const beginningOf = (text: string): string => Buffer.from(text.slice(0, BEGINNING)).toString();

/**
 * Values of one answer: 50 for each of 20,000 rows. A value of two bytes takes up to 60 in memory: a node that answered all requests with
 * 31 MB of zeros took 1.7 GB. A container of 512 MiB ends then, and with it the alerts about all other nodes.
 */
const MOST_VALUES = 1_000_000;

/** Counts the values of a large answer before they exist, by the commas and brackets of the text. @throws `ApiError` `too_large` */
function checkValues(text: string): void {
  if (text.length <= UNCOUNTED) return;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5b || code === 0x7b) values++;
  }
  if (values > MOST_VALUES)
    throw new ApiError({ reason: "too_large", message: `the answer has ${values} values, more than ${MOST_VALUES}` });
}

/**
 * Rows of one list of an answer: several times those of the largest real one, the chains of a network with some thousands (a node of
 * the main network has 1,300 validators and peers, a page of UTXOs 1,024 rows). A schema takes a second for a million rows.
 */
const MOST_ROWS = 20_000;

function longList(value: unknown, most: number): readonly unknown[] | undefined {
  const lists = isObject(value) ? Object.values(value) : [value];
  return lists.find((each) => Array.isArray(each) && each.length > most) as readonly unknown[] | undefined;
}

/** Validates a value. @throws `ApiError` `schema`, or `too_large` */
export function validated<R>(schema: z.ZodType<R>, value: unknown, root = "", most = MOST_ROWS): R {
  const long = longList(value, most);
  if (long !== undefined)
    throw new ApiError({
      reason: "too_large",
      message: `a list of the answer has ${long.length} rows, more than ${most}`,
    });
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  throw schemaError(checked.error.issues, root);
}

/** The failure that names the first invalid field, with its path from `root`, and the number of the others. */
function schemaError([first, ...others]: readonly z.core.$ZodIssue[], root: string): ApiError {
  const field = [root, ...(first?.path ?? []).map(String)].filter((part) => part !== "").join(".");
  const problem = bounded(`${field === "" ? "" : `${field}: `}${first?.message}`, 400);
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return new ApiError({ reason: "schema", message: problem + more });
}

/** Messages of Go's RPC server for a missing method; the standard has the code -32601. */
const NO_SUCH_METHOD =
  /can't find (method|service)|request ill-formed|does not exist\/is not available|method not found/i;

function rpcError(error: unknown, method: string, reply: HttpAnswer): ApiError {
  const fields = isObject(error) ? error : { message: error };
  // An error without a text is shown as it came.
  const message = beginningOf(typeof fields["message"] === "string" ? fields["message"] : reply.body.text());
  const missing = fields["code"] === -32601 || NO_SUCH_METHOD.test(message);
  return new ApiError({
    reason: missing ? "unsupported" : "rpc_error",
    message: `${method}: ${shownText(reply, message)}`,
    rpcMessage: message.slice(0, 1000),
    status: reply.status,
  });
}

function notRpc(): ApiError {
  return new ApiError({ reason: "not_json", message: "the JSON is not a JSON-RPC answer" });
}

function notJson(reply: HttpAnswer): ApiError {
  const text = beginningOf(reply.body.text());
  const shown = text.trim() === "" ? "an empty body" : `"${shownText(reply, text)}"`;
  return new ApiError({ reason: "not_json", message: `expected JSON, found ${shown}`, status: reply.status });
}

function statusError(reply: HttpAnswer): ApiError {
  const { status, headers } = reply;
  const text = beginningOf(reply.body.text());
  return new ApiError(statusFailure(status, text.slice(0, 300), waitOf(headers), shownText(reply, text)));
}

/** A text of the server for a message: short and without secrets. */
function shownText({ hide }: HttpAnswer, text: string): string {
  return bounded(hide === undefined ? text : hide(text));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
