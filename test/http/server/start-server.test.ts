import { Agent } from "node:http";
import { connect } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { hashSync } from "bcryptjs";
import { describe, expect, test, vi } from "vitest";
import type { WebSecurity } from "../../../src/config/web/web-schema.ts";
import type { EncodedExposition } from "../../../src/http/http-dependencies.ts";
import { ask, gate } from "../ask.ts";
import { serving, textOf } from "../serving.ts";

const { start, get } = serving();

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
  const { address } = await start({}, { listen });
  expect(address.slice(0, address.lastIndexOf(":"))).toBe(`http://${host}`);
  expect((await ask(`${address}/-/healthy`)).status).toBe(200);
});

test("an address that cannot be opened is reported", async () => {
  const taken = (await start()).address.replace("http://", "");
  await expect(start({}, { listen: taken })).rejects.toThrow(`cannot listen on ${taken}: address already in use`);
  await expect(start({}, { listen: "203.0.113.7:0" })).rejects.toThrow(
    "cannot listen on 203.0.113.7:0: address not available",
  );
  await expect(start({}, { listen: "9750" })).rejects.toThrow("listen address 9750: expected host:port");
});

test("several addresses are served together, and closed together", async () => {
  const { address, addresses, close } = await start({}, { listen: ["127.0.0.1:0", "[::1]:0"] });
  expect(addresses).toEqual([address, expect.stringMatching(/^http:\/\/\[::1\]:\d+$/)]);
  for (const each of addresses) expect((await ask(`${each}/-/healthy`)).status).toBe(200);
  await close();
  for (const each of addresses) await expect(ask(`${each}/-/healthy`)).rejects.toThrow("ECONNREFUSED");
});

test("either all addresses are opened or none", async () => {
  const other = await start();
  await other.close();
  const [free, taken] = [other, await start()].map(({ address }) => address.replace("http://", ""));
  await expect(start({}, { listen: [free ?? "", taken ?? ""] })).rejects.toThrow("address already in use");
  await expect(ask(`http://${free}/-/healthy`)).rejects.toThrow("ECONNREFUSED");
});

test("a passed socket that is none is reported", async () => {
  await expect(start({}, { sockets: [999], listen: [] })).rejects.toThrow("cannot listen on the passed socket 999: ");
});

describe("rate_limit", () => {
  const slow = { rateLimit: { interval: 3600, burst: 2 } };

  async function limited(web: WebSecurity) {
    const { address, secure } = await start({}, { web });
    const statusOf = async (path: string) => (await ask(address + path)).status;
    return { address, secure, statusOf };
  }

  test("refuses requests above it with 429 and the time to wait, also those without a login and of unknown paths", async () => {
    const { address, statusOf } = await limited({ ...slow, users: { a: hashSync("x", 4) } });
    expect([await statusOf("/metrics"), await statusOf("/nothing")]).toEqual([401, 401]);
    const { status, headers, text } = await textOf(`${address}/metrics`);
    expect([status, headers["retry-after"], text]).toEqual([429, "3600", "Too many requests, try again later.\n"]);
  });

  test("leaves out what supervisors ask", async () => {
    const { statusOf } = await limited(slow);
    for (const path of ["/-/healthy", "/-/ready", "/-/healthy"]) expect(await statusOf(path)).toBe(200);
    expect([await statusOf("/"), await statusOf("/"), await statusOf("/")]).toEqual([200, 200, 429]);
    for (const path of ["/-/healthy", "/-/ready"]) expect(await statusOf(path)).toBe(200);
  });

  test("accepts no further burst after a reload with the same limit, and ends with it", async () => {
    const { secure, statusOf } = await limited(slow);
    expect([await statusOf("/"), await statusOf("/"), await statusOf("/")]).toEqual([200, 200, 429]);
    secure({ rateLimit: { interval: 3600, burst: 2 } });
    expect(await statusOf("/")).toBe(429);
    secure({ rateLimit: { interval: 3600, burst: 3 } });
    expect(await statusOf("/")).toBe(200);
    secure({});
    for (let count = 0; count < 5; count++) expect(await statusOf("/")).toBe(200);
  });
});

test("a handler that throws is answered with 500 and affects no other request", async () => {
  const { address, logged } = await start({
    metrics: () => Promise.reject(new Error("secret detail")),
    status: () => {
      throw new Error("secret detail");
    },
  });
  const paths = ["/metrics", "/", "/api/v1/status"];
  for (const path of paths)
    expect(await textOf(address + path)).toMatchObject({
      status: 500,
      text: "Internal error, see the exporter's log.\n",
    });
  const err = new Error("secret detail");
  expect(logged).toEqual(paths.map((path) => ({ level: "error", message: "request failed", data: { err, path } })));
  expect((await ask(`${address}/-/healthy`)).status).toBe(200);
});

test("a reply that cannot be sent closes only its connection", async () => {
  const { address, logged } = await start({
    metrics: () => Promise.resolve({ contentType: "bad\nheader", contentEncoding: undefined, chunks: [] }),
  });
  await expect(ask(`${address}/metrics`)).rejects.toThrow("socket hang up");
  expect(logged.map(({ message }) => message)).toEqual(["reply could not be sent"]);
  expect((await ask(`${address}/-/healthy`)).status).toBe(200);
});

test("bodies up to 64 KiB are discarded", async () => {
  const { address } = await start();
  expect((await ask(`${address}/-/reload`, { method: "POST", body: "x".repeat(65_536) })).status).toBe(200);
  const declared = await exchange(address, "POST /-/reload HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n");
  expect(declared).toMatch(/^HTTP\/1\.1 413 /);
});

test("an endless body closes the connection", async () => {
  const { opened, open } = gate();
  const { address } = await start({ reload: () => opened.then(() => ({ ok: true })) });
  const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
  const endless = `POST /-/reload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`;
  expect(await exchange(address, endless)).toBe("");
  open();
});

test("a reader without progress is disconnected long before the deadline of a reply", async () => {
  const huge = { contentType: "text/plain", contentEncoding: undefined, chunks: [Buffer.alloc(64 * 1024 * 1024)] };
  const { metrics, started } = heldScrape(Promise.resolve(huge));
  const limits = { replyMs: 60_000, stallMs: 200 };
  const url = `${(await start({ metrics }, { maxRequests: 1, limits })).address}/metrics`;
  const socket = connect(Number(new URL(url).port), "127.0.0.1").pause();
  socket.on("error", () => undefined);
  socket.write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  await started;
  expect((await ask(url)).status).toBe(503);
  await vi.waitFor(async () => expect((await ask(url)).status).toBe(200), { timeout: 5_000 });
  socket.destroy();
});

test("a slow reader with progress gets the whole reply, longer than a stalled one is waited for", async () => {
  const size = 32 * 1024 * 1024;
  const huge = { contentType: "text/plain", contentEncoding: undefined, chunks: [Buffer.alloc(size)] };
  const limits = { replyMs: 60_000, stallMs: 400 };
  const { address } = await start({ metrics: () => Promise.resolve(huge) }, { limits });
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
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
  const agent = new Agent({ keepAlive: true });
  const { headers } = await get("/metrics", {}, {}, { tls: { agent } });
  expect([headers.connection, headers["keep-alive"]]).toEqual(["keep-alive", "timeout=120"]);
  agent.destroy();
});

test("closing waits for the running scrape, then closes all connections and releases the port", async () => {
  const { opened, open } = gate();
  const exposition = { contentType: "text/plain", contentEncoding: undefined, chunks: [Buffer.from("a 1\n")] };
  const { metrics, started } = heldScrape(opened.then(() => exposition));
  const { address, close } = await start({ metrics });
  const agent = new Agent({ keepAlive: true });
  await ask(`${address}/-/healthy`, { tls: { agent } });
  const scrape = textOf(`${address}/metrics`);
  await started;
  const closed = close();
  await expect(ask(`${address}/-/healthy`)).rejects.toThrow("ECONNREFUSED");
  open();
  const { status, headers, text } = await scrape;
  expect([status, headers.connection, text]).toEqual([200, "close", "a 1\n"]);
  await closed;
  await close();
  expect((await get("/-/healthy", {}, { listen: address.replace("http://", "") })).status).toBe(200);
});

test("closing aborts a scrape that does not end", async () => {
  const { metrics, started } = heldScrape(new Promise<never>(() => undefined));
  const { address, close } = await start({ metrics }, { limits: { closeMs: 20 } });
  const cut = expect(ask(`${address}/metrics`)).rejects.toThrow("socket hang up");
  await started;
  await close();
  await cut;
});

/** A scrape with this answer, and when it has begun. */
function heldScrape(answer: Promise<EncodedExposition>) {
  const { opened: started, open } = gate();
  const metrics = () => {
    open();
    return answer;
  };
  return { metrics, started };
}
