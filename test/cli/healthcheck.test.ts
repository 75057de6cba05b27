import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { execute } from "../../src/cli/execute.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { writtenSystem } from "../support/written-system.ts";

const afterThisTest = createCleanup();
afterEach(afterThisTest.run);

/** A server that answers each request with this status, and the paths that it was asked for. */
async function answering(status: number) {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    response.writeHead(status, { location: "/elsewhere" }).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = async () => {
    server.closeAllConnections();
    if (!server.listening) return;
    server.close();
    await once(server, "close");
  };
  afterThisTest.add(close);
  return { port: (server.address() as AddressInfo).port, asked, close };
}

async function healthcheck(...args: readonly string[]) {
  const { system, written } = writtenSystem();
  return { code: await execute(["healthcheck", ...args], system), ...written };
}

test.for([
  ["200: healthy", 200, 0],
  ["401: alive behind a login", 401, 0],
  ["404: another program", 404, 1],
  ["302: another program", 302, 1],
  ["500: failing", 500, 1],
] as const)("%s", async ([, status, code]) => {
  const { port, asked } = await answering(status);
  const address = `http://127.0.0.1:${port}`;
  const found = await healthcheck(`${address}/`);
  const fault = `avax-exporter healthcheck: "${address}/-/healthy" answered with the status ${status}\n`;
  expect(found).toEqual({ code, out: "", err: code === 0 ? "" : fault });
  expect(asked).toEqual(["/-/healthy"]);
});

test("where nothing listens it fails with the cause", async () => {
  const { port, close } = await answering(200);
  await close();
  expect(await healthcheck(`http://127.0.0.1:${port}`)).toEqual({
    code: 1,
    out: "",
    err: `avax-exporter healthcheck: "http://127.0.0.1:${port}/-/healthy" did not answer: connection refused (ECONNREFUSED)\n`,
  });
});

test.for([["http://a", "http://b"], ["a:9750"], ["ftp://a"], ["http://user:password@a"], ["http://a?b=c"]])(
  "%j is refused and not repeated",
  async (args) => {
    const { code, err } = await healthcheck(...args);
    expect([code, err]).toEqual([
      2,
      "avax-exporter healthcheck: expected one URL without credentials, such as http://127.0.0.1:9750\n",
    ]);
  },
);
