import { setImmediate as nextTurn } from "node:timers/promises";
import type { z } from "zod";
import { ApiError, type Call, type Outcome, type Resource } from "../endpoint.ts";
import { errorWords } from "./error-words.ts";
import { parseExact } from "./exact-json.ts";
import type { Reply } from "./exchange.ts";
import { statusFailure, waitOf } from "./failures.ts";
import { createPiecewiseParser } from "./parse-in-pieces.ts";

/** Reads a server's reply: JSON-RPC envelopes, batches of them, and failures. */

/** Bodies above this many bytes are decoded, parsed and validated in several turns of the event loop. */
const LARGE_BODY = 100_000;

/** Bytes that one turn of the event loop decodes and parses: less than half a millisecond. */
const TURN = 65_536;

/** The body of a JSON-RPC request. */
export function requestText({ method, params }: Call, id = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: method.name, params });
}

/** The body of a batch; ids count from 1 in the order of the calls. */
export function batchText(calls: readonly Call[]): string {
  return `[${calls.map((call, index) => requestText(call, index + 1)).join(",")}]`;
}

/** The validated `result` of a JSON-RPC answer. An `error` counts whatever the HTTP status is, unless a gateway sent it. */
export async function resultOf<R>(reply: Reply, method: Call<R>["method"]): Promise<R> {
  return envelopeResult(await jsonOf(reply, method.exact), reply, method);
}

/**
 * The outcome of each call of a batch, in the order of the calls: answers are matched by `id`, and `undefined` stands for a
 * call that the server left out. Throws when the reply is no array: the server refuses batches, or does not answer.
 */
export async function batchResults(
  reply: Reply,
  calls: readonly Call[],
): Promise<ReadonlyArray<Outcome<unknown> | undefined>> {
  const json = await jsonOf(reply);
  if (!Array.isArray(json)) {
    if (isObject(json) && "error" in json && isOfServer(json, reply)) throw rpcError(json["error"], "batch", reply);
    throw reply.status === 200 ? notRpc() : statusError(reply);
  }
  if (reply.status !== 200) throw statusError(reply);
  const byId = new Map<number, unknown>();
  for (const item of json as unknown[]) {
    const id = isObject(item) ? Number(item["id"]) : NaN;
    if (Number.isInteger(id) && !byId.has(id)) byId.set(id, item);
  }
  const outcomes: Array<Outcome<unknown> | undefined> = [];
  for (const [index, { method }] of calls.entries()) {
    const item = byId.get(index + 1);
    outcomes.push(item === undefined ? undefined : await settled(envelopeResult(item, reply, method)));
  }
  return outcomes;
}

async function settled(result: Promise<unknown>): Promise<Outcome<unknown>> {
  try {
    return { value: await result };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
}

async function envelopeResult<R>(envelope: unknown, reply: Reply, method: Call<R>["method"]): Promise<R> {
  if (!isObject(envelope)) throw reply.status === 200 ? notRpc() : statusError(reply);
  if ((envelope["error"] ?? null) !== null && (envelope["result"] ?? null) === null && isOfServer(envelope, reply)) {
    throw rpcError(envelope["error"], method.name, reply);
  }
  if (reply.status !== 200) throw statusError(reply);
  if (!("result" in envelope)) throw notRpc();
  const { rows } = method;
  if (rows === undefined || reply.bytes <= LARGE_BODY) {
    return validated(method.result, withDate(envelope["result"], reply, method), reply, "result");
  }
  return validatedInSlices(method.result, rows, envelope["result"], reply);
}

/** Whether the server sent this error. With a status other than 200, only one marked as JSON-RPC: the others are a gateway's. */
function isOfServer(envelope: Readonly<Record<string, unknown>>, { status }: Reply): boolean {
  return status === 200 || "jsonrpc" in envelope;
}

/** Rows of a large answer that are validated in one turn of the event loop. */
const SLICE = 50;

/** As `validated`, but the rows of a long list are validated in slices, so that polls and scrapes need not wait for all. */
async function validatedInSlices<R>(
  schema: z.ZodType<R>,
  { field, row }: NonNullable<Call<R>["method"]["rows"]>,
  value: unknown,
  reply: Reply,
): Promise<R> {
  const list = isObject(value) ? value[field] : undefined;
  if (!isObject(value) || !Array.isArray(list)) return validated(schema, value, reply, "result");
  const rest = await validated(schema, { ...value, [field]: [] }, reply, "result");
  const rows: unknown[] = [];
  for (let start = 0; start < list.length; start += SLICE) {
    for (const [index, item] of list.slice(start, start + SLICE).entries()) {
      const checked = row.safeParse(item);
      if (!checked.success) throw schemaError(checked.error.issues, `result.${field}.${start + index}`);
      rows.push(checked.data);
    }
    await nextTurn();
  }
  return { ...rest, [field]: rows };
}

/** The JSON of a GET. Throws where the status or the body shows that no answer came, but a gateway's page. */
export async function bodyOf(reply: Reply, { also }: Pick<Resource<unknown>, "also">): Promise<unknown> {
  const isAlso = reply.status === also?.status;
  if (reply.status !== 200 && !isAlso) throw statusError(reply);
  const json = await jsonOf(reply);
  if (isAlso && !(isObject(json) && also.field in json)) throw statusError(reply);
  return json;
}

/**
 * The JSON of a body. A large body is parsed in the parts in which it arrived, never as a whole.
 * @throws `ApiError` that says what came instead
 */
async function jsonOf(reply: Reply, exact = false): Promise<unknown> {
  try {
    if (exact) return parseExact(textOf(joined(reply)));
    return reply.bytes > LARGE_BODY ? await parseInTurns(reply.parts) : JSON.parse(textOf(joined(reply)));
  } catch {
    throw reply.status === 200 ? notJson(reply) : statusError(reply);
  }
}

async function parseInTurns(parts: readonly Buffer[]): Promise<unknown> {
  const [parser, inParts] = [createPiecewiseParser(), new TextDecoder()];
  let since = 0;
  for (const part of parts) {
    parser.push(inParts.decode(part, { stream: true }));
    since += part.length;
    if (since < TURN) continue;
    await nextTurn();
    since = 0;
  }
  parser.push(inParts.decode());
  return parser.end();
}

/** The value with the reply's `Date` header as the field `date`, where the method or resource wants it. */
export function withDate(value: unknown, { headers }: Reply, { dated }: { readonly dated?: boolean }): unknown {
  return dated === true && isObject(value) ? { ...value, date: headers["date"] } : value;
}

const decoder = new TextDecoder();

/** A body as text, without a byte order mark. */
function textOf(body: Buffer): string {
  return decoder.decode(body);
}

/** The first 16 KiB of a body, enough for an error message. */
function beginningOf(reply: Reply): string {
  return textOf(joined(reply).subarray(0, 16_384));
}

function joined({ parts }: Reply): Buffer {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}

/** The value in the shape of the schema; a large body is validated in a turn of its own. @throws `ApiError` `schema` */
export async function validated<R>(schema: z.ZodType<R>, value: unknown, reply: Reply, root = ""): Promise<R> {
  if (reply.bytes > LARGE_BODY) await nextTurn();
  const checked = schema.safeParse(value);
  if (reply.bytes > LARGE_BODY) await nextTurn();
  if (checked.success) return checked.data;
  throw schemaError(checked.error.issues, root);
}

/** The failure that names the first fields that are wrong, with their path from `root`. */
function schemaError(issues: readonly z.core.$ZodIssue[], root: string): ApiError {
  const problems = issues.slice(0, 3).map(({ path, message }) => {
    const place = [root, ...path.map(String)].filter((part) => part !== "").join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  const more = issues.length - problems.length;
  return new ApiError({
    reason: "schema",
    message: bounded(problems.join("; "), 400) + (more > 0 ? ` (and ${more} more)` : ""),
  });
}

/** "can't find", "ill-formed": the messages of Go's RPC server for a method that it does not have; the standard's code is -32601. */
const NO_SUCH_METHOD =
  /can't find (method|service)|request ill-formed|does not exist\/is not available|method not found/i;

function rpcError(error: unknown, method: string, reply: Reply): ApiError {
  const fields = typeof error === "object" && error !== null ? error : { message: error };
  const message = "message" in fields && typeof fields.message === "string" ? fields.message : JSON.stringify(error);
  const code = "code" in fields && typeof fields.code === "number" ? fields.code : undefined;
  const missing = code === -32601 || NO_SUCH_METHOD.test(message);
  return new ApiError({
    reason: missing ? "unsupported" : "rpc_error",
    message: `${method}: ${said(reply, message)}`,
    rpcMessage: message.slice(0, 1000),
    status: reply.status,
  });
}

function notRpc(): ApiError {
  return new ApiError({ reason: "not_json", message: "the JSON that came back is no JSON-RPC answer" });
}

function notJson(reply: Reply): ApiError {
  const text = beginningOf(reply);
  const shown = text.trim() === "" ? "an empty body" : `"${said(reply, text)}"`;
  return new ApiError({ reason: "not_json", message: `not JSON but ${shown}`, status: reply.status });
}

function statusError(reply: Reply): ApiError {
  const { status, headers } = reply;
  const text = beginningOf(reply);
  const words = said(reply, errorWords(text) ?? text);
  return new ApiError(statusFailure(status, text.slice(0, 300), waitOf(headers), words));
}

/** A server's text, short and without secrets, as it may be shown. */
function said({ hide }: Reply, words: string): string {
  return bounded(hide === undefined ? words : hide(words));
}

/** A text from outside on one line, short enough for a log line or a table cell. */
export function bounded(text: string, length = 160): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length > length ? `${line.slice(0, length)}…` : line;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
