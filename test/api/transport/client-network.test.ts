import { spawn } from "node:child_process";
import dns from "node:dns";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Api } from "../../../src/api/endpoint.ts";
import { healthResources } from "../../../src/api/node/health.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { selfSigned, type Keys } from "../../support/certificates.ts";
import { connectionFailure } from "../../../src/api/transport/failures.ts";
import { afterThisTest } from "../../support/cleanup.ts";
import { clientOf, failureOf } from "../../support/clients.ts";
import { always, serve, serveSockets, serveTls } from "../../support/servers.ts";
import { freePort } from "../../e2e/support/recording-server.ts";

/** Failures before an answer is complete. */

const nodeId = (api: Api) => api.call(infoMethods.getNodeID, {});
const ID = "NodeID-8ZaVcAT9uahY1jsgF4MQSE7TiZrFDvFSu";
const ANSWER = `{"jsonrpc":"2.0","result":{"nodeID":"${ID}"}}`;
afterEach(() => void vi.restoreAllMocks());

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

it("a blocked process reads the answer that arrived in the meantime before it reports a timeout", async () => {
  const until = performance.now() + 1500;
  const { url } = await serveSockets((socket) =>
    socket.once("data", () => {
      socket.write(`${HEAD}content-length: ${ANSWER.length}\r\n\r\n${ANSWER}`);
      while (performance.now() < until);
    }),
  );
  expect(await clientOf(url).within(1, nodeId)).toEqual({ nodeID: ID });
});

/** Seconds. A test process that other work holds up for so long reports itself as busy, not the server as silent. */
const SILENT = 0.6;

it("a handshake that hangs fails its poll, and the next one does not wait for it", async () => {
  const secure = await serveTls(selfSigned(), always(200, ANSWER));
  let connections = 0;
  const { port } = await serveSockets((socket) => {
    if (connections++ > 0) socket.pipe(connect(secure.port, "127.0.0.1")).pipe(socket);
  });
  const client = clientOf(`https://127.0.0.1:${port}`, { connections: 1, tls: { rejectUnauthorized: false } });
  expect((await failureOf(client.within(SILENT, nodeId))).reason).toBe("timeout");
  expect(await client.within(5, nodeId)).toEqual({ nodeID: ID });
});

describe("no connection", () => {
  it("is the exporter's lack if it has no descriptor left", () => {
    const error = Object.assign(new Error("connect EMFILE"), { code: "EMFILE" });
    expect(connectionFailure(error)).toMatchObject({ reason: "descriptors" });
  });
});

describe("the deadline", () => {
  const TIMEOUT = { reason: "timeout", message: `no complete answer within ${SILENT} s` };

  it("begins when a connection is free: a slow answer to others says nothing of a poll", async () => {
    let silent = false;
    const { url } = await serve((request, response) => {
      if (!silent) setTimeout(always(200, ANSWER), 300, request, response);
    });
    const client = clientOf(url, { connections: 1 });
    const polls = Array.from({ length: 4 }, () => client.within(0.9, nodeId));
    expect(await Promise.all(polls)).toEqual(polls.map(() => ({ nodeID: ID })));
    silent = true;
    const silently = Array.from({ length: 3 }, () => failureOf(client.within(SILENT, nodeId)));
    expect(await Promise.all(silently)).toEqual(silently.map(() => TIMEOUT));
    silent = false;
    expect(await client.within(5, nodeId)).toEqual({ nodeID: ID });
  });

  it("closes the connection", async () => {
    const closed = Promise.withResolvers<undefined>();
    const { url } = await serveSockets((socket) => socket.resume().on("close", () => closed.resolve(undefined)));
    await failureOf(clientOf(url).within(0.1, nodeId));
    await closed.promise;
  });

  it("is that of each request of a poll", async () => {
    let polls = 0;
    const { url } = await serve((request, response) => {
      if (polls++ < 2) setTimeout(always(200, ANSWER), 1000 * SILENT, request, response);
    });
    // Two answers take longer.
    const failure = await failureOf(
      clientOf(url).within(1.8 * SILENT, async (api) => {
        await nodeId(api);
        await nodeId(api);
        return nodeId(api);
      }),
    );
    expect([failure.reason, polls]).toEqual(["timeout", 3]);
  });
});

describe("a connection that closes too early", () => {
  const ends: ReadonlyArray<readonly [string, (socket: Socket) => void, RegExp]> = [
    [
      "reset before the answer",
      (socket) => socket.resetAndDestroy(),
      /^the connection was closed before the answer was complete \((ECONNRESET|UND_ERR_SOCKET)\)$/,
    ],
    [
      "closed within the body",
      (socket) => socket.end(`${HEAD}content-length: 50\r\n\r\n{"json`),
      /\(UND_ERR_SOCKET\)$/,
    ],
  ];
  it.each(ends)("%s is a reset", async (_name, end, message) => {
    const { url } = await serveSockets((socket) => socket.once("data", () => end(socket)));
    const failure = await failureOf(clientOf(url).within(5, nodeId));
    expect(failure.reason).toBe("reset");
    expect(failure.message).toMatch(message);
  });

  it("is opened again by the next poll", async () => {
    let polls = 0;
    const { url } = await serveSockets((socket) =>
      socket.once("data", () => {
        if (polls++ === 0) socket.resetAndDestroy();
        else socket.end(`${HEAD}content-length: ${ANSWER.length}\r\n\r\n${ANSWER}`);
      }),
    );
    const client = clientOf(url);
    expect((await failureOf(client.within(5, nodeId))).reason).toBe("reset");
    expect(await client.within(5, nodeId)).toEqual({ nodeID: ID });
  });

  /** Answers, but resets the connections on which these requests come, by their number. */
  const resetting = async (isReset: (request: number) => boolean) => {
    const on: Socket[] = [];
    const { url } = await serveSockets((socket) =>
      socket.on("data", () => {
        on.push(socket);
        if (isReset(on.length)) socket.resetAndDestroy();
        else socket.write(`${HEAD}content-length: ${ANSWER.length}\r\n\r\n${ANSWER}`);
      }),
    );
    return { url, on };
  };

  it("is no failure where a server that answered resets a kept connection once", async () => {
    const { url, on } = await resetting((request) => request % 3 === 0);
    const client = clientOf(url, { connections: 1 });
    for (let poll = 0; poll < 4; poll++) expect(await client.within(5, nodeId)).toEqual({ nodeID: ID });
    expect(on.map((socket) => on.indexOf(socket))).toEqual([0, 0, 0, 3, 3]);
  });

  it("is one that resets all that it kept, for each of the polls under way", async () => {
    const { url, on } = await resetting((request) => request >= 3 && request <= 4);
    const client = clientOf(url, { connections: 2 });
    const both = () => Promise.all([client.within(5, nodeId), client.within(5, nodeId)]);
    for (let round = 0; round < 2; round++) expect(await both()).toEqual([{ nodeID: ID }, { nodeID: ID }]);
    expect(on.length).toBe(6);
  });

  it("is none of a poll that is sent while another one is sent once more", async () => {
    const held = Promise.withResolvers<Socket>();
    let requests = 0;
    const answer = (socket: Socket) => socket.write(`${HEAD}content-length: ${ANSWER.length}\r\n\r\n${ANSWER}`);
    const { url } = await serveSockets((socket) =>
      socket.on("data", () => {
        requests++;
        // Two connections are kept; each is reset by its next request, and the repetition of the first one is slow.
        if (requests === 3 || requests === 5) socket.resetAndDestroy();
        else if (requests === 4) held.resolve(socket);
        else answer(socket);
      }),
    );
    const client = clientOf(url, { connections: 2 });
    await Promise.all([client.within(5, nodeId), client.within(5, nodeId)]);
    const first = client.within(5, nodeId);
    const repeated = await held.promise;
    const second = client.within(5, nodeId);
    expect(await second).toEqual({ nodeID: ID });
    answer(repeated);
    expect(await first).toEqual({ nodeID: ID });
    expect(requests).toBe(6);
  });

  it("is a failure the second time, and from then on at once, within the deadline of the poll", async () => {
    const { url, on } = await resetting((request) => request > 1);
    const client = clientOf(url, { connections: 1 });
    await client.within(5, nodeId);
    for (const requests of [3, 4]) {
      expect((await failureOf(client.within(5, nodeId))).reason).toBe("reset");
      expect(on.length).toBe(requests);
    }
  });

  it("is a failure at once for a request that changes something", async () => {
    const { url, on } = await resetting((request) => request > 1);
    const client = clientOf(url, { connections: 1 });
    await client.within(5, nodeId);
    const write = (api: Api) => api.call({ ...infoMethods.getNodeID, writes: true }, {});
    expect((await failureOf(client.within(5, write))).reason).toBe("reset");
    expect(on.length).toBe(2);
  });

  it("causes no retry of a first request", async () => {
    let requests = 0;
    const { url } = await serveSockets((socket) =>
      socket.on("data", () => {
        requests++;
        socket.destroy();
      }),
    );
    await failureOf(clientOf(url).within(5, nodeId));
    await failureOf(clientOf(url).within(5, (api) => api.get(healthResources.health)));
    expect(requests).toBe(2);
  });
});

describe("an answer that", () => {
  it.each(["SSH-2.0-OpenSSH_9.6\r\n", "HTTP/9.9 maybe\r\n\r\n"])("is not HTTP: %j", async (bytes) => {
    const { url } = await serveSockets((socket) => socket.once("data", () => socket.end(bytes)));
    const failure = await failureOf(clientOf(url).within(5, nodeId));
    expect(failure).toEqual({ reason: "not_json", message: "the reply is not HTTP" });
  });

  it("is larger than the limit by its content length fails", async () => {
    const { url } = await serve(always(200, JSON.stringify({ result: { nodeID: "x".repeat(2000) } })));
    const failure = await failureOf(clientOf(url, { maxResponseBytes: 1000 }).within(5, nodeId));
    expect(failure).toEqual({ reason: "too_large", message: "the answer is larger than 1000 bytes" });
  });

  it("has 10,000 headers fails", async () => {
    const { url } = await serveSockets((socket) =>
      socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\n${"X-A: b\r\n".repeat(10_000)}\r\n`)),
    );
    const failure = await failureOf(clientOf(url).within(5, nodeId));
    expect(failure).toEqual({ reason: "too_large", message: "the headers of the answer are too large" });
  });
});

describe("TLS", () => {
  let keys: Keys = { key: "", cert: "" };
  beforeAll(() => {
    keys = selfSigned();
  });

  it("works with the certificate as authority, or without verification if configured", async () => {
    const server = await serveTls(keys, always(200, ANSWER));
    expect(await clientOf(server.url, { tls: { ca: keys.cert } }).within(5, nodeId)).toEqual({ nodeID: ID });
    expect(await clientOf(server.url, { tls: { rejectUnauthorized: false } }).within(5, nodeId)).toEqual({
      nodeID: ID,
    });
  });

  it.each([
    ["of another host", 2, "IP:127.0.0.2", /^TLS failed: Hostname\/IP does not match/],
    ["that has expired", -1, "IP:127.0.0.1", /^TLS failed: certificate has expired$/],
  ])(
    "fails every request to a server with a certificate %s, those that wait for a connection too",
    async (_, days, subject, message) => {
      const wrong = selfSigned(days, subject);
      const { url } = await serveTls(wrong, always(200, ANSWER));
      const client = clientOf(url, { tls: { ca: wrong.cert }, connections: 2 });
      for (const failure of await Promise.all(Array.from({ length: 7 }, () => failureOf(client.within(30, nodeId))))) {
        expect(failure.reason).toBe("tls");
        expect(failure.message).toMatch(message);
      }
    },
  );

  it("resets the connection of a client without TLS", async () => {
    const { port } = await serveTls(keys, always(200, ANSWER));
    const failure = await failureOf(clientOf(`http://127.0.0.1:${port}`).within(5, nodeId));
    expect(failure.reason).toBe("reset");
  });

  it("keeps the secrets of the configuration out of the message", async () => {
    const { url } = await serveTls(keys, always(200, ANSWER));
    const failure = await failureOf(
      clientOf(url, { tls: { cert: keys.cert, key: keys.key }, headers: { authorization: "s3cret" } }).within(
        5,
        nodeId,
      ),
    );
    expect(JSON.stringify(failure)).not.toMatch(/s3cret|BEGIN/);
  });
});

describe("a closed client", () => {
  it("ends active polls and refuses new ones", async () => {
    const { url } = await serve(() => undefined);
    const client = clientOf(url);
    const poll = failureOf(client.within(5, nodeId));
    await client.close();
    expect((await poll).reason).toBe("reset");
    expect((await failureOf(client.within(5, nodeId))).reason).toBe("reset");
  });
});

describe("an endpoint with a defect", () => {
  it("rejects with its own error, synchronous or not", async () => {
    const client = clientOf(`http://127.0.0.1:${await freePort()}`);
    await expect(client.within(5, () => Promise.reject(new RangeError("defect")))).rejects.toThrow(RangeError);
    await expect(
      client.within(5, () => {
        throw new TypeError("defect");
      }),
    ).rejects.toThrow(TypeError);
  });
});

describe("a name with two addresses, of which one does not serve", () => {
  /** A server whose process is stopped and whose queue of connections is full: it accepts the next one a second later. */
  const SLOW = `
    const server = require("node:http").createServer((_request, response) => response.end(${JSON.stringify(ANSWER)}));
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => process.send(server.address().port));`;

  it("is reached although its connection takes longer than the runtime's quarter of a second for an address", async () => {
    const child = spawn(process.execPath, ["-e", SLOW], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    afterThisTest.add(() => Promise.resolve(void child.kill("SIGKILL")));
    const [port] = (await once(child, "message")) as [number];
    child.kill("SIGSTOP");
    for (let filling = 0; filling < 4; filling++) {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      afterThisTest.add(() => Promise.resolve(void socket.destroy()));
    }
    const addresses = ["127.0.0.1", "::1"].map((address) => ({ address, family: address === "::1" ? 6 : 4 }));
    vi.spyOn(dns, "lookup").mockImplementation(((
      _name: string,
      _options: unknown,
      found: (...given: unknown[]) => void,
    ) => process.nextTick(found, null, addresses)) as never);
    setTimeout(() => child.kill("SIGCONT"), 400);
    expect(await clientOf(`http://two.example:${port}`).within(5, nodeId)).toEqual({ nodeID: ID });
  });
});
