import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashSync } from "bcryptjs";
import { parseAst } from "rolldown/parseAst";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { revisionOf } from "../../src/daemon/revision-of.ts";
import { startChild, written } from "../e2e/support/child.ts";
import { simulate } from "../../simulator/simulate.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { STATUS_PAGE } from "../../src/http/pages/page-files.ts";
import { writeConfig } from "../e2e/support/daemon.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { olderNode } from "./support/older-node.ts";

const BUILD = fileURLToPath(new URL("../../scripts/build.ts", import.meta.url));

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const PROGRAM = fileURLToPath(new URL("../../bin/avax-exporter.mjs", import.meta.url));

const afterAllTests = createCleanup();
afterAll(afterAllTests.run);
const afterThisTest = createCleanup();
afterEach(afterThisTest.run);

let folder = "";
let bundle = "";

beforeAll(async () => {
  const made = await temporaryFolder();
  afterAllTests.add(made.remove);
  folder = made.path;
  bundle = join(folder, "avax-exporter.mjs");
  const building = startChild(process.execPath, [BUILD, `--file=${bundle}`], { SOURCE_DATE_EPOCH: "1767600000" });
  expect([await building.exited, building.stderr()]).toEqual([0, ""]);
});

test("the bundle runs its first line without importing a module", async () => {
  const { body } = parseAst(await readFile(bundle, "utf8"));
  expect(body.filter(({ type }) => type === "ImportDeclaration")).toEqual([]);
  const child = startChild(process.execPath, [bundle, "--version"]);
  expect(await child.exited, child.stderr()).toBe(0);
  expect(child.stdout()).toMatch(/^avax-exporter \d/);
  // There is no repository beside the bundle: the commit was inlined.
  expect(child.stdout()).toContain(` (${revisionOf(ROOT)}, built 2026-01-05T08:00:00Z), `);
});

test.for([
  ["the bundle", () => bundle, /^avax-exporter requires Node\.js 24 or later; this is v\d+\.\d+\.\d+\.\n$/],
  ["the program", () => PROGRAM, /^avax-exporter requires Node\.js 24 or later; this is v\d+\.\d+\.\d+\. [^\n]+\n$/],
] as const)(
  "on an older Node.js %s prints the required version in one sentence",
  async ([, file, sentence], { skip }) => {
    const old = await olderNode();
    if (old === undefined) return skip("no older Node is installed");
    const child = startChild(old, [file(), "--version"]);
    expect([await child.exited, child.stdout()]).toEqual([1, ""]);
    expect(child.stderr()).toMatch(sentence);
  },
);

test("the bundle serves, checks passwords and reloads without any other file", async () => {
  const config = await writeConfig(folder, { nodes: [{ name: "a", url: "http://127.0.0.1:1" }] });
  const web = join(folder, "web.yml");
  await writeFile(web, JSON.stringify({ basic_auth_users: { prometheus: hashSync("right", 4) } }));
  const child = startChild(process.execPath, [
    bundle,
    `--config.file=${config}`,
    `--web.config.file=${web}`,
    "--web.listen-address=127.0.0.1:0",
    "--storage.path=",
  ]);
  afterThisTest.add(child.stop);
  const [, address] = await written(child, /address=(http:\S+)/);
  const status = async (credentials: string) => {
    const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
    return (await fetch(`${address}/metrics`, { headers: { authorization } })).status;
  };
  expect(await status("prometheus:right")).toBe(200);
  expect(await status("prometheus:wrong")).toBe(401);
  expect(await status("nobody:right")).toBe(401);
  const headers = { authorization: `Basic ${Buffer.from("prometheus:right").toString("base64")}` };
  const page = await (await fetch(`${address}/`, { headers })).text();
  expect([
    page.includes(`<style>${STATUS_PAGE.style}</style>`),
    page.includes(`<script>${STATUS_PAGE.script}</script>`),
  ]).toEqual([true, true]);
  const reloaded = await fetch(`${address}/-/reload`, { method: "POST", headers });
  expect([reloaded.status, await reloaded.text()]).toEqual([200, "Configuration reloaded.\n"]);
  child.signal("SIGTERM");
  expect(await child.exited, child.stderr()).toBe(0);
  // Both threads started: the main thread replaced neither.
  expect(child.stderr()).not.toContain("no thread");
});

test("the bundle opens WebSockets without any other file, and ends with open ones", async () => {
  const simulation = await simulate({ nodes: 1 });
  afterThisTest.add(() => simulation.close());
  const url = simulation.nodes[0]?.url ?? "";
  const config = await writeConfig(folder, { nodes: [{ name: "a", url }], evm: { websocket: true } }, "sockets.yaml");
  const child = startChild(process.execPath, [
    bundle,
    `--config.file=${config}`,
    "--storage.path=",
    "--web.listen-address=127.0.0.1:0",
  ]);
  afterThisTest.add(child.stop);
  const [, address] = await written(child, /address=(http:\S+)/);
  const up = async () =>
    expect(await (await fetch(`${address}/metrics`)).text()).toMatch(/^avax_evm_websocket_up\{.*\} 1$/m);
  await vi.waitFor(up, { timeout: 20_000, interval: 100 });
  child.signal("SIGTERM");
  expect(await child.exited, child.stderr()).toBe(0);
}, 30_000);
