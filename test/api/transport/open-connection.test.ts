import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Api } from "../../../src/api/endpoint.ts";
import type { Connection } from "../../../src/api/transport/connection.ts";
import { limitSockets } from "../../../src/api/transport/open-connection.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { expiryOf, selfSigned, type Keys } from "../../support/certificates.ts";
import { afterThisTest } from "../../support/cleanup.ts";
import { clientOf, failureOf } from "../../support/clients.ts";
import { always, serve, serveTls } from "../../support/servers.ts";

/** The certificates that the client reports. */

const nodeId = (api: Api) => api.call(infoMethods.getNodeID, {});
const ANSWER = '{"jsonrpc":"2.0","result":{"nodeID":"NodeID-8ZaVcAT9uahY1jsgF4MQSE7TiZrFDvFSu"}}';
const ANY = { rejectUnauthorized: false };

let short: Keys = { key: "", cert: "" };
let long: Keys = short;
beforeAll(() => {
  [short, long] = [selfSigned(3), selfSigned(90)];
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** A TLS server whose certificate can be renewed, with or without its connections being closed. */
async function renewable(keys: Keys) {
  const sockets = new Set<Socket>();
  const server = createServer(keys, (_request, response) => response.end(ANSWER));
  let connections = 0;
  server.on("secureConnection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
  });
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  afterThisTest.add(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    drop();
    await closed;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    renew: (renewed: Keys) => server.setSecureContext(renewed),
    drop,
    connections: () => connections,
  };
}

/** A client with the expiries that it reported so far. */
function watching(url: string, more: Partial<Connection> = {}) {
  const expiries: number[] = [];
  const client = clientOf(url, { connections: 1, ...more }, undefined, (expiry) => expiries.push(expiry));
  return { expiries, ask: () => client.within(5, nodeId) };
}

describe("the certificate of a server", () => {
  it("is reported once per connection, not per request", async () => {
    const server = await serveTls(short, always(200, ANSWER));
    const { expiries, ask } = watching(server.url, { tls: { ca: short.cert } });
    for (let poll = 0; poll < 5; poll++) await ask();
    expect(server.connections()).toBe(1);
    expect(expiries).toEqual([expiryOf(short)]);
    expect(expiryOf(short)).toBeGreaterThan(Date.now() / 1000 + 2.9 * 86_400);
    expect(expiryOf(short)).toBeLessThan(Date.now() / 1000 + 3.1 * 86_400);
  });

  it("is not reported before the first handshake", async () => {
    const { port } = await serve(always(200, ANSWER));
    const { expiries, ask } = watching(`https://127.0.0.1:${port}`);
    expect((await failureOf(ask())).reason).toBe("tls");
    expect(expiries).toEqual([]);
  });

  it("is reported when it has expired and is rejected", async () => {
    const expired = selfSigned(-1);
    const { url } = await serveTls(expired, always(200, ANSWER));
    const { expiries, ask } = watching(url, { tls: { ca: expired.cert } });
    expect(await failureOf(ask())).toEqual({ reason: "tls", message: "TLS failed: certificate has expired" });
    expect(expiries).toEqual([expiryOf(expired)]);
    expect(expiryOf(expired)).toBeLessThan(Date.now() / 1000);
  });
});

describe("a renewed certificate", () => {
  it("is reported with the next connection, which does not resume the old session", async () => {
    const server = await renewable(short);
    const { expiries, ask } = watching(server.url, { tls: ANY });
    await ask();
    server.renew(long);
    await ask();
    expect(expiries).toEqual([expiryOf(short)]);
    server.drop();
    await vi.waitFor(ask);
    expect(expiries).toEqual([expiryOf(short), expiryOf(long)]);
  });

  it("is reported within about an hour from a server that keeps its connections open", async () => {
    const server = await renewable(short);
    const { expiries, ask } = watching(server.url, { tls: ANY });
    const now = vi.spyOn(performance, "now");
    const at = (seconds: number) => now.mockReturnValue(seconds * 1000);
    at(0);
    await ask();
    server.renew(long);
    at(3590);
    await ask();
    expect(server.connections()).toBe(1);
    at(3601);
    // The old connection takes this request and is closed after it.
    await ask();
    expect(expiries).toEqual([expiryOf(short)]);
    await ask();
    expect(expiries).toEqual([expiryOf(short), expiryOf(long)]);
    for (let poll = 0; poll < 3; poll++) await ask();
    expect(server.connections()).toBe(2);
  });
});

it("leaves descriptors to clients: a socket beyond three quarters is refused as their lack, until another one closes", async () => {
  // Four are the fewest.
  onTestFinished(() => limitSockets(Infinity));
  limitSockets(40);
  const { url, connections } = await serve(() => undefined);
  const clients = Array.from({ length: 5 }, () => clientOf(url));
  const asked = clients.slice(0, 4).map((each) => each.within(10, nodeId).catch(() => undefined));
  await vi.waitUntil(() => connections() === 4);
  expect((await failureOf(clientOf(url).within(10, nodeId))).reason).toBe("descriptors");
  await clients[0]?.close();
  await asked[0];
  const free = await serve(always(200, ANSWER));
  await vi.waitFor(() => clientOf(free.url).within(10, nodeId));
  await Promise.all(clients.slice(1).map((each) => each.close()));
  await Promise.all(asked);
});
