import { expect, it, vi } from "vitest";
import type { Api } from "../../../src/api/endpoint.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { createClient } from "../../../src/api/transport/client.ts";
import { createInFlight } from "../../../src/api/transport/in-flight.ts";
import { afterThisTest } from "../../support/cleanup.ts";
import { failureOf } from "../../support/clients.ts";
import { always, serve } from "../../support/servers.ts";

it("refuses the largest answer, whichever goes beyond the budget", () => {
  const inFlight = createInFlight(100);
  const refusals = [vi.fn(), vi.fn(), vi.fn()] as const;
  const [large, small, last] = [inFlight(refusals[0]), inFlight(refusals[1]), inFlight(refusals[2])];
  const refused = () => refusals.map(({ mock }) => mock.calls.length);
  large.add(40);
  large.add(20);
  small.add(40);
  expect(refused()).toEqual([0, 0, 0]);
  last.add(1);
  expect(refused()).toEqual([1, 0, 0]);
  large.end();
  last.add(59);
  expect(refused()).toEqual([1, 0, 0]);
  last.add(1);
  expect(refused()).toEqual([1, 0, 1]);
});

it("gives back the bytes of an answer once, however often it ends", () => {
  const inFlight = createInFlight(100);
  const refuse = vi.fn();
  const [first, second] = [inFlight(refuse), inFlight(refuse)];
  first.add(90);
  second.add(10);
  second.end();
  second.end();
  first.add(10);
  expect(refuse).not.toHaveBeenCalled();
  first.add(1);
  expect(refuse).toHaveBeenCalledOnce();
});

it("a client fails the poll of the largest answer alone, and gives back what each has", async () => {
  const ID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
  const nodeId = (api: Api) => api.call(infoMethods.getNodeID, {});
  const small = await serve(always(200, `{"jsonrpc":"2.0","result":{"nodeID":"${ID}"},"id":1}`));
  const large = await serve((_request, response) => void response.writeHead(200).write(" ".repeat(500_000)));
  const inFlight = createInFlight(300_000);
  const clientOf = (url: string) => {
    const client = createClient(
      { url, headers: {}, maxResponseBytes: 1e6, connections: 1 },
      undefined,
      undefined,
      inFlight,
    );
    afterThisTest.add(client.close);
    return client;
  };
  const [good, bad] = [clientOf(small.url), clientOf(large.url)];
  for (let poll = 0; poll < 3; poll++) {
    const [answer, failure] = await Promise.all([good.within(30, nodeId), failureOf(bad.within(30, nodeId))]);
    expect([answer, failure]).toMatchObject([{ nodeID: ID }, { reason: "too_large" }]);
  }
  // Nothing is left of the answers that were refused: one of as many bytes as the budget has is not.
  const refuse = vi.fn();
  inFlight(refuse).add(300_000);
  expect(refuse).not.toHaveBeenCalled();
});
