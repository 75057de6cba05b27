import { createServer, request as ask, type IncomingMessage } from "node:http";
import { createServer as createHttps } from "node:https";
import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import type { Api } from "../../../src/api/endpoint.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { listenOn } from "../../e2e/support/recording-server.ts";
import { expiryOf, selfSigned, type Keys } from "../../support/certificates.ts";
import { afterThisTest } from "../../support/cleanup.ts";
import { clientOf, failureOf } from "../../support/clients.ts";
import { always, serve, serveTls } from "../../support/servers.ts";

/** Requests through a proxy, which forwards those of HTTP and opens tunnels. */

const nodeId = (api: Api) => api.call(infoMethods.getNodeID, {});
const ID = "NodeID-8ZaVcAT9uahY1jsgF4MQSE7TiZrFDvFSu";
const ANSWER = `{"jsonrpc":"2.0","result":{"nodeID":"${ID}"}}`;
let keys: Keys = { key: "", cert: "" };
beforeAll(() => void (keys = selfSigned(90)));

/** A proxy. `asked` has a line for each request, with its credentials. @param refuses the status of all its answers */
async function proxy(refuses?: number) {
  const asked: string[] = [];
  const note = ({ method, url, headers }: IncomingMessage): void => {
    const login = headers["proxy-authorization"];
    asked.push([method, url, ...(login === undefined ? [] : [login])].join(" "));
  };
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    note(incoming);
    if (refuses !== undefined) return void response.writeHead(refuses).end();
    const { method, url = "", headers } = incoming;
    const onward = ask(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, client: Socket, head: Buffer) => {
    note(incoming);
    if (refuses !== undefined) return void client.end(`HTTP/1.1 ${refuses} No\r\n\r\n`);
    const [host, port] = (incoming.url ?? "").split(":");
    const onward = connect(Number(port), host, () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    onward.write(head);
    onward.on("error", () => client.destroy()).pipe(client);
    client.on("error", () => onward.destroy()).pipe(onward);
  });
  server.on("connection", (socket: Socket) => sockets.add(socket));
  afterThisTest.add(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${await listenOn(server)}`, asked };
}

describe("a node behind a proxy", () => {
  it("of HTTP is asked by the proxy", async () => {
    const [{ url }, { url: proxyUrl, asked }] = await Promise.all([serve(always(200, ANSWER)), proxy()]);
    expect(await clientOf(url, { proxyUrl }).within(5, nodeId)).toEqual({ nodeID: ID });
    expect(asked).toEqual([`POST ${url}/ext/info`]);
  });

  it("of HTTPS is asked in a tunnel, with the credentials for the proxy, and shows its certificate", async () => {
    const [node, { url, asked }] = await Promise.all([serveTls(keys, always(200, ANSWER)), proxy()]);
    const expiries: number[] = [];
    const proxyUrl = url.replace("//", "//me:p%40ss@");
    const client = clientOf(node.url, { proxyUrl, tls: { ca: keys.cert }, connections: 1 }, undefined, (at) =>
      expiries.push(at),
    );
    expect(await client.within(5, nodeId)).toEqual({ nodeID: ID });
    expect(await client.within(5, nodeId)).toEqual({ nodeID: ID });
    const login = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
    expect([asked, expiries]).toEqual([[`CONNECT 127.0.0.1:${node.port} ${login}`], [expiryOf(keys)]]);
    expect(node.received[0]?.headers["proxy-authorization"]).toBeUndefined();
  });

  it("must have a certificate that is trusted", async () => {
    const [node, { url: proxyUrl }] = await Promise.all([serveTls(keys, always(200, ANSWER)), proxy()]);
    expect(await failureOf(clientOf(node.url, { proxyUrl }).within(5, nodeId))).toMatchObject({ reason: "tls" });
  });

  it("is asked directly where no_proxy lists its host", async () => {
    const [{ url }, { url: proxyUrl, asked }] = await Promise.all([serve(always(200, ANSWER)), proxy()]);
    const client = clientOf(url, { proxyUrl, noProxy: "example.org,127.0.0.1" });
    expect(await client.within(5, nodeId)).toEqual({ nodeID: ID });
    expect(asked).toEqual([]);
  });

  it("has a limit of its answer's size and of its connections", async () => {
    const [{ url }, { url: proxyUrl }] = await Promise.all([serve(always(200, ANSWER)), proxy()]);
    const failure = await failureOf(clientOf(url, { proxyUrl, maxResponseBytes: 20 }).within(5, nodeId));
    expect(failure.reason).toBe("too_large");
  });

  it.each([
    ["http", 407],
    ["https", 407],
    ["https", 502],
  ] as const)("over %s cannot be reached if that answers %i: the node refused nothing", async (scheme, status) => {
    const { url: proxyUrl } = await proxy(status);
    const failure = await failureOf(clientOf(`${scheme}://127.0.0.1:1`, { proxyUrl }).within(5, nodeId));
    expect(failure).toEqual({ reason: "unreachable", message: `the proxy refuses the request (HTTP ${status})` });
  });

  it("that nothing serves is told apart from a node that refuses", async () => {
    const failure = await failureOf(
      clientOf("http://127.0.0.1:2", { proxyUrl: "http://127.0.0.1:1" }).within(5, nodeId),
    );
    expect(failure).toEqual({ reason: "refused", message: "connection refused (ECONNREFUSED); proxy_url is set" });
  });

  it("has its WebSocket in a tunnel too", async () => {
    const [{ url: proxyUrl, asked }, server] = [await proxy(), createHttps(keys)];
    new WebSocketServer({ server }).on("connection", (socket) => socket.send("hello"));
    afterThisTest.add(() => new Promise((resolve) => server.close(() => resolve())));
    const port = await listenOn(server);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const closed = (): void => reject(new Error("closed"));
    const client = clientOf(`https://127.0.0.1:${port}`, { proxyUrl, tls: { ca: keys.cert } });
    const socket = client.listen("/ext/bc/C/ws", { open: () => undefined, message: resolve, closed });
    expect(await promise).toBe("hello");
    socket.close();
    expect(asked).toEqual([`CONNECT 127.0.0.1:${port}`]);
  });
});
