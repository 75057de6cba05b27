import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashSync } from "bcryptjs";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startChild, written } from "../e2e/child.ts";
import { createCleanup } from "../e2e/cleanup.ts";
import { writeConfig } from "../e2e/daemon.ts";
import { temporaryFolder } from "../e2e/temporary-folder.ts";

const BUILD = fileURLToPath(new URL("../../scripts/build.ts", import.meta.url));

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
  const building = startChild(process.execPath, [BUILD, `--file=${bundle}`]);
  expect([await building.exited, building.stderr()]).toEqual([0, ""]);
});

test("the bundle serves, and checks passwords on its own, with nothing beside it", async () => {
  const config = await writeConfig(folder, { nodes: [{ name: "a", url: "http://127.0.0.1:1" }] });
  const web = join(folder, "web.yml");
  await writeFile(web, JSON.stringify({ basic_auth_users: { prometheus: hashSync("right", 4) } }));
  const child = startChild(process.execPath, [
    bundle,
    `--config.file=${config}`,
    `--web.config.file=${web}`,
    "--web.listen-address=127.0.0.1:0",
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
  child.signal("SIGTERM");
  expect(await child.exited).toBe(0);
});
