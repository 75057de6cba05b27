import { describe, expect, it } from "vitest";
import { healthResources } from "../../../src/api/node/health.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { platformMethods } from "../../../src/api/node/platform.ts";
import type { Api } from "../../../src/api/endpoint.ts";
import type { Client } from "../../../src/api/transport/client.ts";
import { clientOf, failureOf } from "../../support/clients.ts";
import { always, serve } from "../../support/servers.ts";

/** Failures in answers. Failures of the network are in client-network.test.ts. */

const nodeId = (api: Api) => api.call(infoMethods.getNodeID, {});
const health = (api: Api) => api.get(healthResources.health);
const rpcError = (code: number, message: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", error: { code, message, data: null }, id: 1 });

async function asking(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Client> {
  return clientOf((await serve(always(status, body, headers))).url);
}

describe("the status", () => {
  const BOOTSTRAPPING = "API call rejected because chain is not done bootstrapping";
  const ALLOWED = "; use the node's IP address, or add the name to its --http-allowed-hosts";

  it.each<[status: number, body: string, reason: string, shown: string]>([
    [204, "", "http_status", ""],
    [401, "", "unauthorized", ""],
    [403, "<html>Forbidden</html>", "unauthorized", ': "<html>Forbidden</html>"'],
    [403, "invalid host specified\n", "host_forbidden", `: "invalid host specified"${ALLOWED}`],
    [404, "404 page not found\n", "http_status", ': "404 page not found"'],
    [429, "slow down", "rate_limited", ': "slow down"'],
    [500, "boom\n\tat line 1", "http_status", ': "boom at line 1"'],
    [503, `${BOOTSTRAPPING}\n`, "not_bootstrapped", `: "${BOOTSTRAPPING}"`],
    [503, "Service Unavailable", "http_status", ': "Service Unavailable"'],
  ])("%i %j is a failure", async (status, body, reason, shown) => {
    const client = await asking(status, body);
    expect(await failureOf(client.within(5, nodeId))).toEqual({ reason, message: `HTTP ${status}${shown}`, status });
  });

  it.each<[number, Readonly<Record<string, string>>, number | undefined]>([
    [429, { "retry-after": "5" }, 5],
    [429, { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT", date: "Wed, 21 Oct 2026 07:27:15 GMT" }, 45],
    [429, { "retry-after": "in a while" }, undefined],
    [502, { "retry-after": "30" }, 30],
  ])("%i with %j has the wait of the server", async (status, headers, retryAfter) => {
    expect((await failureOf((await asking(status, "", headers)).within(5, nodeId))).retryAfter).toBe(retryAfter);
  });

  it.each([
    ['{"message":"no Route"}', 'HTTP 503: "{"message":"no Route"}"'],
    ['{"status":"DOWN","checks":{}}', 'HTTP 503: "{"status":"DOWN","checks":{}}"'],
    ["[]", 'HTTP 503: "[]"'],
    ["null", 'HTTP 503: "null"'],
    ['"Service Unavailable"', 'HTTP 503: ""Service Unavailable""'],
    ["<h1>503</h1>", 'HTTP 503: "<h1>503</h1>"'],
    ["", "HTTP 503"],
  ])("503 with the body %s of a gateway is a failure of GET health", async (body, message) => {
    const client = await asking(503, body, { "retry-after": "20" });
    expect(await failureOf(client.within(5, health))).toEqual({
      reason: "http_status",
      message,
      status: 503,
      retryAfter: 20,
    });
  });

  it.each([
    [502, '{"error":{"code":502,"message":"upstream"}}'],
    [503, '{"error":"Service Unavailable","result":null}'],
  ])("%i with the JSON %s of a gateway is not an error of the node", async (status, body) => {
    const client = await asking(status, body);
    expect(await failureOf(client.within(5, nodeId))).toEqual({
      reason: "http_status",
      message: `HTTP ${status}: "${body}"`,
      status,
    });
    const batch = client.within(5, (api) => api.batch("/ext/info", [{ method: infoMethods.getNodeID, params: {} }]));
    expect(await failureOf(batch)).toMatchObject({ reason: "http_status", status });
  });

  it.each([400, 500, 503])("%i with a JSON-RPC error is an error of the node", async (status) => {
    const client = await asking(status, '{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"},"id":1}');
    expect(await failureOf(client.within(5, nodeId))).toMatchObject({ reason: "rpc_error", rpcMessage: "no", status });
  });

  it("503 with an invalid report is a schema failure", async () => {
    const client = await asking(503, JSON.stringify({ checks: {}, healthy: "no" }));
    expect(await failureOf(client.within(5, health))).toEqual({
      reason: "schema",
      message: "healthy: Invalid input: expected boolean, received string",
    });
  });

  it.each([301, 302, 307, 308])("%i is never followed", async (status) => {
    const server = await serve(always(status, "", { location: "/ext/health" }));
    const client = clientOf(server.url);
    for (const ask of [nodeId, health] as ReadonlyArray<(api: Api) => Promise<unknown>>) {
      expect(await failureOf(client.within(5, ask))).toEqual({
        reason: "redirect",
        message: `HTTP ${status}: redirects are not followed`,
        status,
      });
    }
    expect(server.received.map(({ url }) => url)).toEqual(["/ext/info", "/ext/health"]);
  });
});

describe("the body", () => {
  it.each<[string, string]>([
    ["", "expected JSON, found an empty body"],
    [" \n", "expected JSON, found an empty body"],
    ["<!DOCTYPE html>\n<html>", 'expected JSON, found "<!DOCTYPE html> <html>"'],
    ['{"jsonrpc":"2.0","resu', 'expected JSON, found "{"jsonrpc":"2.0","resu"'],
    ["a\u0000\u001b[31mb", 'expected JSON, found "a [31mb"'],
  ])("%j is not JSON", async (body, message) => {
    const client = await asking(200, body);
    expect(await failureOf(client.within(5, nodeId))).toEqual({ reason: "not_json", message, status: 200 });
  });

  it.each(["[]", "7", "null", '"text"', "{}", '{"jsonrpc":"2.0","id":1}'])(
    "%s is not a JSON-RPC answer",
    async (body) => {
      const client = await asking(200, body);
      expect(await failureOf(client.within(5, nodeId))).toEqual({
        reason: "not_json",
        message: "the JSON is not a JSON-RPC answer",
      });
    },
  );

  it.each<[string, string]>([
    ['{"result":{}}', "result.nodeID: Invalid input: expected string, received undefined"],
    ['{"result":null}', "result: Invalid input: expected object, received null"],
    ['{"result":{"nodeID":"__proto__"}}', "result.nodeID: not a node ID"],
    ['{"result":{"nodeID":7}}', "result.nodeID: Invalid input: expected string, received number"],
    [
      '{"result":{"nodeID":"NodeID-8ZaVcAT9uahY1jsgF4MQSE7TiZrFDvFSu","nodePOP":{}}}',
      "result.nodePOP.publicKey: Invalid input: expected string, received undefined",
    ],
  ])("%s is a schema failure", async (body, message) => {
    const client = await asking(200, body);
    expect(await failureOf(client.within(5, nodeId))).toEqual({ reason: "schema", message });
  });

  it("names the first invalid field by path, and counts the others", async () => {
    const of = (more: object) => ({ nodeID: "N", startTime: "1", weight: "1", ...more });
    const odd = [{ nodeID: 5 }, { startTime: "x" }, { endTime: [] }];
    const validators = [...Array.from({ length: 6 }, () => of({ weight: "-1" })), of({}), ...odd.map(of)];
    const client = await asking(200, JSON.stringify({ result: { validators } }));
    const failure = await failureOf(client.within(5, (api) => api.call(platformMethods.getCurrentValidators, {})));
    expect(failure).toEqual({
      reason: "schema",
      message: "result.validators.0.weight: not an unsigned 64-bit integer (and 8 more)",
    });
  });
});

describe("a JSON-RPC error", () => {
  it.each<[status: number, code: number, text: string, reason: string]>([
    [200, -32000, "node is not a validator", "rpc_error"],
    [200, -32000, 'rpc: can\'t find method "info.GetFoo"', "unsupported"],
    [200, -32000, 'rpc: can\'t find service "ledger.GetUTXOs"', "unsupported"],
    [200, -32000, 'rpc: service/method request ill-formed: "admin_x"', "unsupported"],
    [200, -32000, "the method txpool_status does not exist/is not available", "unsupported"],
    [200, -32601, "no", "unsupported"],
    [400, -32601, "Method not found", "unsupported"],
    [500, -32603, "internal", "rpc_error"],
  ])("%i %i %s", async (status, code, rpcMessage, reason) => {
    const client = await asking(status, rpcError(code, rpcMessage));
    const message = `info.getNodeID: ${rpcMessage}`;
    expect(await failureOf(client.within(5, nodeId))).toEqual({ reason, message, rpcMessage, status });
  });

  it("is short and on one line in the message, and longer in rpcMessage", async () => {
    const text = `first\nline ${"y".repeat(2000)}`;
    const client = await asking(200, rpcError(-32000, text));
    const failure = await failureOf(client.within(5, nodeId));
    expect(failure.message).toBe(`info.getNodeID: first line ${"y".repeat(148)}…`);
    expect(failure.rpcMessage).toBe(text.slice(0, 1000));
  });
});

describe("a server that repeats secrets", () => {
  const key = 's3cr3t "key" of\\mine';
  const headers = { "x-glacier-api-key": key, authorization: "Bearer t0k3n-of-mine" };

  it.each([
    ["unchanged", 401, `Invalid API key ${key}`],
    ["as JSON", 401, JSON.stringify({ message: `Invalid API key ${key}`, error: "Unauthorized", statusCode: 401 })],
    ["as broken JSON", 401, `{"message":${JSON.stringify(key)}`],
    ["in a page", 502, `<html>${key}</html>`],
    ["at the cut of the text", 403, `${"x".repeat(150)} ${key}`],
    ["in a body that is not JSON", 200, `<html>${key}</html>`],
    ["without its scheme", 401, "no such token t0k3n-of-mine"],
    ["in a URL", 404, `Cannot GET /?key=${encodeURIComponent(key)}`],
  ])("%s: the message does not contain them", async (_, status, body) => {
    const { url } = await serve(always(status, body, {}));
    const { message } = await failureOf(clientOf(url, { headers }).within(5, health));
    expect(message).toContain("<secret");
    for (const part of ["s3cr3t", "t0k3n"]) expect(message).not.toContain(part);
  });
});
