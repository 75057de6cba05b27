import { expect, it } from "vitest";
import type { Api } from "../../../src/api/endpoint.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { createClient } from "../../../src/api/transport/client.ts";
import { createInFlight } from "../../../src/api/transport/in-flight.ts";
import { afterThisTest } from "../../support/cleanup.ts";
import { clientOf, failureOf } from "../../support/clients.ts";
import { always, serve } from "../../support/servers.ts";

/** Answers below the limit of one answer that are too many, or have too many values. */

const ID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
const nodeId = (api: Api) => api.call(infoMethods.getNodeID, {});
const MB = 1_000_000;

it("large answers at the same time are received in turn, and each is complete", async () => {
  const body = `{"jsonrpc":"2.0","result":{"nodeID":"${ID}"},"id":1${" ".repeat(6 * MB)}}`;
  const { url } = await serve(always(200, body));
  const inFlight = createInFlight(MB, 128 * MB);
  let most = 0;
  const watching = setInterval(() => (most = Math.max(most, inFlight.bytes())), 1);
  const connection = { url, headers: {}, maxResponseBytes: 32 * MB, connections: 6 };
  const client = createClient(connection, undefined, undefined, inFlight);
  afterThisTest.add(client.close);
  const answers = await Promise.all(Array.from({ length: 6 }, () => client.within(30, nodeId)));
  clearInterval(watching);
  expect(answers).toEqual(Array.from({ length: 6 }, () => ({ nodeID: ID })));
  // One whole answer, the bound, and for each of the others what is small and one part.
  expect(most).toBeGreaterThan(MB);
  expect(most).toBeLessThan(6 * MB + MB + 5 * 2 * 262_144 + MB);
  expect(inFlight.bytes()).toBe(0);
});

it("an answer that waits for its turn fails at its deadline, and gives back its bytes", async () => {
  const { url } = await serve((_request, response) => void response.writeHead(200).write(" ".repeat(2 * MB)));
  const inFlight = createInFlight(MB, 128 * MB);
  const connection = { url, headers: {}, maxResponseBytes: 32 * MB, connections: 3 };
  const client = createClient(connection, undefined, undefined, inFlight);
  afterThisTest.add(client.close);
  const failures = await Promise.all([1, 2, 3].map(() => failureOf(client.within(0.5, nodeId))));
  expect(failures.map(({ reason }) => reason)).toEqual(["timeout", "timeout", "timeout"]);
  await expect.poll(() => inFlight.bytes()).toBe(0);
});

it("an answer that waits for those of other servers says nothing of its server", async () => {
  const { url } = await serve((_request, response) => void response.writeHead(200).write(" ".repeat(2 * MB)));
  const inFlight = createInFlight(8 * MB, 4 * MB);
  const other = inFlight.ofServer().begin();
  other.add(4 * MB, { pause: () => undefined, resume: () => undefined });
  const client = createClient(
    { url, headers: {}, maxResponseBytes: 32 * MB, connections: 1 },
    undefined,
    undefined,
    inFlight,
  );
  afterThisTest.add(client.close);
  // The second one waits for the connection of the first.
  const failures = await Promise.all([1, 2].map(() => failureOf(client.within(0.5, nodeId))));
  expect(failures.map(({ reason }) => reason)).toEqual(["overloaded", "overloaded"]);
  other.end();
  await expect.poll(() => inFlight.bytes()).toBe(0);
});

it.each(["0", "[]", "{}", '{"a":0}'])(
  "an answer of %s, times the values that an answer can have, is too large",
  async (item) => {
    // A value takes 32 bytes of a usual answer at least.
    const list = `[${`${item},`.repeat(80_000)}0]`;
    const { url } = await serve(always(200, `{"jsonrpc":"2.0","id":1,"result":{"nodeID":"${ID}","list":${list}}}`));
    expect(await failureOf(clientOf(url).within(10, nodeId))).toEqual({
      reason: "too_large",
      message: "the answer has more than 31250 values",
    });
    expect(await clientOf(url, { maxResponseBytes: 10 * MB }).within(10, nodeId)).toEqual({ nodeID: ID });
  },
);
