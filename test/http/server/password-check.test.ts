import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { hashSync } from "bcryptjs";
import { afterEach, expect, test } from "vitest";
import { createPasswordCheck, type PasswordCheck } from "../../../src/http/server/password-check.ts";
import type { WorkerCode } from "../../../src/runtime/worker.ts";
import { startServer } from "../../../src/http/server/server.ts";
import { ask } from "../ask.ts";
import { dependencies } from "../fixtures.ts";

let check: PasswordCheck | undefined;
afterEach(() => check?.close());

/** A thread that answers with what `body` makes of `id`, `password` and the number of the question. */
function threadOf(body: string): WorkerCode {
  const code = `const { parentPort } = require("node:worker_threads");
    let n = 0;
    parentPort.on("message", ({ id, password }) => { n++; ${body} });`;
  return { code, eval: true };
}

/** Every thread that is started while the test runs. */
function threads(): readonly Worker[] {
  const started: Worker[] = [];
  process.on("worker", (worker) => started.push(worker));
  return started;
}
afterEach(() => void process.removeAllListeners("worker"));

test("compares with bcrypt hashes of every spelling", async () => {
  check = createPasswordCheck();
  const hash = hashSync("pässword:1", 4);
  const y = hash.replace("$2b$", "$2y$");
  expect(await check.compare("pässword:1", hash)).toBe(true);
  expect(await check.compare("pässword:1", y)).toBe(true);
  expect(await check.compare("password:1", hash)).toBe(false);
});

test("the work is not the event loop's", async () => {
  check = createPasswordCheck();
  const hash = hashSync("right", 4);
  await check.compare("right", hash);
  const dear = hashSync("right", 11);
  const all = process.cpuUsage();
  const here = process.threadCpuUsage();
  expect(await check.compare("wrong", dear)).toBe(false);
  const { user: mine } = process.threadCpuUsage(here);
  const { user: whole } = process.cpuUsage(all);
  expect(mine).toBeLessThan(whole / 4);
});

test("a hash that bcrypt cannot read fails its own question and no other", async () => {
  check = createPasswordCheck();
  const hash = hashSync("right", 4);
  const broken = `$9z$${hash.slice(4)}`;
  const [first, second] = await Promise.allSettled([check.compare("right", broken), check.compare("right", hash)]);
  expect(first).toEqual({ status: "rejected", reason: new Error("Invalid salt version: $9") });
  expect(second).toEqual({ status: "fulfilled", value: true });
});

test("a thread that dies fails what it was asked; the next question starts another", async () => {
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

test("a thread with nothing to do is ended", async () => {
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

test("closing ends the thread with what it was asked", async () => {
  check = createPasswordCheck({ code: () => threadOf("") });
  const waiting = check.compare("any", "");
  const refused = expect(waiting).rejects.toThrow("the thread that checks passwords has ended");
  await check.close();
  await refused;
});

test("a server has a thread from the first credentials that it does not know until it closes", async () => {
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
    // The same thread for those who come after a reload.
    running.secure({ users });
    expect(await status("prometheus:right")).toBe(200);
    expect(started).toHaveLength(1);
  } finally {
    await running.close();
  }
  expect(started[0]?.threadId).toBe(-1);
});
