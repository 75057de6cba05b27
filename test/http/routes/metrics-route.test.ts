import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import type { HttpDependencies, ScrapeRequest } from "../../../src/http/http-dependencies.ts";
import { readFilters } from "../../../src/http/routes/metrics-route.ts";
import { ask, gate } from "../ask.ts";
import { ABOUT } from "../fixtures.ts";
import { serving } from "../serving.ts";

const { start, get } = serving();

const plain = { contentType: "text/plain; version=0.0.4", contentEncoding: undefined, chunks: [Buffer.from("a 1\n")] };

test("the chunks are sent as one body with a Content-Length", async () => {
  const { text, headers } = await get("/metrics");
  expect(text).toBe("avax_node_up 1\navax_node_live 1\n");
  expect(headers["content-length"]).toBe("32");
  expect(headers["transfer-encoding"]).toBeUndefined();
  expect(headers["content-encoding"]).toBeUndefined();
  expect(headers["vary"]).toBe("Accept, Accept-Encoding");
});

test("compressed chunks are sent unchanged, and the accept headers and filters are passed on", async () => {
  const asked: ScrapeRequest[] = [];
  const packed = gzipSync("avax_node_up 1\n");
  const { address } = await start({
    metrics: (request) => {
      asked.push(request);
      const chunks = [packed.subarray(0, 10), packed.subarray(10)];
      return Promise.resolve({ contentType: "application/openmetrics-text", contentEncoding: "gzip", chunks });
    },
  });
  const accept = "application/openmetrics-text;version=1.0.0";
  const { body, headers } = await ask(`${address}/metrics?collect[]=health&name%5B%5D=avax_node_up`, {
    headers: { accept, "accept-encoding": "gzip" },
  });
  expect(headers["content-encoding"]).toBe("gzip");
  expect(headers["content-type"]).toBe("application/openmetrics-text");
  expect(headers["content-length"]).toBe(String(packed.length));
  expect(gunzipSync(body).toString()).toBe("avax_node_up 1\n");
  expect(asked).toEqual([{ accept, acceptEncoding: "gzip", only: new Set(["health", "avax_node_up"]) }]);
});

test.each([
  ["", undefined],
  ["collect[]=", undefined],
  ["other=health", undefined],
  ["collect[]=health", new Set(["health"])],
  [
    "collect%5B%5D=health&name[]=avax_node_up&collect[]=peers&collect[]=health",
    new Set(["health", "peers", "avax_node_up"]),
  ],
])("the query %j selects %s", (query, only) => {
  expect(readFilters(new URLSearchParams(query))).toEqual(only);
});

test.each([
  ["name[]=avax_node_upp", ['"avax_node_upp" in collect[] or name[]; near: avax_node_up']],
  ["collect[]=avax_node", ['"avax_node" in collect[] or name[]; near: avax_node_up, avax_node_live']],
  ["collect[]=health&collect[]=zzzzzz", ['"zzzzzz" in collect[] or name[]']],
  ["name[]=__proto__", ['"__proto__" in collect[] or name[]']],
  [
    "name[]=heelth&name[]=peer",
    ['"heelth" in collect[] or name[]; near: health', '"peer" in collect[] or name[]; near: peers'],
  ],
  [
    Array.from({ length: 99 }, (_, index) => `name[]=zzzz${index}`).join("&"),
    [0, 1, 2, 3, 4].map((index) => `"zzzz${index}" in collect[] or name[]`),
  ],
])("the unknown filter of %j is refused with the names like it, and nothing is rendered", async (query, lines) => {
  const metrics = vi.fn<HttpDependencies["metrics"]>(() => Promise.resolve(plain));
  const { status, text } = await get(`/metrics?${query}`, { metrics });
  expect([status, text]).toEqual([400, lines.map((line) => `Unknown topic or family ${line}\n`).join("")]);
  expect(metrics).not.toHaveBeenCalled();
});

test("the telemetry path is configurable and may replace the status page", async () => {
  const about = { ...ABOUT, telemetryPath: "/" };
  expect((await get("/", { about })).text).toBe("avax_node_up 1\navax_node_live 1\n");
  expect((await get("/metrics", { about })).status).toBe(404);
});

const from = (localAddress: string, url: string) => ask(url, { tls: { localAddress } });

test("one address takes half of the places, and a scrape from another one is served", async () => {
  const { opened, open } = gate();
  let scrapes = 0;
  const metrics = async () => {
    if (++scrapes <= 2) await opened;
    return plain;
  };
  const url = `${(await start({ metrics }, { maxRequests: 4 })).address}/metrics`;
  const first = [ask(url), ask(url)];
  await vi.waitFor(() => expect(scrapes).toBe(2));
  const third = await ask(url);
  expect([third.status, third.headers["retry-after"], third.body.toString()]).toEqual([
    503,
    "5",
    "Limit of 4 concurrent scrapes, or of half as many from one address, reached, try again later.\n",
  ]);
  expect((await from("127.0.0.2", url)).status).toBe(200);
  open();
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
  await vi.waitFor(async () => expect((await ask(url)).status).toBe(200));
});

test("a scrape whose reader is gone counts until it ends", async () => {
  const { opened, open } = gate();
  const started = gate();
  const metrics = vi.fn(async () => {
    started.open();
    await opened;
    return plain;
  });
  const url = `${(await start({ metrics }, { maxRequests: 1 })).address}/metrics`;
  const impatient = new AbortController();
  const left = ask(url, { tls: { signal: impatient.signal } });
  await started.opened;
  impatient.abort();
  await expect(left).rejects.toThrow("aborted");
  expect((await ask(url)).status).toBe(503);
  open();
  await vi.waitFor(async () => expect((await ask(url)).status).toBe(200));
});
