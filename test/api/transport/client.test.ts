import { describe, expect, it } from "vitest";
import { healthResources, Liveness } from "../../../src/api/node/health.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import type { Api } from "../../../src/api/endpoint.ts";
import type { Client } from "../../../src/api/transport/client.ts";
import { clientOf, failureOf } from "../../support/clients.ts";
import { always, serve } from "../../support/servers.ts";
import { contextOf } from "../../support/topics.ts";

/** Requests and answers; failures are in client-failures.test.ts and client-network.test.ts. */

const nodeId = (api: Api) => api.call(infoMethods.getNodeID, {});
const health = (api: Api) => api.get(healthResources.health);
const ID = "NodeID-8ZaVcAT9uahY1jsgF4MQSE7TiZrFDvFSu";
const ANSWER = JSON.stringify({ jsonrpc: "2.0", result: { nodeID: ID }, id: 1 });

async function asking(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Client> {
  return clientOf((await serve(always(status, body, headers))).url);
}

describe("an answer", () => {
  it("to a JSON-RPC call is the validated result", async () => {
    const server = await serve(always(200, ANSWER));
    const got = await clientOf(server.url).within(5, nodeId);
    expect(got).toEqual({ nodeID: ID });
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({ method: "POST", url: "/ext/info" });
    expect(server.received[0]?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(server.received[0]?.body ?? "")).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "info.getNodeID",
      params: {},
    });
  });

  it("to GET health is the body, with status 200 and with 503", async () => {
    for (const status of [200, 503]) {
      const client = await asking(status, JSON.stringify({ checks: null, healthy: status === 200 }));
      expect(await client.within(5, health)).toEqual({ checks: {}, healthy: status === 200 });
    }
  });

  it("to a GET request has an encoded query", async () => {
    const server = await serve(always(200, JSON.stringify({ checks: {}, healthy: true })));
    await clientOf(server.url).within(5, (api) =>
      api.get(healthResources.health, [
        ["tag", "a b&c"],
        ["tag", "ü"],
      ]),
    );
    expect(server.received[0]).toMatchObject({ method: "GET", url: "/ext/health?tag=a%20b%26c&tag=%C3%BC" });
  });

  it("can come in parts that split a character", async () => {
    const body = Buffer.from(JSON.stringify({ checks: { x: { message: "€" } }, healthy: true }));
    const middle = body.indexOf("€") + 1;
    const server = await serve((_request, response) => {
      response.write(body.subarray(0, middle));
      setImmediate(() => response.end(body.subarray(middle)));
    });
    const { checks } = await clientOf(server.url).within(5, health);
    expect(checks["x"]?.message).toBe("€");
  });

  it("is requested with the path prefix", async () => {
    const server = await serve(always(200, ANSWER));
    await clientOf(`${server.url}/nodes/7/`).within(5, nodeId);
    expect(server.received[0]?.url).toBe("/nodes/7/ext/info");
  });

  it("can have an error that is null", async () => {
    const client = await asking(200, JSON.stringify({ jsonrpc: "2.0", result: { nodeID: ID }, error: null, id: 1 }));
    expect(await client.within(5, nodeId)).toEqual({ nodeID: ID });
  });

  it.each([
    ["GET", "get", { checks: {}, healthy: true }],
    ["JSON-RPC", "rpc", { jsonrpc: "2.0", id: 1, result: { checks: {}, healthy: true } }],
  ] as const)("to %s liveness has the time of the server's clock", async (_way, transport, body) => {
    const context = contextOf();
    const facts = { ...context, options: { ...context.options, healthTransport: transport } };
    const dateOf = async (headers: Readonly<Record<string, string>>) => {
      const client = await asking(200, JSON.stringify(body), headers);
      return (await client.within(5, (api) => Liveness.ask(api, "", facts, undefined))).date;
    };
    expect(await dateOf({ date: "Sat, 21 Nov 2026 11:06:48 GMT" })).toBe(1_795_259_208);
    // An invalid date does not fail the answer.
    expect(await dateOf({ date: "yesterday" })).toBeUndefined();
  });
});

describe("one connection", () => {
  it("serves consecutive polls", async () => {
    const server = await serve(always(200, ANSWER));
    const client = clientOf(server.url, { connections: 1 });
    for (let poll = 0; poll < 5; poll++) await client.within(5, nodeId);
    expect(server.received).toHaveLength(5);
    expect(server.connections()).toBe(1);
  });

  it("is not the limit: concurrent polls use as many as configured", async () => {
    const server = await serve(always(200, ANSWER));
    const client = clientOf(server.url, { connections: 2 });
    await Promise.all(Array.from({ length: 20 }, () => client.within(5, nodeId)));
    expect(server.received).toHaveLength(20);
    expect(server.connections()).toBe(2);
  });

  it("stays open after failures", async () => {
    let polls = 0;
    const server = await serve((request, response) => {
      always(polls++ % 2 === 0 ? 500 : 200, polls % 2 === 1 ? "broken" : ANSWER)(request, response);
    });
    const client = clientOf(server.url, { connections: 1 });
    expect((await failureOf(client.within(5, nodeId))).reason).toBe("http_status");
    expect(await client.within(5, nodeId)).toEqual({ nodeID: ID });
    expect((await failureOf(client.within(5, nodeId))).reason).toBe("http_status");
    expect(server.connections()).toBe(1);
  });
});

describe("headers", () => {
  it("of the configuration are sent with both methods", async () => {
    const server = await serve((request, response) => {
      always(200, request.method === "GET" ? '{"checks":{},"healthy":true}' : ANSWER)(request, response);
    });
    const client = clientOf(server.url, { headers: { authorization: "Basic dXNlcjpzZWNyZXQ=", "x-key": "k" } });
    await client.within(5, nodeId);
    await client.within(5, health);
    for (const { headers } of server.received) {
      expect(headers).toMatchObject({
        authorization: "Basic dXNlcjpzZWNyZXQ=",
        "x-key": "k",
        accept: "application/json",
      });
    }
  });
});

describe("the node-id header", () => {
  const headers = { "node-id": ID };

  it("is reported for every answer, including failures", async () => {
    const nodeIds: string[] = [];
    for (const [status, body] of [
      [200, ANSWER],
      [404, "404 page not found\n"],
      [503, "x"],
      [200, "<html>"],
    ] as const) {
      const { url } = await serve(always(status, body, headers));
      await clientOf(url, {}, (id) => nodeIds.push(id))
        .within(5, nodeId)
        .catch(() => undefined);
    }
    expect(nodeIds).toEqual([ID, ID, ID, ID]);
  });

  it.each(["__proto__", "N", ID.slice(0, -1), ID.toLowerCase(), `${ID}1`, ID.repeat(200), ID.slice("NodeID-".length)])(
    "that is not a node ID counts as none: %.60s",
    async (header) => {
      const nodeIds: string[] = [];
      let answers = 0;
      const { url } = await serve((request, response) =>
        always(200, ANSWER, { "node-id": answers++ === 1 ? header : ID })(request, response),
      );
      const client = clientOf(url, {}, (id) => nodeIds.push(id));
      for (let asked = 0; asked < 3; asked++) expect(await client.within(5, nodeId)).toEqual({ nodeID: ID });
      expect([answers, nodeIds]).toEqual([3, [ID, ID]]);
    },
  );

  it("of an unexpected node is a failure, and is not reported", async () => {
    const nodeIds: string[] = [];
    const { url } = await serve(always(200, ANSWER, headers));
    const client = clientOf(url, { expectNodeId: "NodeID-Other" }, (id) => nodeIds.push(id));
    expect(await failureOf(client.within(5, nodeId))).toEqual({
      reason: "wrong_node",
      message: `${ID} answers at this address instead of NodeID-Other`,
    });
    expect(nodeIds).toEqual([]);
  });

  it("can be absent", async () => {
    const { url } = await serve(always(200, ANSWER));
    expect(await clientOf(url, { expectNodeId: ID }).within(5, nodeId)).toEqual({ nodeID: ID });
  });
});
