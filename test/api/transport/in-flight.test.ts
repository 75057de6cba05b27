import fc from "fast-check";
import { expect, it, vi } from "vitest";
import type { Api } from "../../../src/api/endpoint.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { createClient } from "../../../src/api/transport/client.ts";
import { createInFlight, type InFlight } from "../../../src/api/transport/in-flight.ts";
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

it("has the whole budget again, in whatever order and how often answers end", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 20 }), (order) => {
      const inFlight = createInFlight(100);
      const refuse = vi.fn();
      const answers = Array.from({ length: 6 }, () => inFlight(refuse));
      for (const answer of answers) answer.add(10);
      for (const at of [...order, 0, 1, 2, 3, 4, 5]) answers[at]?.end();
      const next = inFlight(refuse);
      next.add(100);
      expect(refuse).not.toHaveBeenCalled();
      next.add(1);
      expect(refuse).toHaveBeenCalledOnce();
    }),
  );
});

it("a client fails the poll of the largest answer alone, and gives back what each has, at the deadline too", async () => {
  const ID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
  const nodeId = (api: Api) => api.call(infoMethods.getNodeID, {});
  const endless = (bytes: number) =>
    serve((_request, response) => void response.writeHead(200).write(" ".repeat(bytes)));
  const answering = await serve(always(200, `{"jsonrpc":"2.0","result":{"nodeID":"${ID}"},"id":1}`));
  const budget = createInFlight(300_000);
  let underWay = 0;
  const inFlight: InFlight = (refuse) => {
    const { add, end } = budget(refuse);
    underWay++;
    return {
      add,
      end() {
        underWay--;
        end();
      },
    };
  };
  const ask = ({ url }: { readonly url: string }, timeout: number) => {
    const connection = { url, headers: {}, maxResponseBytes: 1e6, connections: 1 };
    const client = createClient(connection, undefined, undefined, inFlight);
    afterThisTest.add(client.close);
    return client.within(timeout, nodeId);
  };
  const large = failureOf(ask(await endless(500_000), 30));
  expect(await ask(answering, 30)).toEqual({ nodeID: ID });
  expect(await large).toMatchObject({ reason: "too_large" });
  expect(await failureOf(ask(await endless(1_000), 0.2))).toMatchObject({ reason: "timeout" });
  await expect.poll(() => underWay).toBe(0);
});
