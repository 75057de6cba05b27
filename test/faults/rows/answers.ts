import { body, envelopes, envelopeText, isBatch, isRpc, json, status, text, when } from "../support/replies.ts";
import { failing, harmless, partly, rpcs, type Expected, type Group, type Row } from "../support/row.ts";

const INVALID = Buffer.from([0xff, 0xfe, 0xc0]);

const error = (id: string, fault: string, value: unknown): Row =>
  partly(
    `error-${id}`,
    `JSON-RPC error: ${fault}`,
    () => envelopes(({ id: number }) => ({ jsonrpc: "2.0", error: value, id: number })),
    rpcs("rpc_error"),
  );

const errorText = (id: string, fault: string, value: string): Row =>
  partly(
    `error-${id}`,
    `JSON-RPC error: ${fault}`,
    () => envelopeText(`{"jsonrpc":"2.0","error":${value},"id":1}`),
    // Beyond 100 kB the parser of large bodies gives up on such a depth.
    rpcs(["rpc_error", "not_json"]),
  );

const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

const anyResult = (id: string, fault: string, value: unknown, expected: Expected = "schema"): Row =>
  partly(
    `result-${id}`,
    `JSON-RPC result: ${fault}`,
    () => envelopes(({ id: number }) => ({ jsonrpc: "2.0", result: value, id: number })),
    rpcs(expected),
  );

/** JSON of another kind than any answer has. */
const otherJson = (id: string, what: string, json: string): Row =>
  failing(id, `${what} as the whole body`, () => body(json), ["schema", "not_json"]);

type Items = readonly Record<string, unknown>[];

/** Changes the batches; single calls are answered as recorded. */
const batch = (id: string, fault: string, change: (items: Items) => unknown): Row =>
  harmless(`batch-${id}`, `JSON-RPC batch: ${fault}`, () =>
    when(
      isBatch,
      text((found) => JSON.stringify(change(JSON.parse(found) as Items))),
    ),
  );

const jsonRows: readonly Row[] = [
  harmless("bom", "A byte order mark before the JSON", () => text((found) => `\ufeff${found}`)),
  harmless(
    "invalid-utf8",
    "Invalid UTF-8 within texts",
    () =>
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
    { changes: ["avax_node_peers_by_version", "avax_validators_stake_by_version_avax"] },
  ),
  failing("utf16", "JSON in UTF-16", () => text((found) => Buffer.from(`\ufeff${found}`, "utf16le")), "not_json"),
  failing("two-documents", "Two JSON documents in one body", () => text((found) => found + found), "not_json"),
  failing(
    "cut-json",
    "JSON that is cut off, with the right length",
    () => text((found) => found.trimEnd().slice(0, -1)),
    "not_json",
  ),
  failing("nan", "NaN as a JSON number", () => body('{"healthy":NaN,"result":NaN}'), "not_json"),
  otherJson("json-null", "null", "null"),
  otherJson("json-number", "A number", "1e999"),
  otherJson("json-list", "An empty list", "[]"),
  otherJson("json-object", "An empty object", "{}"),
  otherJson("deep-json", "Lists nested 100,000 deep", deep(100_000)),
  failing("open-json", "100,000 opened lists that are never closed", () => body("[".repeat(100_000)), "not_json"),
  harmless("repeated-keys", "Every field twice", () =>
    text((found) => found.replaceAll(/"(healthy|result|height|numPeers)":/g, '"$1":0,"$1":')),
  ),
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
  },
  anyResult("null", "null", null, ["schema", "ok"]),
  { ...anyResult("string", "a string", "yes"), changes: ["avax_"] },
  anyResult("number", "a number", 5),
  anyResult("list", "an empty list", []),
  { ...anyResult("object", "an empty object", {}, ["schema", "ok"]), changes: ["avax_validator"] },
  partly(
    "result-missing",
    "JSON-RPC answer without result and error",
    () => envelopes(({ id }) => ({ jsonrpc: "2.0", id })),
    rpcs("not_json"),
  ),
  harmless("id-missing", "JSON-RPC answers without id", () => envelopes(({ result }) => ({ jsonrpc: "2.0", result }))),
  partly(
    "id-of-another",
    "JSON-RPC answers with the id of another request",
    () => envelopes((found) => ({ ...found, id: 4711 })),
    rpcs("schema"),
  ),
  harmless("version-missing", "JSON-RPC answers without jsonrpc", () =>
    envelopes(({ result, id }) => ({ result, id })),
  ),
  partly(
    "error-and-result",
    "JSON-RPC answers with a result and an error",
    () => envelopes((found) => ({ ...found, error: { code: 1, message: "no" } })),
    rpcs(["ok", "rpc_error"]),
  ),
  partly(
    "error-with-500",
    "JSON-RPC error with HTTP 500",
    () =>
      when(
        isRpc,
        status(500, '{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}', { "content-type": "application/json" }),
      ),
    rpcs("rpc_error"),
  ),
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
  harmless("batch-status-413", "JSON-RPC batch: refused with HTTP 413", () =>
    when(isBatch, status(413, "request body too large\n")),
  ),
  partly(
    "one-method-fails",
    "One method fails, the others answer",
    () =>
      json((value, { question }) =>
        question.rpc?.method === "info.uptime"
          ? { jsonrpc: "2.0", id: 1, error: { code: -32000, message: "no" } }
          : value,
      ),
    { "info.uptime": "rpc_error" },
  ),
];

export const answers: Group = { title: "JSON and JSON-RPC", scene: "answers", rows };
