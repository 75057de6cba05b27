import { writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { hashSync } from "bcryptjs";
import { createCleanup } from "../support/create-cleanup.ts";
import { ask } from "../http/ask.ts";
import { residentBytes } from "../../bench/measure.ts";
import { startChild, written } from "../e2e/support/child.ts";
import { PROGRAM, startDaemon, writeConfig, type RunningDaemon } from "../e2e/support/daemon.ts";
import { loadRecording } from "../e2e/support/recording.ts";
import { startRecordingServer } from "../e2e/support/recording-server.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { INBOUND, type InboundId } from "./rows/inbound.ts";

/** What clients of the exporter can do to it, by rows of `INBOUND`: FAULTS_ROWS=idle,body runs some of them. */

const wanted = process.env["FAULTS_ROWS"]?.split(",");
/** Enough for an answer of 0.9 MB. */
const NODES = 30;

const cleanup = createCleanup();
const MB = 1e6;
let daemon: RunningDaemon;
let config = "";
let before = 0;
const open = new Set<Socket>();

beforeAll(async () => {
  const recording = loadRecording("local-healthy-validator");
  const servers = await many(NODES, () => startRecordingServer(recording));
  for (const { close } of servers) cleanup.add(close);
  const folder = await temporaryFolder();
  cleanup.add(folder.remove);
  const nodes = servers.map(({ url }, index) => ({ name: `n${index}`, url }));
  config = await writeConfig(folder.path, { nodes, endpoints: { health: { every: "2s", timeout: "2s" } } });
  daemon = await startDaemon([`--config.file=${config}`]);
  cleanup.add(daemon.child.stop);
  await vi.waitUntil(() => daemon.isReady(), { timeout: 30_000 });
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await cleanup.run();
});
beforeEach(async () => {
  for (const socket of open) socket.destroy();
  open.clear();
  await after(300);
  before = await own("process_resident_memory_bytes");
});

async function own(name: string): Promise<number> {
  const text = await (await daemon.get("/metrics")).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? NaN);
}

/** A connection with everything that it received. */
async function dial(bytes = "", address = daemon.address, localAddress?: string) {
  const { hostname: host, port } = new URL(address);
  const socket = connect({ port: Number(port), host, ...(localAddress === undefined ? {} : { localAddress }) });
  open.add(socket);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text = (text + chunk.toString("latin1")).slice(0, 20_000)));
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await Promise.race([new Promise<void>((resolve) => socket.once("connect", () => resolve())), closed]);
  if (bytes !== "") socket.write(bytes);
  return { socket, text: () => text, closed };
}

const many = <A>(count: number, make: (index: number) => Promise<A>): Promise<A[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);

/** The statuses of an answer to bytes, when the connection has ended or nothing more comes. */
async function answerTo(bytes: string, within = 3_000): Promise<number> {
  const { text, closed } = await dial(bytes);
  for (let waited = 0; waited < within && statusOf(text()) === 0; waited += 50)
    if ((await Promise.race([closed, after(50, "open")])) !== "open") break;
  return statusOf(text());
}

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

/** Scrapes until the process has the memory that it has in normal use, which a fresh one has not. */
async function warmUp(): Promise<void> {
  for (let i = 0; i < 60; i++) await statusOfScrape();
}

async function statusOfScrape(): Promise<number> {
  const response = await daemon.get("/metrics");
  await response.arrayBuffer();
  return response.status;
}

/** The node is polled on time, a scrape is answered, and the memory is bounded. */
async function stillServes(most = 80 * MB): Promise<void> {
  const started = performance.now();
  const metrics = await daemon.metrics();
  expect(performance.now() - started).toBeLessThan(3_000);
  const overdue = [...metrics.values()].find(({ name }) => name === "avax_node_overdue_seconds");
  expect(overdue?.value).toBeLessThan(3);
  expect((metrics.get("process_resident_memory_bytes{}")?.value ?? Infinity) - before).toBeLessThan(most);
  expect(daemon.child.stderr()).not.toContain('"level":"error"');
}

const TESTS: Readonly<Record<InboundId, () => Promise<void>>> = {
  async scrapers() {
    for (let wave = 0; wave < 5; wave++) {
      const replies = await many(200, async () => {
        // `fetch` would keep two hundred connections, which count for the other tests.
        const { text, closed } = await dial(get("/metrics", "Connection: close\r\n"));
        await closed;
        return statusOf(text());
      });
      expect(replies.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
      expect(replies.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    }
    // The first waves take 180 to 250 MB, of which the engine and the C library keep most; further ones take no more.
    before = residentBytes(daemon.child.pid);
    expect(before).toBeLessThan(500 * MB);
    await stillServes();
  },
  async idle() {
    const dialled = await many(2_000, () => dial());
    await after(1_000);
    const left = dialled.filter(({ socket }) => !socket.destroyed && socket.readyState === "open");
    expect(left.length).toBeLessThanOrEqual(1_000);
    const [first] = left;
    first?.socket.write(get("/-/healthy"));
    await expect.poll(() => statusOf(first?.text() ?? "")).toBe(200);
    for (const { socket } of dialled) socket.destroy();
    await after(500);
    await stillServes();
  },
  async descriptors() {
    const own = [process.execPath, PROGRAM, "--storage.path=", "--web.listen-address=127.0.0.1:0"];
    const limited = ["-c", 'ulimit -n 100; exec "$@"', "sh", ...own];
    const child = startChild("sh", [...limited, "--log.format=json", `--config.file=${config}`], {});
    const [, address = ""] = await written(child, /"address":"(http:[^"]+)"/);
    const dialled = await many(200, () => dial("", address));
    await after(8_000);
    expect(dialled.filter(({ socket }) => !socket.destroyed).length).toBeLessThanOrEqual(25);
    for (const { socket } of dialled) socket.destroy();
    await after(1_000);
    const text = await (await fetch(`${address}/metrics`)).text();
    expect(text.match(/^avax_node_up\{.*\} 1$/gm)).toHaveLength(NODES);
    expect(text.match(/^avax_poll_failures_total\{.*\} [1-9]/gm)).toBeNull();
    await child.stop();
  },
  async "slow-headers"() {
    const dialled = await many(200, () => dial("GET /metrics HTTP/1.1\r\nHost: x\r\nX-Slow: "));
    const drip = setInterval(() => {
      for (const { socket } of dialled) if (!socket.destroyed) socket.write("a");
    }, 1_000);
    await stillServes();
    await Promise.race([Promise.all(dialled.map(({ closed }) => closed)), after(25_000)]);
    clearInterval(drip);
    expect(dialled.filter(({ socket }) => !socket.destroyed)).toEqual([]);
    expect(new Set(dialled.map(({ text }) => statusOf(text())))).toEqual(new Set([408]));
    await stillServes();
  },
  async "slow-readers"() {
    await warmUp();
    const began = residentBytes(daemon.child.pid);
    const dialled = await many(200, () => dial());
    for (const { socket } of dialled) socket.pause();
    // The system takes some megabytes of each connection, and the replies beyond that are in the exporter.
    for (let round = 0; round < 20 && (await statusOfScrape()) === 200; round++) {
      for (const { socket } of dialled) socket.write(get("/metrics").repeat(20));
      await after(500);
    }
    expect((await daemon.get("/-/healthy")).status).toBe(200);
    const refused = await daemon.get("/metrics");
    await refused.text();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    // The clients keep asking while a scraper at another address comes as often as usual.
    for (let scrape = 0; scrape < 5; scrape++) {
      for (const { socket } of dialled) if (!socket.destroyed) socket.write(get("/metrics").repeat(20));
      expect((await ask(`${daemon.address}/metrics`, { tls: { localAddress: "127.0.0.2" } })).status).toBe(200);
      await after(500);
    }
    expect(residentBytes(daemon.child.pid) - began).toBeLessThan(150 * MB);
    for (const { socket } of dialled) socket.destroy();
    await expect.poll(statusOfScrape, { timeout: 5_000 }).toBe(200);
    await stillServes(150 * MB);
  },
  async "other-sites"() {
    const reloads = await own("avax_exporter_config_last_reload_success_timestamp_seconds");
    const evil = "Origin: http://evil.example\r\n";
    const rebound = "User-Agent: Mozilla/5.0\r\n";
    const asks = [
      `POST /-/reload HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n${evil}\r\n`,
      `POST /-/reload HTTP/1.1\r\nHost: rebound.example\r\nContent-Length: 0\r\n${rebound}\r\n`,
      `GET /probe?target=n0 HTTP/1.1\r\nHost: 127.0.0.1\r\n${evil}\r\n`,
      `GET /probe?target=n0 HTTP/1.1\r\nHost: rebound.example\r\n${rebound}\r\n`,
    ];
    for (const ask of asks) {
      const { text, socket } = await dial(ask.repeat(250));
      await expect.poll(() => text().split("HTTP/1.1 403").length - 1, { timeout: 10_000 }).toBeGreaterThan(20);
      expect(text()).not.toMatch(/HTTP\/1\.1 (?!403)/);
      socket.destroy();
    }
    expect(await own("avax_exporter_config_last_reload_success_timestamp_seconds")).toBe(reloads);
    expect(await (await daemon.get("/metrics")).text()).not.toMatch(/^avax_exporter_probes_total\{.*\} [1-9]/m);
    await stillServes();
  },
  async guesses() {
    const users = ["a", "b", "c", "d"].map((user) => [user, hashSync(user, 10)]);
    const file = `${config}.web.json`;
    await writeFile(file, JSON.stringify({ basic_auth_users: Object.fromEntries(users) as object }));
    const limited = await startDaemon([`--config.file=${config}`, `--web.config.file=${file}`]);
    const scraped = async (user: string): Promise<number> => {
      const headers = { authorization: `Basic ${Buffer.from(`${user}:${user}`).toString("base64")}` };
      const began = performance.now();
      const { status } = await ask(`${limited.address}/metrics`, { headers, tls: { localAddress: "127.0.0.2" } });
      expect(status).toBe(200);
      return performance.now() - began;
    };
    for (const [during, afterwards, addresses, each] of [
      ["a", "b", 1, 500],
      ["c", "d", 6, 150],
    ] as const) {
      const dialled = await many(addresses * each, async (index) => {
        const secret = Buffer.from(`a:guess-${index}`).toString("base64");
        const bytes = get("/metrics", `Authorization: Basic ${secret}\r\n`);
        const { socket } = await dial(bytes, limited.address, `127.0.1.${1 + (index % addresses)}`);
        socket.on("data", () => void socket.write(bytes));
        return socket;
      });
      await after(5_000);
      expect(await scraped(during)).toBeLessThan(2_000);
      for (const socket of dialled) socket.destroy();
      expect(await scraped(afterwards)).toBeLessThan(2_000);
    }
    await limited.child.stop();
    await stillServes();
  },
  async headers() {
    expect(await answerTo(get("/", `X-Long: ${"x".repeat(1_000_000)}\r\n`))).toBe(431);
    expect([200, 431]).toContain(await answerTo(get("/-/healthy", "X-A: b\r\n".repeat(5_000))));
    await stillServes();
  },
  async url() {
    expect([414, 431]).toContain(await answerTo(get(`/${"a".repeat(1_000_000)}`)));
    expect(await answerTo(get(`/metrics?${"name[]=a&".repeat(1_000)}`))).toBe(400);
    await stillServes();
  },
  async listeners() {
    const dialled = await many(900, () => dial(get("/api/v1/events")));
    const answered = () => dialled.map(({ text }) => statusOf(text()));
    await vi.waitUntil(() => answered().every((status) => status !== 0), { timeout: 20_000 });
    const statuses = answered();
    expect(statuses.filter((status) => status === 200).length).toBe(50);
    expect(statuses.filter((status) => status === 503).length).toBe(850);
    await stillServes();
  },
  async pipelining() {
    const { text, socket } = await dial(get("/-/healthy").repeat(200));
    await expect.poll(() => text().split("HTTP/1.1 200").length - 1).toBeGreaterThan(60);
    socket.destroy();
    await stillServes();
  },
  async methods() {
    expect(await answerTo("DELETE /metrics HTTP/1.1\r\nHost: x\r\n\r\n")).toBe(405);
    expect(await answerTo("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")).toBe(405);
    expect(await answerTo("GET /-/reload HTTP/1.1\r\nHost: x\r\n\r\n")).toBe(405);
    expect(await answerTo("BREW / HTTP/1.1\r\nHost: x\r\n\r\n")).toBe(400);
    expect([0, 400, 404, 405]).toContain(await answerTo("CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n"));
    expect([404, 405]).toContain(await answerTo("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"));
    await stillServes();
  },
  async body() {
    const big = "x".repeat(1_000_000);
    expect(await answerTo(`POST /-/ready HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n${big}`)).toBe(413);
    const chunks = `F4240\r\n${big}\r\n`.repeat(10);
    const chunked = await answerTo(`POST /-/ready HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`);
    expect([0, 405, 413]).toContain(chunked);
    await stillServes();
  },
  async garbage() {
    for (const bytes of [
      "\u0000\u0001\u0002\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "\u0016\u0003\u0001\u0002\u0000",
      "GET /\r\n\r\n",
    ])
      // "GET /" without a version is HTTP 0.9, which Node.js answers.
      expect([0, 200, 400, 505]).toContain(await answerTo(bytes, 1_000));
    await stillServes();
  },
  async paths() {
    const odd =
      "/../../etc/passwd /%00 /__proto__ /constructor //metrics /%2e%2e/ /metrics/.. /%ff /?q=% http://x/metrics";
    for (const path of odd.split(" ")) expect([200, 400, 404], path).toContain(await answerTo(get(path)));
    const queries = "/metrics?name[]=__proto__ /probe?target=__proto__&module=constructor /sd?module=__proto__";
    for (const query of queries.split(" ")) expect([200, 400, 403], query).toContain(await answerTo(get(query)));
    await stillServes();
  },
};

for (const { id, client } of INBOUND)
  it.runIf(wanted?.includes(id) ?? true)(`${id}: ${client}`, { timeout: 90_000 }, () => TESTS[id]());
