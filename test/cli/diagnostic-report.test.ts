import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { startChild, written } from "../e2e/support/child.ts";
import { writeConfig } from "../e2e/support/daemon.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { createCleanup } from "../support/create-cleanup.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/avax-exporter.mjs", import.meta.url));
const SECRET = "a-secret-of-the-environment";

const afterThisTest = createCleanup();
afterEach(afterThisTest.run);

/** A running daemon with a secret in its environment, started without flags of Node.js. */
async function started(...flags: readonly string[]) {
  const { path, remove } = await temporaryFolder();
  afterThisTest.add(remove);
  const config = await writeConfig(path, {
    nodes: [{ name: "a", url: "http://127.0.0.1:1", bearer_token: "${NODE_TOKEN}" }],
  });
  const all = [PROGRAM, `--config.file=${config}`, "--web.listen-address=127.0.0.1:0", ...flags];
  const child = startChild(process.execPath, all, { NODE_TOKEN: SECRET });
  afterThisTest.add(child.stop);
  const [, address = ""] = await written(child, /address=(http:\S+)/);
  return { child, address };
}

test("SIGUSR1 opens no debugger: it writes a report without the environment to standard error", async () => {
  const { child, address } = await started("--storage.path=");
  child.signal("SIGUSR1");
  const [line] = await written(child, /^\{"header":.*\}$/m);
  expect(Object.keys(JSON.parse(line) as object)).toEqual(expect.arrayContaining(["javascriptStack", "libuv"]));
  expect(line).not.toContain("environmentVariables");
  expect(child.stderr()).not.toContain(SECRET);
  expect(child.stderr()).not.toContain("Debugger");
  expect((await fetch(`${address}/-/healthy`)).status).toBe(200);
  child.signal("SIGTERM");
  expect(await child.exited).toBe(0);
});

test("with --storage.path the report is a file that only the exporter's user can read", async () => {
  const { path, remove } = await temporaryFolder();
  afterThisTest.add(remove);
  const { child } = await started(`--storage.path=${path}`);
  child.signal("SIGUSR1");
  await written(child, /wrote a diagnostic report/);
  const file = join(path, "report.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const text = await readFile(file, "utf8");
  expect(text).toMatch(/^\{"header":/);
  expect(text).not.toContain(SECRET);
});
