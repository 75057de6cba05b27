import { body, envelopes, envelopeText, json, text } from "../support/replies.ts";
import { all, failing, rpcs, SOON, type Expected, type Fails, type Group, type Row } from "../support/row.ts";
import { sendBody, type Exchange, type Fault } from "../support/fault-server.ts";

const down = { down: "no", recovery: SOON } as const;
const INVALID = Buffer.from([0xff, 0xfe, 0xc0]);

const error = (id: string, fault: string, value: unknown): Row => ({
  id: `error-${id}`,
  fault: `JSON-RPC error: ${fault}`,
  behave: () => envelopes(({ id: number }) => ({ jsonrpc: "2.0", error: value, id: number })),
  fails: rpcs("rpc_error"),
  ...down,
});

const errorText = (id: string, fault: string, value: string): Row => ({
  id: `error-${id}`,
  fault: `JSON-RPC error: ${fault}`,
  behave: () => envelopeText(`{"jsonrpc":"2.0","error":${value},"id":1}`),
  // Beyond 100 kB the parser of large bodies gives up on such a depth.
  fails: rpcs(["rpc_error", "not_json"]),
  ...down,
});

const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

const anyResult = (id: string, fault: string, value: unknown, expected: Expected = "schema"): Row => ({
  id: `result-${id}`,
  fault: `JSON-RPC result: ${fault}`,
  behave: () => envelopes(({ id: number }) => ({ jsonrpc: "2.0", result: value, id: number })),
  fails: rpcs(expected),
  ...down,
});

/** Changes the batches; single calls are answered as recorded. */
function batches(change: (items: readonly Record<string, unknown>[], exchange: Exchange) => unknown): Fault {
  return {
    answer: (exchange) => {
      if (exchange.question.batch === undefined) return false;
      const items = JSON.parse(exchange.reply.body) as readonly Record<string, unknown>[];
      sendBody(exchange, JSON.stringify(change(items, exchange)));
      return true;
    },
  };
}

const batch = (id: string, fault: string, change: Parameters<typeof batches>[0], fails: Fails = {}): Row => ({
  id: `batch-${id}`,
  fault: `JSON-RPC batch: ${fault}`,
  behave: () => batches(change),
  fails,
  ...down,
});

const jsonRows: readonly Row[] = [
  {
    id: "bom",
    fault: "A byte order mark before the JSON",
    behave: () => text((found) => `\ufeff${found}`),
    fails: {},
    ...down,
  },
  {
    id: "invalid-utf8",
    fault: "Invalid UTF-8 within texts",
    behave: () =>
      text((found) =>
        Buffer.concat(
          found
            .split('"avalanchego')
            .flatMap((part, i) => [
              Buffer.from(i === 0 ? "" : '"'),
              INVALID.subarray(i === 0 ? 3 : 0),
              Buffer.from(i === 0 ? part : `avalanchego${part}`),
            ]),
        ),
      ),
    fails: {},
    changes: ["avax_node_peers_by_version", "avax_validators_stake_by_version_avax"],
    ...down,
  },
  failing("utf16", "JSON in UTF-16", () => text((found) => Buffer.from(`\ufeff${found}`, "utf16le")), "not_json"),
  failing("two-documents", "Two JSON documents in one body", () => text((found) => found + found), "not_json"),
  failing(
    "cut-json",
    "JSON that is cut off, with the right length",
    () => text((found) => found.trimEnd().slice(0, -1)),
    "not_json",
  ),
  failing("nan", "NaN as a JSON number", () => body('{"healthy":NaN,"result":NaN}'), "not_json"),
  {
    id: "json-null",
    fault: "null as the whole body",
    behave: () => body("null"),
    fails: all(["schema", "not_json"]),
    down: "after 30 s",
    recovery: SOON,
  },
  {
    id: "json-number",
    fault: "A number as the whole body",
    behave: () => body("1e999"),
    fails: all(["schema", "not_json"]),
    down: "after 30 s",
    recovery: SOON,
  },
  {
    id: "json-list",
    fault: "An empty list as the whole body",
    behave: () => body("[]"),
    fails: all(["schema", "not_json"]),
    down: "after 30 s",
    recovery: SOON,
  },
  {
    id: "json-object",
    fault: "An empty object as the whole body",
    behave: () => body("{}"),
    fails: all(["schema", "not_json"]),
    down: "after 30 s",
    recovery: SOON,
  },
  {
    id: "deep-json",
    fault: "Lists nested 100,000 deep as the whole body",
    behave: () => body(deep(100_000)),
    fails: all(["schema", "not_json"]),
    down: "after 30 s",
    recovery: SOON,
  },
  failing("open-json", "100,000 opened lists that are never closed", () => body("[".repeat(100_000)), "not_json"),
  {
    id: "repeated-keys",
    fault: "Every field twice",
    behave: () => text((found) => found.replaceAll(/"(healthy|result|height|numPeers)":/g, '"$1":0,"$1":')),
    fails: {},
    ...down,
  },
];

const rows: readonly Row[] = [
  ...jsonRows,
  error("object", "code and message", { code: -32000, message: "internal error" }),
  error("string", "a string instead of an object", "out of order"),
  error("number", "a number", 7),
  error("true", "true", true),
  error("empty", "an empty object", {}),
  error("null-message", "a message that is null", { code: -32000, message: null }),
  error("object-message", "a message that is an object", { code: "x", message: { a: [1, { b: null }] } }),
  errorText("nested", "lists nested 40,000 deep", deep(40_000)),
  errorText("nested-deeper", "lists nested 100,000 deep", deep(100_000)),
  errorText("nested-data", "data nested 40,000 deep", `{"code":1,"message":"no","data":${deep(40_000)}}`),
  errorText("nested-message", "a message nested 40,000 deep", `{"code":1,"message":${deep(40_000)}}`),
  errorText(
    "escapes",
    "terminal escapes and right-to-left marks",
    String.raw`{"code":1,"message":"\u001b[31mred\u001b[0m\u202egnp.exe\u2066 \u0000\r\n{\"level\":\"error\"}"}`,
  ),
  {
    ...error("unknown-method", "-32601, the method does not exist", {
      code: -32601,
      message: "the method does not exist/is not available",
    }),
    fails: rpcs("unsupported"),
    recovery: SOON,
  },
  anyResult("null", "null", null, ["schema", "ok"]),
  { ...anyResult("string", "a string", "yes"), changes: ["avax_"] },
  anyResult("number", "a number", 5),
  anyResult("list", "an empty list", []),
  { ...anyResult("object", "an empty object", {}, ["schema", "ok"]), changes: ["avax_validator"] },
  {
    id: "result-missing",
    fault: "JSON-RPC answer without result and error",
    behave: () => envelopes(({ id }) => ({ jsonrpc: "2.0", id })),
    fails: rpcs("not_json"),
    ...down,
  },
  {
    id: "id-missing",
    fault: "JSON-RPC answers without id",
    behave: () => envelopes(({ result }) => ({ jsonrpc: "2.0", result })),
    fails: {},
    ...down,
  },
  {
    id: "id-of-another",
    fault: "JSON-RPC answers with the id of another request",
    behave: () => envelopes((found) => ({ ...found, id: 4711 })),
    fails: rpcs("schema"),
    ...down,
  },
  {
    id: "version-missing",
    fault: "JSON-RPC answers without jsonrpc",
    behave: () => envelopes(({ result, id }) => ({ result, id })),
    fails: {},
    ...down,
  },
  {
    id: "error-and-result",
    fault: "JSON-RPC answers with a result and an error",
    behave: () => envelopes((found) => ({ ...found, error: { code: 1, message: "no" } })),
    fails: rpcs(["ok", "rpc_error"]),
    ...down,
  },
  {
    id: "error-with-500",
    fault: "JSON-RPC error with HTTP 500",
    behave: () => ({
      answer: ({ question, response }) => {
        if (question.method === "GET") return false;
        const answer = '{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}';
        response.writeHead(500, { "content-type": "application/json" }).end(answer);
        return true;
      },
    }),
    fails: rpcs("rpc_error"),
    ...down,
  },
  batch("refused", "refused with one error", () => ({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32600, message: "batch not allowed" },
  })),
  batch("short", "the last answer is missing", (items) => items.slice(0, -1)),
  batch("reordered", "in another order", (items) => items.toReversed()),
  batch("duplicated", "every answer twice", (items) => [...items, ...items]),
  batch("empty", "no answers", () => []),
  batch("without-ids", "answers without ids", (items) => items.map(({ result }) => ({ jsonrpc: "2.0", result }))),
  batch("too-large", "too large, by an error in each answer", (items) =>
    items.map(({ id }) => ({ jsonrpc: "2.0", id, error: { code: -32003, message: "batch too large" } })),
  ),
  batch("of-garbage", "numbers, null and lists instead of answers", () => [1, null, [], "x"]),
  {
    id: "batch-status-413",
    fault: "JSON-RPC batch: refused with HTTP 413",
    behave: () => ({
      answer: ({ question, response }) => {
        if (question.batch === undefined) return false;
        response.writeHead(413).end("request body too large\n");
        return true;
      },
    }),
    fails: {},
    ...down,
  },
  {
    id: "one-method-fails",
    fault: "One method fails, the others answer",
    behave: () =>
      json((value, { question }) =>
        question.rpc?.method === "info.uptime"
          ? { jsonrpc: "2.0", id: 1, error: { code: -32000, message: "no" } }
          : value,
      ),
    fails: { "info.uptime": "rpc_error" },
    ...down,
  },
];

export const answers: Group = { title: "JSON and JSON-RPC", scene: "answers", rows };
