import { Agent } from "node:http";
import { connect } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { hashSync } from "bcryptjs";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { WebSecurity } from "../../../src/config/web/web-schema.ts";
import { startServer, type Running } from "../../../src/http/server/server.ts";
import { ask, gate } from "../ask.ts";
import { dependencies } from "../fixtures.ts";

let running: Running | undefined;
afterEach(() => running?.close());

/** Everything received on a raw connection until the server closes it. */
async function exchange(address: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
  socket.on("error", () => undefined);
  socket.write(text);
  // Not `once`, which would reject on a reset.
  await new Promise((resolve) => socket.on("close", resolve));
  return received;
}

test.each([
  ["127.0.0.1:0", "127.0.0.1"],
  ["[::1]:0", "[::1]"],
  [":0", "127.0.0.1"],
])("the server on %s reports a reachable address on %s", async (listen, host) => {
  running = await startServer({ listen }, dependencies().deps);
  expect(running.address).toMatch(new RegExp(`^http://${host.replace(/[[\].]/g, "\\$&")}:[1-9][0-9]*$`));
  expect((await ask(`${running.address}/-/healthy`)).status).toBe(200);
});

test("an address that cannot be opened is reported", async () => {
  running = await startServer({ listen: "127.0.0.1:0" }, dependencies().deps);
  const taken = running.address.replace("http://", "");
  await expect(startServer({ listen: taken }, dependencies().deps)).rejects.toThrow(
    `cannot listen on ${taken}: the port is in use by another program`,
  );
  await expect(startServer({ listen: "203.0.113.7:0" }, dependencies().deps)).rejects.toThrow(
    "cannot listen on 203.0.113.7:0: this machine does not have the address",
  );
  await expect(startServer({ listen: "9750" }, dependencies().deps)).rejects.toThrow(
    "listen address 9750: expected host:port, :port or [IPv6]:port",
  );
});

test("several addresses are served together, and closed together", async () => {
  running = await startServer({ listen: ["127.0.0.1:0", "[::1]:0"] }, dependencies().deps);
  const { address, addresses } = running;
  expect(addresses).toEqual([address, expect.stringMatching(/^http:\/\/\[::1\]:\d+$/)]);
  for (const each of addresses) expect((await ask(`${each}/-/healthy`)).status).toBe(200);
  await running.close();
  for (const each of addresses) await expect(ask(`${each}/-/healthy`)).rejects.toThrow("ECONNREFUSED");
});

test("either all addresses are opened or none", async () => {
  const other = await startServer({ listen: "127.0.0.1:0" }, dependencies().deps);
  const free = other.address.replace("http://", "");
  await other.close();
  running = await startServer({ listen: "127.0.0.1:0" }, dependencies().deps);
  const taken = running.address.replace("http://", "");
  await expect(startServer({ listen: [free, taken] }, dependencies().deps)).rejects.toThrow(
    `cannot listen on ${taken}: the port is in use by another program`,
  );
  await expect(ask(`http://${free}/-/healthy`)).rejects.toThrow("ECONNREFUSED");
});

test("a passed socket that is none is reported", async () => {
  await expect(startServer({ sockets: [999] }, dependencies().deps)).rejects.toThrow(
    "cannot listen on the passed socket 999: no listening socket has this number",
  );
});

describe("rate_limit", () => {
  const limited = (web: WebSecurity) => startServer({ listen: "127.0.0.1:0", web }, dependencies().deps);
  const slow = { rateLimit: { interval: 3600, burst: 2 } };
  const statusOf = async (path: string) => (await ask(`${running?.address}${path}`)).status;

  test("refuses requests above it with 429 and the time to wait, also those without a login and of unknown paths", async () => {
    running = await limited({ ...slow, users: { a: hashSync("x", 4) } });
    expect([await statusOf("/metrics"), await statusOf("/nothing")]).toEqual([401, 401]);
    const { status, headers, body } = await ask(`${running.address}/metrics`);
    expect([status, headers["retry-after"], body.toString()]).toEqual([
      429,
      "3600",
      "Too many requests, try again later.\n",
    ]);
  });

  test("leaves out what supervisors ask", async () => {
    running = await limited(slow);
    for (const path of ["/-/healthy", "/-/ready", "/-/healthy"]) expect(await statusOf(path)).toBe(200);
    expect([await statusOf("/"), await statusOf("/"), await statusOf("/")]).toEqual([200, 200, 429]);
    for (const path of ["/-/healthy", "/-/ready"]) expect(await statusOf(path)).toBe(200);
  });

  test("accepts no further burst after a reload with the same limit, and ends with it", async () => {
    running = await limited(slow);
    expect([await statusOf("/"), await statusOf("/"), await statusOf("/")]).toEqual([200, 200, 429]);
    running.secure({ rateLimit: { interval: 3600, burst: 2 } });
    expect(await statusOf("/")).toBe(429);
    running.secure({ rateLimit: { interval: 3600, burst: 3 } });
    expect(await statusOf("/")).toBe(200);
    running.secure({});
    for (let count = 0; count < 5; count++) expect(await statusOf("/")).toBe(200);
  });
});

test("a handler that throws is answered with 500 and affects no other request", async () => {
  const { deps, logged } = dependencies({
    metrics: () => Promise.reject(new Error("secret detail")),
    status: () => {
      throw new Error("secret detail");
    },
  });
  running = await startServer({ listen: "127.0.0.1:0" }, deps);
  for (const path of ["/metrics", "/", "/api/v1/status"]) {
    const { status, body } = await ask(running.address + path);
    expect([status, body.toString()]).toEqual([500, "Internal error, see the exporter's log.\n"]);
  }
  expect(logged.map(({ level, message, data }) => [level, message, data])).toEqual([
    ["error", "request failed", { err: new Error("secret detail"), path: "/metrics" }],
    ["error", "request failed", { err: new Error("secret detail"), path: "/" }],
    ["error", "request failed", { err: new Error("secret detail"), path: "/api/v1/status" }],
  ]);
  expect((await ask(`${running.address}/-/healthy`)).status).toBe(200);
});

test("a reply that cannot be sent closes only its connection", async () => {
  const { deps, logged } = dependencies({
    metrics: () => Promise.resolve({ contentType: "bad\nheader", contentEncoding: undefined, chunks: [] }),
  });
  running = await startServer({ listen: "127.0.0.1:0" }, deps);
  await expect(ask(`${running.address}/metrics`)).rejects.toThrow("socket hang up");
  expect(logged.map(({ message }) => message)).toEqual(["reply could not be sent"]);
  expect((await ask(`${running.address}/-/healthy`)).status).toBe(200);
});

test("bodies up to 64 KiB are discarded", async () => {
  running = await startServer({ listen: "127.0.0.1:0" }, dependencies().deps);
  const url = `${running.address}/-/reload`;
  expect((await ask(url, { method: "POST", body: "x".repeat(65_536) })).status).toBe(200);
  const declared = await exchange(
    running.address,
    "POST /-/reload HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n",
  );
  expect(declared).toMatch(/^HTTP\/1\.1 413 /);
});

test("an endless body closes the connection", async () => {
  const { opened, open } = gate();
  const { deps } = dependencies({ reload: () => opened.then(() => ({ ok: true })) });
  running = await startServer({ listen: "127.0.0.1:0" }, deps);
  const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
  const endless = `POST /-/reload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`;
  expect(await exchange(running.address, endless)).toBe("");
  open();
});

test("a reader without progress is disconnected long before the deadline of a reply", async () => {
  const huge = { contentType: "text/plain", contentEncoding: undefined, chunks: [Buffer.alloc(64 * 1024 * 1024)] };
  const started = gate();
  const { deps } = dependencies({
    metrics: () => {
      started.open();
      return Promise.resolve(huge);
    },
  });
  const limits = { replyMs: 60_000, stallMs: 200 };
  running = await startServer({ listen: "127.0.0.1:0", maxRequests: 1, limits }, deps);
  const url = `${running.address}/metrics`;
  const socket = connect(Number(new URL(url).port), "127.0.0.1").pause();
  socket.on("error", () => undefined);
  socket.write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  await started.opened;
  expect((await ask(url)).status).toBe(503);
  await vi.waitFor(async () => expect((await ask(url)).status).toBe(200), { timeout: 5_000 });
  socket.destroy();
});

test("a slow reader with progress gets the whole reply, longer than a stalled one is waited for", async () => {
  const size = 32 * 1024 * 1024;
  const huge = { contentType: "text/plain", contentEncoding: undefined, chunks: [Buffer.alloc(size)] };
  const { deps } = dependencies({ metrics: () => Promise.resolve(huge) });
  running = await startServer({ listen: "127.0.0.1:0", limits: { replyMs: 60_000, stallMs: 400 } }, deps);
  const socket = connect(Number(new URL(running.address).port), "127.0.0.1");
  socket.write("GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const began = performance.now();
  let received = 0;
  let next = 1e6;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received < next) continue;
    next += 1e6;
    await after(40);
  }
  expect(received).toBeGreaterThan(size);
  expect(performance.now() - began).toBeGreaterThan(1_000);
});

test("connections are kept alive", async () => {
  running = await startServer({ listen: "127.0.0.1:0" }, dependencies().deps);
  const agent = new Agent({ keepAlive: true });
  const first = await ask(`${running.address}/metrics`, { tls: { agent } });
  expect([first.headers.connection, first.headers["keep-alive"]]).toEqual(["keep-alive", "timeout=120"]);
  agent.destroy();
});

test("closing waits for the running scrape, then closes all connections and releases the port", async () => {
  const { opened, open } = gate();
  const started = gate();
  const exposition = { contentType: "text/plain", contentEncoding: undefined, chunks: [Buffer.from("a 1\n")] };
  const { deps } = dependencies({
    metrics: async () => {
      started.open();
      await opened;
      return exposition;
    },
  });
  const server = await startServer({ listen: "127.0.0.1:0" }, deps);
  const agent = new Agent({ keepAlive: true });
  await ask(`${server.address}/-/healthy`, { tls: { agent } });
  const scrape = ask(`${server.address}/metrics`);
  await started.opened;
  const closed = server.close();
  await expect(ask(`${server.address}/-/healthy`)).rejects.toThrow("ECONNREFUSED");
  open();
  const { status, headers, body } = await scrape;
  expect([status, headers.connection, body.toString()]).toEqual([200, "close", "a 1\n"]);
  await closed;
  await server.close();
  running = await startServer({ listen: server.address.replace("http://", "") }, dependencies().deps);
  expect((await ask(`${running.address}/-/healthy`)).status).toBe(200);
});

test("closing aborts a scrape that does not end", async () => {
  const started = gate();
  const forever = gate();
  const { deps } = dependencies({
    metrics: async () => {
      started.open();
      await forever.opened;
      throw new Error("too late");
    },
  });
  const server = await startServer({ listen: "127.0.0.1:0", limits: { closeMs: 20 } }, deps);
  const scrape = ask(`${server.address}/metrics`);
  const cut = expect(scrape).rejects.toThrow("socket hang up");
  await started.opened;
  await server.close();
  await cut;
});
