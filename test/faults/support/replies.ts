import type { Socket } from "node:net";
import type { Question } from "../../e2e/support/recording-server.ts";
import { sendBody, type Exchange, type Fault } from "./fault-server.ts";

/** Common faults, as functions of an exchange. */

/** Raw bytes as the whole answer; the connection ends after them unless it is kept. */
export function raw(text: string | Buffer, then: "end" | "keep" | "reset" = "end"): Fault {
  return {
    answer: ({ socket }) => {
      if (then === "keep") socket.write(text);
      else if (then === "end") socket.end(text);
      else socket.write(text, () => void setTimeout(() => (socket as Socket).resetAndDestroy(), 20));
    },
  };
}

type Headers = Readonly<Record<string, string>>;

/** The same status and body to every request. */
export function status(code: number, body: string | Buffer = "", headers: Headers = {}): Fault {
  return {
    answer: ({ response }) => {
      response.writeHead(code, { "content-type": "text/plain", ...headers }).end(body);
    },
  };
}

/** The same body with status 200. */
export const body = (content: string | Buffer, headers: Headers = {}): Fault =>
  status(200, content, { "content-type": "application/json", ...headers });

/** Answers the requests of a kind with this fault, and the others as recorded. */
export function when(is: (question: Question) => boolean, { answer }: Fault): Fault {
  return { answer: (exchange) => (is(exchange.question) ? answer?.(exchange) : false) };
}

/** Whether a request calls a method. */
export const calls =
  (method: string) =>
  ({ rpc }: Question): boolean =>
    rpc?.method === method;
export const isGet = ({ method }: Question): boolean => method === "GET";
export const isRpc = (question: Question): boolean => !isGet(question);
export const isReport = ({ path }: Question): boolean => path === "/ext/health";
export const isBatch = ({ batch }: Question): boolean => batch !== undefined;

/** Changes the text of every answer. */
export function text(change: (text: string, exchange: Exchange) => string | Buffer): Fault {
  return { answer: (exchange) => sendBody(exchange, change(exchange.reply.body, exchange)) };
}

/** Changes the JSON of every answer. */
export function json(change: (value: unknown, exchange: Exchange) => unknown): Fault {
  return text((found, exchange) => {
    const parsed = parse(found);
    return parsed === undefined ? found : JSON.stringify(change(parsed, exchange));
  });
}

/** Changes every JSON-RPC answer, batches item by item; the health API stays as it is. */
export function envelopes(change: (envelope: Record<string, unknown>, exchange: Exchange) => unknown): Fault {
  return json((value, exchange) => {
    if (exchange.question.method === "GET") return value;
    if (Array.isArray(value)) return value.map((item) => change(item as Record<string, unknown>, exchange));
    return change(value as Record<string, unknown>, exchange);
  });
}

/** The same text as every JSON-RPC answer, which is too odd for `JSON.stringify`; a batch gets a list of it. */
export function envelopeText(answer: string): Fault {
  const made = text((_found, { question }) => {
    const many = question.batch?.map(({ id }) => answer.replace('"id":1', `"id":${String(id)}`));
    return many === undefined ? answer : `[${many.join(",")}]`;
  });
  return when(isRpc, made);
}

/** Changes the answers to one method, as the JSON text of their result. */
export function result(method: string, change: (found: string) => string): Fault {
  const changed = text((body) => {
    const { result: found } = JSON.parse(body) as { result: unknown };
    return `{"jsonrpc":"2.0","result":${change(JSON.stringify(found))},"id":1}`;
  });
  return when(calls(method), changed);
}

/** Changes the report of the health API. */
export function report(change: (found: HealthReport) => unknown): Fault {
  return when(
    isReport,
    text((found) => JSON.stringify(change(JSON.parse(found) as HealthReport))),
  );
}

export type HealthReport = { checks: Record<string, Record<string, unknown>>; healthy: unknown };

/** Changes the checks in the report of the health API. */
export const checks = (change: (found: HealthReport["checks"]) => object): Fault =>
  report((found) => ({ ...found, checks: change(found.checks) }));

/** Changes the message of one health check. */
export const message = (check: string, change: (found: Record<string, never>) => unknown): Fault =>
  checks((found) => ({ ...found, [check]: { ...found[check], message: change(found[check]?.["message"] as never) } }));

/** Replaces every leaf of a JSON value. */
export function leaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => leaves(item, change));
  if (typeof value !== "object" || value === null) return change(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, leaves(item, change)]));
}

/** Changes the leaves of results and reports, and leaves the envelope as it is. */
export function everyLeaf(change: (leaf: unknown) => unknown): Fault {
  const inside = (envelope: Record<string, unknown>) =>
    "result" in envelope ? { ...envelope, result: leaves(envelope["result"], change) } : envelope;
  return json((value, { question }) => {
    if (question.method === "GET") return leaves(value, change);
    return Array.isArray(value) ? value.map(inside) : inside(value as Record<string, unknown>);
  });
}

/** Changes every text for which `is` holds. */
export const everyText = (change: (text: string) => unknown, is = (_text: string): boolean => true): Fault =>
  everyLeaf((leaf) => (typeof leaf === "string" && is(leaf) ? change(leaf) : leaf));

const NUMERIC = /^(-?\d+(\.\d+)?|0x[0-9a-f]+)$/i;

/** Replaces every number, and every text that is a number: a quantity in hexadecimal stays one if `hex` is given. */
export function everyNumber(decimal: unknown, hex: string): Fault {
  return everyLeaf((leaf) => {
    if (typeof leaf === "number") return typeof decimal === "string" ? Number(decimal) : decimal;
    if (typeof leaf !== "string" || !NUMERIC.test(leaf) || leaf.length > 30) return leaf;
    return leaf.startsWith("0x") ? hex : decimal;
  });
}

function parse(found: string): unknown {
  try {
    return JSON.parse(found);
  } catch {
    return undefined;
  }
}
