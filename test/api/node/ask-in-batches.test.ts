import { describe, expect, it } from "vitest";
import { askInBatches, batchSize, nextMemory, valueIfAny, valueOf } from "../../../src/api/node/ask-in-batches.ts";
import { call, evmMethods, hex } from "../../../src/api/node/evm-methods.ts";
import { clientOf, failureOf } from "../../support/clients.ts";
import { serve, type Received } from "../../support/servers.ts";

/** Batches to a server on the loopback interface that accepts, refuses, limits, truncates or reorders them. */

type Item = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };
const PATH = "/ext/bc/C/rpc";

/** Each balance equals its address, so that a wrong order is detected. */
const answerOf = ({ id, params }: Item) => ({ jsonrpc: "2.0", id, result: String(params[0]) });
const error = (id: number | null, code: number, message: string) => ({ jsonrpc: "2.0", id, error: { code, message } });
const address = (index: number) => `0x${index.toString(16).padStart(40, "0")}`;
const calls = (count: number) =>
  Array.from({ length: count }, (_, index) => call(evmMethods.balance, address(index), "latest"));

type Reply = { readonly status?: number; readonly body: unknown };

async function asking(
  count: number,
  size: number,
  batch: (items: readonly Item[]) => Reply,
  single: (item: Item) => Reply = (item) => ({ body: answerOf(item) }),
) {
  const server = await serve((request, response) => {
    const parsed = JSON.parse(request.body) as Item | readonly Item[];
    const { status = 200, body } = Array.isArray(parsed) ? batch(parsed as readonly Item[]) : single(parsed as Item);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const asked = clientOf(server.url).within(5, (api) => askInBatches(api, PATH, calls(count), size));
  return { asked, requests: () => server.received.map(sizeOf) };
}

const sizeOf = ({ body }: Received): number => {
  const parsed = JSON.parse(body) as unknown;
  return Array.isArray(parsed) ? parsed.length : 0;
};

const inOrder = (count: number) => Array.from({ length: count }, (_, index) => BigInt(index));
const all = (items: readonly Item[]): Reply => ({ body: items.map(answerOf) });

const refused = (status: number) => (): Reply => ({ status, body: "no" });

describe("askInBatches", () => {
  it.each<[string, number, number, (items: readonly Item[]) => Reply, number[], number]>([
    ["as few batches as the size allows", 10, 4, all, [4, 4, 2], 4],
    [
      "one batch that is answered by id, in any order",
      7,
      40,
      (items) => ({ body: items.map(answerOf).reverse() }),
      [7],
      40,
    ],
    [
      "single calls if one error refuses the batch",
      3,
      40,
      () => ({ body: error(null, -32600, "batches are off") }),
      [3, 0, 0, 0],
      1,
    ],
    ...[400, 403, 405, 413, 415, 500, 503].map((status): [string, number, number, () => Reply, number[], number] => [
      `single calls if a batch gets HTTP ${status}`,
      2,
      40,
      refused(status),
      [2, 0, 0],
      1,
    ]),
    [
      "half a batch if one above the limit of the server is refused",
      8,
      8,
      (items) => (items.length > 4 ? refused(400)() : all(items)),
      [8, 4, 4],
      4,
    ],
    [
      "smaller batches if one is too large",
      12,
      12,
      (items) => (items.length > 3 ? { body: [error(items[0]?.id ?? 0, -32600, "batch too large")] } : all(items)),
      [12, 6, 3, 3, 3, 3],
      3,
    ],
    ["calls without an answer again", 5, 40, (items) => ({ body: items.slice(0, 2).map(answerOf) }), [5, 2, 0], 2],
    [
      "calls again whose answers are too large together",
      5,
      40,
      (items) => ({
        body: [...items.slice(0, 2).map(answerOf), error(items[2]?.id ?? 0, -32003, "response too large")],
      }),
      [5, 2, 0],
      2,
    ],
    [
      "single calls in the end to a server that always returns an empty array",
      4,
      4,
      () => ({ body: [] }),
      [4, 2, 0, 0, 0, 0],
      1,
    ],
  ])("sends %s, and keeps the limit", async (_, count, size, server, sizes, kept) => {
    const { asked, requests } = await asking(count, size, server);
    const { outcomes, limit } = await asked;
    expect(outcomes.map(valueOf)).toEqual(inOrder(count));
    expect({ sizes: requests(), limit }).toEqual({ sizes, limit: kept });
  });

  it("does not repeat single calls if the chain does not exist", async () => {
    const { asked, requests } = await asking(3, 40, () => ({ status: 404, body: "404 page not found\n" }));
    expect(await failureOf(asked)).toMatchObject({ reason: "http_status", status: 404 });
    expect(requests()).toEqual([3]);
  });
});

describe("one call of a batch", () => {
  it("fails alone", async () => {
    const { asked } = await asking(3, 40, (items) => ({
      body: items.map((item) => (item.id === 2 ? error(2, -32601, "the method x does not exist") : answerOf(item))),
    }));
    const { outcomes } = await asked;
    expect(outcomes.map((outcome) => ("error" in outcome ? outcome.error.failure.reason : "ok"))).toEqual([
      "ok",
      "unsupported",
      "ok",
    ]);
    expect(outcomes.map(valueIfAny)).toEqual([0n, undefined, 2n]);
  });

  it.each([403, 503])("fails alone where a proxy refuses it by HTTP %i, and others are answered", async (status) => {
    const isMeant = ({ params }: Item) => params[0] === address(1);
    const { asked } = await asking(3, 40, refused(status), (item) =>
      isMeant(item) ? refused(status)() : { body: answerOf(item) },
    );
    expect((await asked).outcomes.map(valueIfAny)).toEqual([0n, undefined, 2n]);
  });

  it("fails for all where the first one is refused too", async () => {
    const { asked, requests } = await asking(3, 40, refused(503), refused(503));
    expect(await failureOf(asked)).toMatchObject({ reason: "http_status", status: 503 });
    expect(requests()).toEqual([3, 0]);
  });

  it("fails if the result is invalid, and does not count as a missing method", async () => {
    const { asked } = await asking(2, 40, (items) => ({ body: items.map(({ id }) => ({ id, result: 17 })) }));
    const [first] = (await asked).outcomes;
    expect(() => first && valueIfAny(first)).toThrow(/expected string/);
  });
});

it("the memory of a limit expires after 360 polls", () => {
  let memory = nextMemory(40, 3);
  expect(memory).toEqual({ limit: 3, polls: 0 });
  for (let poll = 0; poll < 360; poll++) memory = nextMemory(40, 3, memory);
  expect(batchSize(40, memory)).toBe(40);
  memory = nextMemory(40, 3, memory);
  expect(batchSize(40, memory)).toBe(3);
  expect(nextMemory(40, 40, memory)).toBeUndefined();
});

it("a height has no leading zeros", () => expect([hex(0), hex(255)]).toEqual(["0x0", "0xff"]));
