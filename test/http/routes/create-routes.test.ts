import { afterAll, beforeAll, expect, test } from "vitest";
import { DETAILED } from "../../../src/http/routes/status-route.ts";
import { STATUS_PAGE } from "../../../src/http/pages/page-files.ts";
import { NO_HISTORY } from "../../../src/diagnosis/history/observe.ts";
import { ask } from "../ask.ts";
import { consequence, diagnosis, endpoint, NOW, problem, status, target } from "../fixtures.ts";
import { serving, textOf } from "../serving.ts";

const { start } = serving(afterAll);
let ready = { ready: true, why: "Every node has been asked" };
let found = diagnosis([]);
let reloads: Array<{ ok: true } | { ok: false; message: string }> = [];
let running: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  running = await start({
    ready: () => ready,
    reload: () => Promise.resolve(reloads.shift() ?? { ok: true }),
    status: () => status([target({ endpoints: [endpoint({ lastSuccess: undefined })] })]),
    unknown: () => [{ kind: "field", name: "info.peers peers.new", nodes: ["validator-1"] }],
    diagnosis: () => Promise.resolve(found),
  });
});
const get = (path: string, method = "GET") => textOf(running.address + path, { method });

const GET_PATHS = [
  ["/", "text/html; charset=utf-8"],
  ["/metrics", "text/plain; version=0.0.4; charset=utf-8"],
  ["/api/v1/status", "application/json"],
  ["/api/v1/findings", "application/json"],
  ["/api/v1/unknown", "application/json"],
  ["/config", "text/plain; charset=utf-8"],
  ["/runbooks", "text/html; charset=utf-8"],
  ["/runbooks/", "text/html; charset=utf-8"],
  ["/runbooks/AvaxNodeDown", "text/html; charset=utf-8"],
  ["/sd", "application/json"],
  ["/-/healthy", "text/plain; charset=utf-8"],
  ["/-/ready", "text/plain; charset=utf-8"],
] as const;

test.each(GET_PATHS)("GET %s returns %s, HEAD the same headers without a body", async (path, type) => {
  const got = await ask(running.address + path);
  const head = await ask(running.address + path, { method: "HEAD" });
  expect([got.status, got.headers["content-type"]]).toEqual([200, type]);
  expect(got.headers["content-length"]).toBe(String(got.body.length));
  expect(got.headers["x-content-type-options"]).toBe("nosniff");
  expect(got.headers["cache-control"]).toBe("no-store");
  expect(head.body).toHaveLength(0);
  expect({ ...head.headers, date: "" }).toEqual({ ...got.headers, date: "" });
});

test.each(GET_PATHS)("%s allows only GET and HEAD", async (path) => {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const { status, headers } = await get(path, method);
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
  }
});

test("the page has a content security policy", async () => {
  const { headers, text } = await get("/?anything=1");
  expect(headers["content-security-policy"]).toBe(STATUS_PAGE.policy);
  expect(text).toContain('<h1 class="good">No problems; 1 of 1 node up</h1>');
});

const jsonAt = async (path: string): Promise<unknown> => JSON.parse((await get(path)).text);

test("status and findings are JSON without unknown values", async () => {
  const shown = await jsonAt("/api/v1/status");
  expect(shown).toMatchObject({ now: NOW, targets: [{ name: "validator-1", endpoints: [{ id: "health" }] }] });
  expect(shown).not.toHaveProperty("targets.0.endpoints.0.lastSuccess");
  found = diagnosis([problem({}, [consequence()])]);
  expect(await jsonAt("/api/v1/findings")).toEqual(JSON.parse(JSON.stringify(found)));
});

test("of a large fleet the status has the endpoints of the first nodes, and of one that is named", async () => {
  const targets = Array.from({ length: DETAILED + 3 }, (_, index) =>
    target({ name: `n${index}`, endpoints: [endpoint()] }),
  );
  const { address } = await start({ status: () => status(targets) });
  type Shown = {
    readonly withoutEndpoints?: number;
    readonly targets: ReadonlyArray<{ readonly endpoints?: object[] }>;
  };
  const shownAt = async (path: string) => JSON.parse((await textOf(address + path)).text) as Shown;
  const { targets: all, withoutEndpoints } = await shownAt("/api/v1/status");
  expect([all.length, withoutEndpoints]).toEqual([DETAILED + 3, 3]);
  expect(all.map(({ endpoints }) => endpoints?.length ?? 0)).toEqual(targets.map((_, at) => (at < DETAILED ? 1 : 0)));
  const one = await shownAt(`/api/v1/status?node=n${DETAILED + 1}`);
  expect(one).toMatchObject({ targets: [{ name: `n${DETAILED + 1}`, endpoints: [{ id: "health" }] }] });
  expect(one.targets).toHaveLength(1);
});

test("pages that are requested together, as at each new diagnosis, are rendered once", async () => {
  let [rendered, at] = [0, NOW];
  const one = diagnosis([]);
  const { address } = await start({
    status: () => (rendered++, status([target()])),
    history: () => ({ history: NO_HISTORY, now: at }),
    diagnosis: () => Promise.resolve(one),
  });
  const pages = await Promise.all(Array.from({ length: 20 }, () => textOf(`${address}/`)));
  expect([rendered, new Set(pages.map(({ text }) => text)).size]).toEqual([1, 1]);
  await textOf(`${address}/?q=other`);
  at += 1;
  await textOf(`${address}/`);
  expect(rendered).toBe(3);
});

test("what is new to this release is JSON", async () => {
  expect(await jsonAt("/api/v1/unknown")).toEqual({
    exporter: "1.2.3",
    names: [{ kind: "field", name: "info.peers peers.new", nodes: ["validator-1"] }],
  });
});

test("the configuration and the health are plain text", async () => {
  expect((await get("/config")).text).toBe("nodes: []\n");
  expect((await get("/-/healthy")).text).toBe("OK\n");
});

test("readiness has a reason in both cases", async () => {
  expect(await get("/-/ready")).toMatchObject({ status: 200, text: "Every node has been asked\n" });
  ready = { ready: false, why: "3 of 4 nodes have not been asked yet" };
  expect(await get("/-/ready")).toMatchObject({ status: 503, text: "3 of 4 nodes have not been asked yet\n" });
  expect((await get("/-/healthy")).status).toBe(200);
});

test("a reload needs POST or PUT", async () => {
  reloads = [];
  for (const method of ["POST", "PUT"]) {
    const { status, body } = await ask(`${running.address}/-/reload`, { method, body: "ignored" });
    expect([status, body.toString()]).toEqual([200, "Configuration reloaded.\n"]);
  }
  for (const method of ["GET", "HEAD", "DELETE"]) {
    const { status, headers } = await get("/-/reload", method);
    expect([status, headers.allow]).toEqual([405, "POST, PUT"]);
  }
});

test("a failed reload is reported; whoever reloads logs it", async () => {
  reloads = [{ ok: false, message: "mine.yaml:3:5: unknown key nodez" }];
  expect(await get("/-/reload", "POST")).toMatchObject({
    status: 500,
    text: "Reload failed, the old configuration stays in use: mine.yaml:3:5: unknown key nodez\n",
  });
  expect(running.logged).toEqual([]);
});

test.each(["/nothing", "/metrics/", "//", "/../etc/passwd", "/%2e%2e/config", "/-/"])(
  "%s is not found",
  async (path) => {
    const url = new URL(running.address);
    const { status, body } = await ask(running.address, { tls: { host: url.hostname, port: url.port, path } });
    expect(status).toBe(404);
    expect(body.toString()).toContain("Not found. Available paths: / /api/v1/status ");
  },
);

test("a request target in absolute form is accepted", async () => {
  const { status, body } = await ask(running.address, { tls: { path: "http://elsewhere.example/-/healthy?x=1" } });
  expect([status, body.toString()]).toEqual([200, "OK\n"]);
});
