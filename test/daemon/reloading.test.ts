import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hashSync } from "bcryptjs";
import { expect, test, vi } from "vitest";
import { folderWith } from "../support/folders.ts";
import { createReloading } from "../../src/daemon/reloading.ts";
import { loadSettings, type SettingsSource } from "../../src/daemon/load-settings.ts";

const warn = vi.fn();
const LOG = { debug: () => undefined, info: () => undefined, warn, error: () => undefined };
const WITH_USERS = JSON.stringify({ basic_auth_users: { a: hashSync("x", 4) } });

/** A reloading daemon with these files. */
function reloading(config: string, web: string, hung?: Parameters<typeof createReloading>[4]) {
  const folder = folderWith({ "c.yaml": config, "web.yaml": web });
  const [configFile, webFile] = [join(folder, "c.yaml"), join(folder, "web.yaml")];
  const source: SettingsSource = { configFile, webFile, env: {}, hostname: "host", sharded: false };
  const first = loadSettings(source);
  if ("problems" in first) throw new Error("the test's own files are wrong");
  const [reloaded, apply, secure] = [vi.fn(), vi.fn(), vi.fn()];
  const daemon = { reloaded, poller: { apply } } as unknown as Parameters<typeof createReloading>[2];
  const made = createReloading(source, first, daemon, LOG, hung);
  const oks = () => reloaded.mock.calls.map(([ok]: unknown[]) => ok);
  return { ...made, secure, apply, oks, configFile, webFile, server: { secure } };
}

const node = (name: string): string => `nodes: [{ name: ${name}, url: "http://a:1" }]\n`;

test("a reload that files caused never takes the passwords away; one that is requested does", async () => {
  const { reload, server, secure, apply, oks, webFile } = reloading(node("a"), WITH_USERS);
  writeFileSync(webFile, "");
  expect(await reload(server, "files")).toEqual({
    ok: false,
    message: "basic_auth_users are gone from the web configuration: send SIGHUP or POST /-/reload if that is intended",
  });
  expect([secure.mock.calls, apply.mock.calls, oks()]).toEqual([[], [], [false]]);
  expect(warn).not.toHaveBeenCalled();
  expect(await reload(server)).toEqual({ ok: true });
  expect(secure.mock.calls).toEqual([[{ users: {}, headers: {} }]]);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    { gone: "basic_auth_users" },
    "the login is gone from the web configuration: the pages are open to everyone who reaches them",
  );
  expect(await reload(server)).toEqual({ ok: true });
  expect(warn).toHaveBeenCalledTimes(1);
  expect(oks()).toEqual([false, true, true]);
});

test("a file that only the new file names is read when its mount answers, and fails the reload when it hangs", async () => {
  const isHung = new Set<string>();
  const looked: string[] = [];
  const { reload, server, oks, configFile, masked } = reloading(node("a"), WITH_USERS, (paths) => {
    looked.push(...paths);
    return Promise.resolve(paths.find((path) => isHung.has(path.split("/").at(-1) ?? "")));
  });
  const folder = dirname(configFile);
  mkdirSync(join(folder, "nodes.d"));
  writeFileSync(join(folder, "nodes.d", "b.yaml"), '- { name: b, url: "http://b:1", bearer_token_file: ../token }\n');
  writeFileSync(join(folder, "token"), "t0k3n\n");
  writeFileSync(configFile, `${node("a")}node_files: ["nodes.d/*.yaml"]\n`);
  for (const name of ["token", "b.yaml", "nodes.d"]) {
    isHung.clear();
    isHung.add(name);
    expect(await reload(server)).toMatchObject({
      ok: false,
      message: expect.stringContaining(`${name} cannot be read: its file system does not answer`) as string,
    });
  }
  expect(masked()).not.toContain("name: b");
  isHung.clear();
  expect(await reload(server)).toEqual({ ok: true });
  expect(masked()).toContain("name: b");
  expect(oks()).toEqual([false, false, false, true]);
  expect(looked).toContain(join(folder, "nodes.d"));
});

test("the record of what was read is that of the last load, also of one that failed", async () => {
  const { reload, reads, masked, server, configFile, oks } = reloading(node("a"), WITH_USERS);
  const before = reads();
  writeFileSync(configFile, "nodes: 7\n");
  expect((await reload(server, "files")).ok).toBe(false);
  expect(reads()[configFile]).not.toEqual(before[configFile]);
  expect(masked()).toContain("name: a");
  writeFileSync(configFile, node("b"));
  expect((await reload(server, "files")).ok).toBe(true);
  expect(masked()).toContain("name: b");
  expect(oks()).toEqual([false, true]);
});
