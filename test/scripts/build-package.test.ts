import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { revisionOf } from "../../src/daemon/revision-of.ts";
import { VERSION } from "../../scripts/made.ts";
import { startChild, type Child } from "../e2e/support/child.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { olderNode } from "./support/older-node.ts";

const BUILD = fileURLToPath(new URL("../../scripts/build-package.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const afterAllTests = createCleanup();
afterAll(afterAllTests.run);
const afterThisTest = createCleanup();
afterEach(afterThisTest.run);

/** The folder where the package is installed, alone. */
let home = "";
const installed = (...path: readonly string[]) => join(home, "node_modules/avax-exporter", ...path);
const command = () => join(home, "node_modules/.bin/avax-exporter");

/** npm runs in a folder of its own, without a network and with the Node.js of the tests. */
function npm(folder: string, ...args: readonly string[]): Child {
  const path = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  const cache = join(folder, ".npm-cache");
  return startChild("npm", ["--silent", "--offline", `--cache=${cache}`, `--prefix=${folder}`, ...args], {
    PATH: path,
  });
}

async function succeeded(child: Child): Promise<string> {
  expect(await child.exited, child.stderr()).toBe(0);
  return child.stdout();
}

beforeAll(async () => {
  const made = await temporaryFolder();
  afterAllTests.add(made.remove);
  const content = join(made.path, "package");
  await succeeded(startChild(process.execPath, [BUILD, `--folder=${content}`]));
  await succeeded(npm(made.path, "pack", content, `--pack-destination=${made.path}`));
  const [archive = ""] = (await readdir(made.path)).filter((file) => file.endsWith(".tgz"));
  home = join(made.path, "home");
  await mkdir(home);
  await succeeded(npm(home, "install", join(made.path, archive)));
});

test("the package installs alone, runs nothing at its installation and asks for Node.js 24", async () => {
  expect((await readdir(join(home, "node_modules"))).filter((name) => !name.startsWith("."))).toEqual([
    "avax-exporter",
  ]);
  const manifest = JSON.parse(await readFile(installed("package.json"), "utf8")) as Record<string, unknown>;
  expect(manifest).toMatchObject({ name: "avax-exporter", engines: { node: ">=24" } });
  for (const absent of ["private", "dependencies", "devDependencies", "scripts"])
    expect(manifest).not.toHaveProperty(absent);
});

test.for([
  "LICENSE",
  "README.md",
  "deploy/systemd/avax-exporter.service",
  "docs/runbooks/AvaxNodeDown.md",
  "grafana/alerts/rules.yaml",
])("the package contains %s as it is in the repository", async (path) => {
  expect(await readFile(installed(path), "utf8")).toBe(await readFile(join(ROOT, path), "utf8"));
});

test("the package contains the chart with its rules, so that Helm can install it", async () => {
  const rules = await readFile(installed("deploy/helm/avax-exporter/files/rules.yaml"), "utf8");
  expect(rules).toBe(await readFile(join(ROOT, "grafana/alerts/rules.yaml"), "utf8"));
});

test("the package carries the licence of every package in the bundle, and no source of tests", async () => {
  const notices = await readFile(installed("THIRD_PARTY_LICENSES.txt"), "utf8");
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  // `node` is the runtime of the clone, and no part of the bundle.
  const direct = Object.entries(dependencies).filter(([name]) => name !== "node");
  for (const [name, version] of direct) expect(notices).toContain(`\n${name} ${version} (`);
  expect(notices.match(/Permission is hereby granted|Permission to use|Apache License/g)?.length).toBeGreaterThan(15);
  expect(existsSync(installed("grafana/alerts/tests.yaml"))).toBe(false);
});

test("the bill of materials lists exactly the packages whose licences the package carries", async () => {
  const notices = await readFile(installed("THIRD_PARTY_LICENSES.txt"), "utf8");
  const licensed = [...notices.matchAll(/^ {2}(\S+) (\S+) \((\S+)\)$/gm)].map(([, ...title]) => title);
  expect(licensed).not.toEqual([]);
  const { components, metadata } = JSON.parse(await readFile(installed("sbom.cdx.json"), "utf8")) as {
    readonly components: ReadonlyArray<{
      readonly name: string;
      readonly version: string;
      readonly licenses: ReadonlyArray<{ readonly license: { readonly id: string } }>;
    }>;
    readonly metadata: unknown;
  };
  expect(components.map((each) => [each.name, each.version, each.licenses[0]?.license.id])).toEqual(licensed);
  expect(metadata).toMatchObject({ component: { name: "avax-exporter", version: VERSION } });
});

test("the installed command prints the version of the build and runs the demo", async () => {
  const path = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  const version = await succeeded(startChild(command(), ["--version"], { PATH: path }));
  expect(version).toContain(` (${revisionOf(ROOT)}`);
  const demo = startChild(command(), ["demo", "--nodes=2", "--web.listen-address=127.0.0.1:0"], { PATH: path });
  afterThisTest.add(demo.stop);
  const metrics = () => /http:\S+\/metrics/.exec(demo.stdout())?.[0];
  await vi.waitFor(() => expect(metrics(), demo.stderr()).toBeDefined(), { timeout: 20_000, interval: 50 });
  const answer = await fetch(metrics() ?? "");
  expect(answer.status).toBe(200);
  expect(await answer.text()).toMatch(/^avax_exporter_build_info\{.*\} 1$/m);
});

test("the installed command keeps its compiled form beside the installed packages", async () => {
  const path = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  const folder = join(home, "node_modules/.cache/avax-exporter");
  await rm(folder, { recursive: true, force: true });
  const variables = { PATH: path, NODE_COMPILE_CACHE: "" };
  await succeeded(startChild(command(), ["--version"], variables));
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
  expect(files.length).toBeGreaterThan(0);
  // A damaged one is compiled again.
  for (const { parentPath, name } of files) await writeFile(join(parentPath, name), "not what was compiled");
  expect(await succeeded(startChild(command(), ["--version"], variables))).toMatch(/^avax-exporter \d/);
});

test("on an older Node.js the installed command says in one sentence what it needs", async ({ skip }) => {
  const old = await olderNode();
  if (old === undefined) return skip("no older Node is installed");
  const child = startChild(old, [installed("command.mjs"), "demo"]);
  expect([await child.exited, child.stdout()]).toEqual([1, ""]);
  expect(child.stderr()).toMatch(/^avax-exporter requires Node\.js 24 or later; this is v\d+\.\d+\.\d+\.\n$/);
});
