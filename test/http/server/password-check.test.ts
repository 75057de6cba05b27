import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { hashSync } from "bcryptjs";
import { afterEach, expect, test } from "vitest";
import { createPasswordCheck, type PasswordCheck } from "../../../src/http/server/password-check.ts";
import type { WorkerCode } from "../../../src/http/server/worker.ts";
import { startServer } from "../../../src/http/server/server.ts";
import { ask } from "../ask.ts";
import { dependencies } from "../fixtures.ts";

let check: PasswordCheck | undefined;
afterEach(() => check?.close());

/** A thread that runs `body` for each message, with `id`, `password` and `n`, the number of the message. */
function threadOf(body: string): WorkerCode {
  const code = `const { parentPort } = require("node:worker_threads");
    let n = 0;
    parentPort.on("message", ({ id, password }) => { n++; ${body} });`;
  return { code, eval: true };
}

/** The threads that are started during the test. */
function threads(): readonly Worker[] {
  const started: Worker[] = [];
  process.on("worker", (worker) => started.push(worker));
  return started;
}
afterEach(() => void process.removeAllListeners("worker"));

test("bcrypt hashes of every version are accepted", async () => {
  check = createPasswordCheck();
  const hash = hashSync("pässword:1", 4);
  const y = hash.replace("$2b$", "$2y$");
  expect(await check.compare("pässword:1", hash)).toBe(true);
  expect(await check.compare("pässword:1", y)).toBe(true);
  expect(await check.compare("password:1", hash)).toBe(false);
});

test("bcrypt does not run on the event loop", async () => {
  check = createPasswordCheck();
  const hash = hashSync("right", 4);
  await check.compare("right", hash);
  const expensive = hashSync("right", 11);
  const all = process.cpuUsage();
  const here = process.threadCpuUsage();
  expect(await check.compare("wrong", expensive)).toBe(false);
  const { user: mine } = process.threadCpuUsage(here);
  const { user: whole } = process.cpuUsage(all);
  expect(mine).toBeLessThan(whole / 4);
});

test("an invalid hash fails only its own comparison", async () => {
  check = createPasswordCheck();
  const hash = hashSync("right", 4);
  const broken = `$9z$${hash.slice(4)}`;
  const [first, second] = await Promise.allSettled([check.compare("right", broken), check.compare("right", hash)]);
  expect(first).toEqual({ status: "rejected", reason: new Error("Invalid salt version: $9") });
  expect(second).toEqual({ status: "fulfilled", value: true });
});

test("a crashed thread fails pending comparisons; the next comparison starts a new thread", async () => {
  check = createPasswordCheck({
    code: () =>
      threadOf(`if (password === "bad") throw new Error("boom"); parentPort.postMessage({ id, matches: n === 1 });`),
  });
  const failed = await Promise.allSettled([check.compare("bad", ""), check.compare("bad", "")]);
  expect(failed.map((each) => (each.status === "rejected" ? (each.reason as Error).message : "answered"))).toEqual([
    "the thread that checks passwords failed",
    "the thread that checks passwords failed",
  ]);
  expect(await check.compare("good", "")).toBe(true);
  expect(await check.compare("good", "")).toBe(false);
});

test("an idle thread is ended", async () => {
  check = createPasswordCheck({
    code: () => threadOf("parentPort.postMessage({ id, matches: n === 1 });"),
    idleMs: 1,
  });
  const started = threads();
  expect(await check.compare("any", "")).toBe(true);
  const [first] = started;
  if (first !== undefined && first.threadId > 0) await once(first, "exit");
  expect(await check.compare("any", "")).toBe(true);
  expect(started).toHaveLength(2);
});

test("closing ends the thread and rejects pending comparisons", async () => {
  check = createPasswordCheck({ code: () => threadOf("") });
  const waiting = check.compare("any", "");
  const refused = expect(waiting).rejects.toThrow("the thread that checks passwords has ended");
  await check.close();
  await refused;
});

test("a server has a thread from the first unknown credentials until it closes", async () => {
  const started = threads();
  const users = { prometheus: hashSync("right", 4) };
  const running = await startServer({ listen: "127.0.0.1:0", web: { users } }, dependencies().deps);
  const status = async (credentials: string) => {
    const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
    return (await ask(`${running.address}/metrics`, { headers: { authorization } })).status;
  };
  try {
    expect((await ask(`${running.address}/metrics`)).status).toBe(401);
    expect(started).toHaveLength(0);
    expect(await status("prometheus:right")).toBe(200);
    expect(await status("prometheus:wrong")).toBe(401);
    expect(await status("prometheus:right")).toBe(200);
    // A reload keeps the thread.
    running.secure({ users });
    expect(await status("prometheus:right")).toBe(200);
    expect(started).toHaveLength(1);
  } finally {
    await running.close();
  }
  expect(started[0]?.threadId).toBe(-1);
});
