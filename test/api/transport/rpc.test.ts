import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Method } from "../../../src/api/endpoint.ts";
import type { Reply } from "../../../src/api/transport/exchange.ts";
import { bodyOf, resultOf } from "../../../src/api/transport/rpc.ts";
import { failureOf } from "../../support/clients.ts";

/** Size of the parts of an answer: they can end within a character. */
const PART = 50_021;

function replyOf(text: string, status = 200): Reply {
  const body = Buffer.from(text);
  const starts = Array.from({ length: Math.max(1, Math.ceil(body.length / PART)) }, (_, i) => i * PART);
  return { status, headers: {}, parts: starts.map((at) => body.subarray(at, at + PART)), bytes: body.length };
}

/** Longer than one time slice. */
const FILLING = "é🦙\\".repeat(40_000);

const row = z.object({ name: z.string(), value: z.number() });
const rows: Method<unknown, { readonly list: ReadonlyArray<z.infer<typeof row>> }> = {
  name: "rows",
  path: "/",
  about: "",
  params: z.unknown(),
  result: z.object({ list: z.array(row) }),
  rows: { field: "list", row },
};
const answer = (list: unknown): Reply => replyOf(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { list } }));
const manyRows = Array.from({ length: 5_000 }, (_, i) => ({ name: `ü${i}`, value: i / 7, unread: [{ a: null }] }));

describe("a large answer", () => {
  it("has the value of its text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        const text = JSON.stringify([value, FILLING, value]);
        expect(await bodyOf(replyOf(text), {})).toEqual(JSON.parse(text) as unknown);
      }),
      { numRuns: 30 },
    );
  });

  it("yields to the event loop between its parts", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const reading = resultOf(answer(manyRows), rows);
    await reading;
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  it("has validated rows without unknown fields", async () => {
    const { list } = await resultOf(answer(manyRows), rows);
    expect(list).toEqual(manyRows.map(({ name, value }) => ({ name, value })));
  });

  it("has the entries that the shortcut knows, and the others by the schema", async () => {
    const quick = (entry: unknown) => {
      const { name, value } = row.parse(entry);
      return value < 100 ? { name: `quick ${name}`, value } : undefined;
    };
    const { list } = await resultOf(answer(manyRows), { ...rows, rows: { field: "list", row, quick } });
    expect([list.length, list[699], list[700]]).toEqual([
      5_000,
      { name: "quick ü699", value: 699 / 7 },
      { name: "ü700", value: 100 },
    ]);
  });

  it("fails with the path of the first invalid row", async () => {
    const wrong = manyRows.with(4_321, { name: "x", value: "7" as never, unread: [] });
    expect(await failureOf(resultOf(answer(wrong), rows))).toMatchObject({
      reason: "schema",
      message: expect.stringContaining("result.list.4321.value") as unknown,
    });
  });

  it.each([
    ["truncated", (text: string) => text.slice(0, -1)],
    ["followed by other text", (text: string) => `${text}}`],
    ["a page", () => `<html>${FILLING}</html>`],
  ])("that is %s is not JSON", async (_, spoil) => {
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { list: manyRows } });
    expect(await failureOf(resultOf(replyOf(spoil(text)), rows))).toMatchObject({ reason: "not_json" });
  });
});

it("the message has a short part of a long page", async () => {
  const failure = await failureOf(resultOf(replyOf(`gateway ${"x".repeat(300_000)}`, 502), rows));
  expect(failure).toMatchObject({ reason: "http_status", status: 502 });
  expect(failure.message.length).toBeLessThan(250);
});

it("a byte order mark is not part of an answer", async () => {
  expect(await bodyOf(replyOf("\ufeff[1]"), {})).toEqual([1]);
  expect(await bodyOf(replyOf(`\ufeff["${"x".repeat(200_000)}"]`), {})).toEqual(["x".repeat(200_000)]);
});

describe("an error of a node", () => {
  const failed = (error: string) => failureOf(resultOf(replyOf(`{"jsonrpc":"2.0","id":1,"error":${error}}`), rows));

  it.each([
    ['"plain"', "rows: plain"],
    ['{"code":-32000,"message":"text"}', "rows: text"],
    ['{"code":-32000,"data":{"a":{"b":1}},"why":"x"}', 'rows: {"code":-32000,"data":"{…}","why":"x"}'],
    ["[1,[2],null]", 'rows: [1,"[…]",null]'],
  ])("%s is shown as %s", async (error, message) => {
    expect(await failed(error)).toMatchObject({
      reason: "rpc_error",
      message,
    });
  });

  it("is short, however deep and however long", async () => {
    const deep = `{"data":${"[".repeat(40_000)}${"]".repeat(40_000)}}`;
    expect(await failed(deep)).toMatchObject({ reason: "rpc_error", message: 'rows: {"data":"[…]"}' });
    const long = await failed(JSON.stringify({ message: "x".repeat(5_000_000) }));
    expect(long).toMatchObject({ reason: "rpc_error", message: `rows: ${"x".repeat(160)}…` });
    expect(long.rpcMessage).toHaveLength(1000);
  });
});
