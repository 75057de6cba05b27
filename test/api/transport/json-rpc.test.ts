import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ApiError, type Method } from "../../../src/api/endpoint.ts";
import type { Failure } from "../../../src/api/reasons.ts";
import { bodyOf, resultOf, type HttpAnswer } from "../../../src/api/transport/json-rpc.ts";

const replyOf = (text: string, status = 200): HttpAnswer => ({ status, headers: {}, body: { text: () => text } });

const rows: Method<unknown, unknown> = {
  name: "rows",
  path: "/",
  about: "",
  params: z.unknown(),
  result: z.object({ list: z.array(z.object({ value: z.number() })) }),
};

function failure(reply: HttpAnswer): Failure {
  try {
    throw new Error(`answered ${JSON.stringify(resultOf(reply, rows))}`);
  } catch (error) {
    if (error instanceof ApiError) return error.failure;
    throw error;
  }
}

it.each([
  ["7", false],
  ['"8"', true],
  ["8", true],
  ["null", true],
])("the answer to another request is a failure: id %s", (id, isOwn) => {
  const reply = replyOf(`{"jsonrpc":"2.0","id":${id},"result":{"list":[]}}`);
  if (isOwn) expect(resultOf(reply, rows, 8)).toEqual({ list: [] });
  else expect(() => resultOf(reply, rows, 8)).toThrow("its id is not 8");
});

it.each([200, 203, 206])("HTTP %i is a success", (status) => {
  expect(resultOf(replyOf('{"jsonrpc":"2.0","id":1,"result":{"list":[]}}', status), rows)).toEqual({ list: [] });
  expect(bodyOf(replyOf("[1]", status), {})).toEqual([1]);
  expect(failure(replyOf("", status))).toMatchObject({ reason: "not_json" });
});

it("an invalid field is named with its path", () => {
  const list = Array.from({ length: 5 }, (_, at) => ({ value: at === 4 ? "7" : at }));
  expect(failure(replyOf(JSON.stringify({ result: { list } })))).toMatchObject({
    reason: "schema",
    message: "result.list.4.value: Invalid input: expected number, received string",
  });
});

it("a list that is longer than any real one is not read, but by a person", () => {
  const reply = replyOf(JSON.stringify({ result: { list: Array.from({ length: 20_001 }, () => 0) } }));
  expect(failure(reply)).toEqual({
    reason: "too_large",
    message: "a list of the answer has 20001 rows, more than 20000",
  });
  expect(() => resultOf(reply, { ...rows, exact: true })).toThrow("and 20000 more");
});

it.each(["0", "{}", '{"a":{"b":[1]}}', "[]"])(
  "an answer with millions of %s is refused before it is parsed",
  (item) => {
    using parse = vi.spyOn(JSON, "parse");
    const reply = replyOf(
      `{"result":{"list":[${`${item},`.repeat(Math.ceil(4_200_000 / (item.length + 1)))}${item}]}}`,
    );
    const values = /^the answer has (\d+) values, more than 1000000$/;
    const { message, reason } = failure(reply);
    expect(reason).toBe("too_large");
    expect(Number(values.exec(message)?.[1])).toBeGreaterThan(1_000_000);
    expect(parse).not.toHaveBeenCalled();
  },
);

it("a large answer of a million values is read", () => {
  const list = `{"result":{"list":[${"12345,".repeat(699_999)}12345]}}`;
  expect(failure(replyOf(list))).toMatchObject({ message: "a list of the answer has 700000 rows, more than 20000" });
  expect(resultOf(replyOf(JSON.stringify({ result: { list: [], text: "x".repeat(5_000_000) } })), rows)).toEqual({
    list: [],
  });
});

it("the message has a short part of a long page", () => {
  const { message, ...rest } = failure(replyOf(`gateway ${"x".repeat(300_000)}`, 502));
  expect(rest).toEqual({ reason: "http_status", status: 502 });
  expect(message.length).toBeLessThan(250);
});

describe("an error of a node", () => {
  it.each([
    ['"plain"', "rows: plain"],
    ['{"code":-32000,"message":"text"},"result":null', "rows: text"],
    ['{"code":-32000,"why":"x"}', 'rows: {"error":{"code":-32000,"why":"x"}}'],
    [`{"data":${"[".repeat(40_000)}${"]".repeat(40_000)}}`, `rows: {"error":{"data":${"[".repeat(142)}…`],
  ])("%.80s is shown as %.80s", (error, message) => {
    expect(failure(replyOf(`{"error":${error}}`))).toMatchObject({ reason: "rpc_error", message });
  });

  it("is short, however long", () => {
    const long = failure(replyOf(JSON.stringify({ error: { message: "x".repeat(5_000_000) } })));
    expect(long).toMatchObject({ reason: "rpc_error", message: `rows: ${"x".repeat(159)}…` });
    expect(long.rpcMessage).toHaveLength(1000);
  });
});
