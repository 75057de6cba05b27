import { existsSync, statSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashSync } from "bcryptjs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { revisionOf } from "../../src/daemon/revision-of.ts";
import { STATUS_PAGE } from "../../src/http/pages/page-files.ts";
import { startChild, written } from "../e2e/support/child.ts";
import { writeConfig } from "../e2e/support/daemon.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { createCleanup } from "../support/create-cleanup.ts";

const BUILD = fileURLToPath(new URL("../../scripts/build-deb.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const INSTALLED = "/usr/bin/avax-exporter";

// A test starts the executable (0.5 s) several times, and dpkg writes 130 MB.
vi.setConfig({ testTimeout: 60_000 });

const afterAllTests = createCleanup();
afterAll(afterAllTests.run);
const afterThisTest = createCleanup();
afterEach(afterThisTest.run);

let folder = "";
let archive = "";
/** The executable, as the package contains it. */
let program = "";
let unit = "";

/** What the program writes to standard output; fails with what it writes to standard error. */
async function output(name: string, ...args: readonly string[]): Promise<string> {
  const child = startChild(name, args);
  expect(await child.exited, `${name} ${args.join(" ")}: ${child.stderr()}`).toBe(0);
  return child.stdout();
}

beforeAll(async () => {
  const made = await temporaryFolder();
  afterAllTests.add(made.remove);
  folder = made.path;
  await output(process.execPath, BUILD, `--folder=${folder}`);
  const [name = ""] = (await readdir(folder)).filter((file) => file.endsWith(".deb"));
  archive = join(folder, name);
  const tree = join(folder, "tree");
  await output("dpkg-deb", "--extract", archive, tree);
  program = join(tree, INSTALLED);
  unit = join(tree, "usr/lib/systemd/system/avax-exporter.service");
});

describe("the executable", () => {
  test("has the revision, and needs neither Node.js nor a variable", async () => {
    const child = startChild("/usr/bin/env", ["-i", program, "--version"]);
    // A warning there would be of Node.js: V8 rejects compiled code that was compiled under other limits.
    expect([await child.exited, child.stderr()]).toEqual([0, ""]);
    expect(child.stdout()).toContain(` (${revisionOf(ROOT)}`);
  });

  test("serves its pages, checks passwords and reloads, on threads of its own", async () => {
    const config = await writeConfig(folder, { nodes: [{ name: "a", url: "http://127.0.0.1:1" }] });
    const web = join(folder, "web.yml");
    await writeFile(web, JSON.stringify({ basic_auth_users: { prometheus: hashSync("right", 4) } }));
    const child = startChild(program, [
      `--config.file=${config}`,
      `--web.config.file=${web}`,
      "--web.listen-address=127.0.0.1:0",
      "--storage.path=",
    ]);
    afterThisTest.add(child.stop);
    const [, address] = await written(child, /address=(http:\S+)/);
    const get = (path: string, password: string, method = "GET") => {
      const authorization = `Basic ${Buffer.from(`prometheus:${password}`).toString("base64")}`;
      return fetch(`${address}${path}`, { method, headers: { authorization } });
    };
    expect((await get("/metrics", "wrong")).status).toBe(401);
    expect(await (await get("/metrics", "right")).text()).toMatch(/^avax_exporter_build_info\{.*\} 1$/m);
    expect(await (await get("/", "right")).text()).toContain(`<script>${STATUS_PAGE.script}</script>`);
    expect(await (await get("/-/reload", "right", "POST")).text()).toBe("Configuration reloaded.\n");
    child.signal("SIGTERM");
    expect(await child.exited, child.stderr()).toBe(0);
    expect(child.stderr()).not.toContain("no thread");
  });
});

test("systemd-analyze finds nothing wrong with the unit of the package", async ({ skip }) => {
  if (!existsSync("/usr/bin/systemd-analyze")) return skip("systemd-analyze is not installed");
  // It wants the program of each line to exist.
  const here = join(folder, "avax-exporter.service");
  await writeFile(here, (await readFile(unit, "utf8")).replaceAll(INSTALLED, program));
  const child = startChild("systemd-analyze", ["verify", "--man=no", here]);
  expect([await child.exited, child.stderr()]).toEqual([0, ""]);
});

test("the package installs with its user, modes and configuration, and leaves nothing when it is purged", async ({
  skip,
}) => {
  if (process.getuid?.() !== 0) return skip("not root");
  if (existsSync(INSTALLED)) return skip("the package is installed on this machine");
  const passwd = await readFile("/etc/passwd", "utf8");
  afterThisTest.add(async () => {
    await startChild("dpkg", ["--purge", "avax-exporter"]).exited;
    if (!/^avax-exporter:/m.test(passwd)) await startChild("userdel", ["avax-exporter"]).exited;
  });
  await output("dpkg", "--install", archive);

  const config = "/etc/avax-exporter/config.yaml";
  const stat = (path: string) => output("stat", "--format=%A %U %G", path);
  expect(await stat(INSTALLED)).toBe("-rwxr-xr-x root root\n");
  expect(await stat("/etc/avax-exporter")).toBe("drwxr-x--- root avax-exporter\n");
  expect(await stat(config)).toBe("-rw-r----- root avax-exporter\n");
  expect(await output(INSTALLED, "--version")).toMatch(/^avax-exporter \d/);
  expect(
    await output(
      "setpriv",
      "--reuid=avax-exporter",
      "--regid=avax-exporter",
      "--clear-groups",
      INSTALLED,
      "check-config",
      `--config.file=${config}`,
    ),
  ).toBe(`${config}: valid, 1 node\n`);

  await writeFile(config, "nodes: [{ name: mine, url: http://127.0.0.1:9650 }]\n");
  await output("dpkg", "--install", archive);
  expect(await readFile(config, "utf8"), "an update keeps the changed configuration").toContain("mine");
  expect(statSync(config).mode & 0o777).toBe(0o640);

  await output("dpkg", "--remove", "avax-exporter");
  expect([existsSync(INSTALLED), existsSync(config)]).toEqual([false, true]);
  await output("dpkg", "--purge", "avax-exporter");
  expect(existsSync("/etc/avax-exporter")).toBe(false);
});
