import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { describe, expect, test, vi } from "vitest";
import type { HttpDependencies } from "../../../src/http/http-dependencies.ts";
import { crossSiteRefusal, ownAddresses } from "../../../src/http/server/cross-site-refusal.ts";
import { ask } from "../ask.ts";
import { serving } from "../serving.ts";

const OWN = ownAddresses({
  listenHosts: ["mon.example.net"],
  hostname: "Box.Example.NET",
  externalUrl: "https://avax.example.org/exporter",
});
const MOZILLA = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
/** What every browser sends on plain HTTP, where it sends no `Sec-Fetch-Site`. */
const BROWSER = { "user-agent": MOZILLA, "accept-language": "en" };
const REBOUND = "rebound.example.com:9750";

const refused = (headers: IncomingHttpHeaders, scheme: "http" | "https" = "http", own = OWN) =>
  crossSiteRefusal(headers, scheme, own);

test.each([
  ["Prometheus", { host: "avax.monitoring.svc.cluster.local:9750", "user-agent": "Prometheus/3.5.0" }],
  ["curl", { host: "exporter.example.com:9750", "user-agent": "curl/8.5.0", accept: "*/*" }],
  ["kubelet", { host: "10.1.2.3:9750", "user-agent": "kube-probe/1.33" }],
  ["a program without Host (HTTP 1.0)", {}],
] as const)("a request of a program passes at any address: %s", (_, headers) => {
  expect(refused(headers)).toBeUndefined();
});

test.each([
  "10.0.0.5:9750",
  "[fd00::5]:9750",
  "localhost:9750",
  "localhost.:9750",
  "exporter.localhost",
  "avax-exporter:9750",
  "mon.example.net:9750",
  "BOX.example.net:9750",
  "avax.example.org",
])("a browser passes at an address of the exporter: %s", (host) => {
  expect(refused({ ...BROWSER, host })).toBeUndefined();
  expect(refused({ ...BROWSER, host, origin: `http://${host}`, referer: `http://${host}/` })).toBeUndefined();
  expect(refused({ ...BROWSER, host, "sec-fetch-site": "none" })).toBeUndefined();
  expect(refused({ ...BROWSER, host, "sec-fetch-site": "same-origin" })).toBeUndefined();
});

describe("a page of another site is refused", () => {
  test.each([
    ["Sec-Fetch-Site", { "sec-fetch-site": "cross-site" }],
    ["Sec-Fetch-Site", { "sec-fetch-site": "same-site" }],
    ["Sec-Fetch-Site", { "sec-fetch-site": "same-origin, cross-site" }],
    ["Origin", { origin: "http://evil.example" }],
    ["Origin", { origin: "null" }],
    ["Origin", { origin: "" }],
    ["Origin", { origin: "http://localhost:3000" }],
    ["Origin", { origin: "https://localhost:9750" }],
    ["Origin", { origin: "http://localhost:9750.evil.example" }],
    ["Referer", { referer: "http://evil.example/page" }],
  ] as const)("by %s: %j", (header, sent) => {
    const why = refused({ ...BROWSER, host: "localhost:9750", ...sent });
    expect(why).toContain(`Refused: a page of another site made this browser send the request (${header}: `);
    expect(why).toContain("set --web.external-url");
  });

  test("also without any other header of a browser", () => {
    expect(refused({ host: "localhost:9750", origin: "http://evil.example" })).toContain("(Origin: ");
  });

  test("with a long origin, of which the sentence has the beginning", () => {
    const why = refused({ host: "localhost:9750", origin: `http://${"a".repeat(5_000)}.example` });
    expect(why?.length).toBeLessThan(400);
  });
});

test("the scheme of the exporter belongs to its origin, with the default port and without", () => {
  expect(refused({ host: "10.0.0.5", origin: "https://10.0.0.5" }, "https")).toBeUndefined();
  expect(refused({ host: "10.0.0.5:443", origin: "https://10.0.0.5" }, "https")).toBeUndefined();
  expect(refused({ host: "10.0.0.5", origin: "http://10.0.0.5" }, "https")).toContain("(Origin: ");
  expect(refused({ host: "10.0.0.5", origin: "https://10.0.0.5" }, "http")).toContain("(Origin: ");
});

describe("behind a proxy, the address of --web.external-url is the exporter's own", () => {
  const sent = { ...BROWSER, host: "upstream.internal.example:9750", origin: "https://avax.example.org" };
  test("whatever Host the proxy sends", () => {
    expect(refused(sent)).toBeUndefined();
    expect(refused({ ...sent, origin: undefined, referer: "https://avax.example.org/exporter/" })).toBeUndefined();
  });
  test("and nothing is known without it", () => {
    const none = ownAddresses({ listenHosts: [undefined], hostname: undefined, externalUrl: undefined });
    expect(refused(sent, "http", none)).toContain("(Origin: ");
  });
});

describe("a page whose name was pointed at the exporter is refused by Host", () => {
  test.each([
    ["a script or a form", { ...BROWSER, origin: `http://${REBOUND}` }],
    ["a GET, which has no Origin", BROWSER],
    ["a page that hides the browser's name", { "user-agent": "curl/8.5.0", "accept-language": "" }],
    ["a browser that sends Sec-Fetch-Site", { "sec-fetch-site": "same-origin" }],
    ["a navigation", { "upgrade-insecure-requests": "1" }],
    ["an old browser", { "user-agent": MOZILLA }],
  ] as const)("%s", (_, headers) => {
    const why = refused({ ...headers, host: REBOUND });
    expect(why).toContain(
      `Refused: a browser sent the request to "${REBOUND}", which is not an address of the exporter`,
    );
    expect(why).toContain("Set --web.external-url");
  });

  test.each([[undefined], [""], ["a b"], ["localhost.example.com"], ["10.0.0.5.example.com"]])(
    "the Host %j",
    (host) => {
      expect(refused({ ...BROWSER, host })).toContain("which is not an address of the exporter");
    },
  );
});

describe("the server", () => {
  const { start } = serving();
  const CROSS = { origin: "http://evil.example" };

  test.each([
    ["POST", "/-/reload"],
    ["PUT", "/-/reload"],
    ["GET", "/probe?target=a"],
    ["HEAD", "/probe?target=a"],
  ] as const)("refuses %s %s of another site, and calls nothing", async (method, path) => {
    const reload = vi.fn<HttpDependencies["reload"]>(() => Promise.resolve({ ok: true }));
    const probe = vi.fn<HttpDependencies["probe"]>(() => Promise.resolve({ refused: "module", why: "asked" }));
    const { address } = await start({ reload, probe });
    const statusOf = async (headers: OutgoingHttpHeaders) => (await ask(address + path, { method, headers })).status;
    for (const headers of [CROSS, { ...BROWSER, host: REBOUND }]) expect(await statusOf(headers)).toBe(403);
    expect([reload, probe].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    // A page of its own, and a program.
    const own = { origin: address, ...BROWSER };
    for (const headers of [own, {}, { host: REBOUND }]) expect([200, 400]).toContain(await statusOf(headers));
    expect(reload.mock.calls.length + probe.mock.calls.length).toBe(3);
  });

  test("knows the machine's name and the external address", async () => {
    const options = { hostname: "box.example.net", externalUrl: "https://avax.example.org" };
    const url = `${(await start({}, options)).address}/-/reload`;
    const post = async (headers: Record<string, string>) => (await ask(url, { method: "POST", headers })).status;
    expect(await post({ ...BROWSER, host: "box.example.net" })).toBe(200);
    expect(await post({ ...BROWSER, origin: "https://avax.example.org" })).toBe(200);
    expect(await post({ ...BROWSER, host: "other.example.net" })).toBe(403);
  });

  test("answers pages and metrics that change nothing, for any browser", async () => {
    const { address } = await start();
    for (const path of ["/", "/metrics", "/sd", "/api/v1/status", "/config"])
      expect((await ask(address + path, { headers: { ...BROWSER, ...CROSS } })).status).toBe(200);
  });

  test("counts a second Origin as another site", async () => {
    const { address } = await start();
    const { host, port } = new URL(address);
    const socket = connect(Number(port), "127.0.0.1");
    socket.end(
      `POST /-/reload HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${address}\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n`,
    );
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 403 /);
  });
});
