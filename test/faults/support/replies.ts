import type { Socket } from "node:net";
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

/** The same status and body to every request. */
export function status(code: number, body = "", headers: Readonly<Record<string, string>> = {}): Fault {
  return {
    answer: ({ response }) => {
      response.writeHead(code, { "content-type": "text/plain", ...headers }).end(body);
    },
  };
}

/** The same body with status 200. */
export function body(content: string | Buffer, headers: Readonly<Record<string, string>> = {}): Fault {
  return {
    answer: ({ response }) => {
      response.writeHead(200, { "content-type": "application/json", ...headers }).end(content);
    },
  };
}

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
  return {
    answer: (exchange) => {
      const { question } = exchange;
      if (question.method === "GET") return false;
      const many = question.batch?.map(({ id }) => answer.replace('"id":1', `"id":${String(id)}`));
      sendBody(exchange, many === undefined ? answer : `[${many.join(",")}]`);
      return true;
    },
  };
}

/** Changes the answers to one method, as the JSON text of their result. */
export function result(method: string, change: (found: string) => string): Fault {
  return {
    answer: (exchange) => {
      if (exchange.question.rpc?.method !== method) return false;
      const { result: found } = JSON.parse(exchange.reply.body) as { result: unknown };
      sendBody(exchange, `{"jsonrpc":"2.0","result":${change(JSON.stringify(found))},"id":1}`);
      return true;
    },
  };
}

/** Changes the report of the health API. */
export function report(change: (found: HealthReport) => unknown): Fault {
  return {
    answer: (exchange) => {
      if (exchange.question.path !== "/ext/health") return false;
      sendBody(exchange, JSON.stringify(change(JSON.parse(exchange.reply.body) as HealthReport)));
      return true;
    },
  };
}

export type HealthReport = { checks: Record<string, Record<string, unknown>>; healthy: unknown };

/** Changes the message of one health check. */
export function message(check: string, change: (found: Record<string, never>) => unknown): Fault {
  return report(({ checks, ...rest }) => ({
    ...rest,
    checks: { ...checks, [check]: { ...checks[check], message: change(checks[check]?.["message"] as never) } },
  }));
}

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
