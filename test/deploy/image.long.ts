import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { chmod, chown, copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startChild, written, type Child } from "../e2e/support/child.ts";
import { writeConfig } from "../e2e/support/daemon.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { requireTool } from "../e2e/support/tools.ts";
import { createCleanup } from "../support/create-cleanup.ts";

/**
 * The second stage of the Dockerfile, on a base of this machine's own libraries with the Node.js of the tests at the same place as
 * in the real one: nothing is pulled. What the first stage makes comes from this clone. The result runs as the image says: as
 * its user, without capabilities and with a read-only root file system.
 */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const USER = 1000;
const STATE = "/var/lib/avax-exporter";
const CONFIG = "/etc/avax-exporter/config.yaml";

vi.setConfig({ testTimeout: 60_000 });

const afterAllTests = createCleanup();
afterAll(afterAllTests.run);
const afterThisTest = createCleanup();
afterEach(afterThisTest.run);

type Settings = {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly Labels: Readonly<Record<string, string>>;
};

let folder = "";
/** The files of the image. */
let files = "";
let settings: Settings;

/** What a program writes to standard output; fails with what it writes to standard error. */
async function output(program: string, ...args: readonly string[]): Promise<string> {
  const child = startChild(program, args);
  expect(await child.exited, `${program} ${args.join(" ")}: ${child.stderr()}`).toBe(0);
  return child.stdout();
}

const buildah = (...args: readonly string[]) =>
  output(requireTool("buildah"), "--storage-driver=vfs", `--root=${folder}/store`, `--runroot=${folder}/run`, ...args);

/** The image of the runtime stage, whose digest the base of this test cannot have. */
const BASE = /^FROM (?!--platform)(\S+)$/m.exec(readFileSync(join(ROOT, "Dockerfile"), "utf8"))?.[1] ?? "";

const LOCAL_BASE = "localhost/base:test";

/** Makes the base: Node.js where the real base has it, the libraries that it loads, and folders to mount at. */
async function buildBase(): Promise<void> {
  const base = join(folder, "base");
  const libraries = (await output("ldd", process.execPath)).matchAll(/(?:=> |^\s*)(\/\S+)/gm);
  const copies = [[process.execPath, "/nodejs/bin/node"], ...[...libraries].map(([, path = ""]) => [path, path])];
  for (const [from = "", to = ""] of copies) {
    await mkdir(dirname(join(base, to)), { recursive: true });
    await copyFile(from, join(base, to));
  }
  for (const path of ["dev", "proc", "tmp", "var/lib"]) await mkdir(join(base, path), { recursive: true });
  const recipe = join(folder, "Dockerfile.base");
  await writeFile(recipe, "FROM scratch\nCOPY . /\n");
  await buildah("build", "--isolation=chroot", `--file=${recipe}`, `--tag=${LOCAL_BASE}`, base);
}

/** What the first stage leaves for the second. */
async function buildFirstStage(): Promise<string> {
  const stage = join(folder, "stage");
  const source = join(stage, "src");
  await output(process.execPath, join(ROOT, "scripts/build-package.ts"), `--folder=${source}/dist/package`);
  for (const name of ["LICENSE", "config.example.yaml"]) copyFileSync(join(ROOT, name), join(source, name));
  await mkdir(join(source, "dist/state/avax-exporter"), { recursive: true, mode: 0o700 });
  await chmod(join(source, "dist/state"), 0o755);
  return stage;
}

/** Starts a command of the image as its runtime would, with the configuration and, where given, a volume for the state. */
function inImage(command: readonly string[], config: string, volume?: string): Child {
  const environment = settings.Env.flatMap((each) => ["--setenv", ...each.split(/=(.*)/s).slice(0, 2)]);
  const mounts = ["--ro-bind", files, "/", "--dev", "/dev", "--proc", "/proc", "--ro-bind", config, CONFIG];
  if (volume !== undefined) mounts.push("--bind", volume, STATE);
  const [user, group] = settings.User.split(":");
  return startChild("setpriv", [
    ...[`--reuid=${user}`, `--regid=${group}`, "--clear-groups", requireTool("bwrap")],
    ...["--unshare-all", "--share-net", "--die-with-parent", "--cap-drop", "ALL", "--clearenv", ...environment],
    ...[...mounts, "--chdir", settings.WorkingDir, ...command],
  ]);
}

/** The configuration and a folder for the state, as a user other than root can read and write them. */
async function given(): Promise<{ readonly config: string; readonly volume: string }> {
  const config = await writeConfig(folder, { nodes: [{ name: "a", url: "http://127.0.0.1:1" }] });
  await chmod(config, 0o644);
  const volume = join(folder, "volume");
  await mkdir(volume, { recursive: true, mode: 0o700 });
  await chown(volume, USER, USER);
  return { config, volume };
}

beforeAll(async () => {
  requireTool("bwrap");
  if (process.getuid?.() !== 0) throw new Error("This test builds an image with files of other users: run it as root.");
  const made = await temporaryFolder();
  afterAllTests.add(made.remove);
  folder = made.path;
  await chmod(folder, 0o755);
  await buildBase();
  const stage = await buildFirstStage();
  const tag = "localhost/avax-exporter:test";
  const flags = ["--isolation=chroot", "--format=docker", "--pull-never", `--build-context=build=${stage}`];
  const local = `--build-context=${BASE}=container-image://${LOCAL_BASE}`;
  const versions = ["--build-arg=VERSION=9.8.7", "--build-arg=REVISION=0123456"];
  await buildah("build", ...flags, local, ...versions, `--file=${ROOT}/Dockerfile`, `--tag=${tag}`, ROOT);
  const { Docker } = JSON.parse(await buildah("inspect", "--type=image", tag)) as { Docker: { config: Settings } };
  settings = Docker.config;
  const container = (await buildah("from", "--pull-never", tag)).trim();
  afterAllTests.add(async () => void (await buildah("rm", container)));
  files = join(folder, "files");
  const mounted = (await buildah("mount", container)).trim();
  await output("cp", "--archive", mounted, files);
  // A runtime makes the place of a mount before it closes the root file system.
  await mkdir(join(files, dirname(CONFIG)), { recursive: true });
  await writeFile(join(files, CONFIG), "");
});

test("the image has its labels, its user and the command of its health check", () => {
  expect(settings).toMatchObject({
    User: `${USER}:${USER}`,
    Cmd: [`--config.file=${CONFIG}`],
    Labels: { "org.opencontainers.image.version": "9.8.7", "org.opencontainers.image.revision": "0123456" },
  });
  expect(settings.Healthcheck.Test).toEqual(["CMD", settings.Entrypoint[0], "avax-exporter.mjs", "healthcheck"]);
});

test("the image contains the program, the licences and the folder of the state for its user alone", async () => {
  const program = join(files, settings.WorkingDir);
  for (const name of ["avax-exporter.mjs", "LICENSE", "THIRD_PARTY_LICENSES.txt", "config.example.yaml"])
    expect(existsSync(join(program, name)), name).toBe(true);
  expect(await output("stat", "--format=%a %u:%g", join(files, STATE))).toBe(`700 ${USER}:${USER}\n`);
  expect(await output("stat", "--format=%a %u:%g", join(files, "/var/lib"))).toBe("755 0:0\n");
  expect(existsSync(join(files, "bin/sh"))).toBe(false);
});

test("the image serves metrics and is healthy without root, capabilities or a writable file system", async () => {
  const { config } = await given();
  const { Entrypoint, Cmd, Healthcheck } = settings;
  const child = inImage([...Entrypoint, ...Cmd, "--web.listen-address=127.0.0.1:0"], config);
  afterThisTest.add(child.stop);
  const [, address = ""] = await written(child, /address=(http:\S+)/);
  expect(await (await fetch(`${address}/metrics`)).text()).toMatch(/^avax_exporter_build_info\{.*\} 1$/m);
  const [, ...check] = Healthcheck.Test;
  const asked = inImage([...check, address], config);
  expect(await asked.exited, asked.stderr()).toBe(0);
  const elsewhere = inImage([...check, "http://127.0.0.1:1"], config);
  expect(await elsewhere.exited).toBe(1);
  expect(child.stderr()).not.toContain("level=error");
});

test("the program in the image has no rights beyond its user's, and writes to the volume of the state alone", async () => {
  const { config, volume } = await given();
  const [node = ""] = settings.Entrypoint;
  const rights = `
    const { readFileSync, writeFileSync } = require("node:fs");
    const status = readFileSync("/proc/self/status", "utf8");
    const writes = (file) => { try { writeFileSync(file, ""); return true; } catch (error) { return error.code; } };
    const wrote = ["/written", "/opt/avax-exporter/written", "${STATE}/written"].map(writes);
    console.log(JSON.stringify([process.getuid(), process.getgid(), /CapBnd:\\s+0+\\n/.test(status), wrote]));`;
  const child = inImage([node, "-e", rights], config, volume);
  expect(await child.exited, child.stderr()).toBe(0);
  expect(JSON.parse(child.stdout())).toEqual([USER, USER, true, ["EROFS", "EROFS", true]]);
});

test("the image runs the demo, as the README starts it", async () => {
  const { config } = await given();
  const child = inImage([...settings.Entrypoint, "demo", "--nodes=2", "--web.listen-address=127.0.0.1:0"], config);
  afterThisTest.add(child.stop);
  const metrics = () => /http:\S+\/metrics/.exec(child.stdout())?.[0];
  await vi.waitFor(() => expect(metrics(), child.stderr()).toBeDefined(), { timeout: 40_000, interval: 100 });
  expect(await (await fetch(metrics() ?? "")).text()).toMatch(/^avax_exporter_build_info\{.*\} 1$/m);
});

test("the image keeps its state in the volume, without a flag", async () => {
  const { config, volume } = await given();
  const { Entrypoint, Cmd } = settings;
  const child = inImage([...Entrypoint, ...Cmd, "--web.listen-address=127.0.0.1:0"], config, volume);
  afterThisTest.add(child.stop);
  const history = join(volume, "history.ndjson");
  await vi.waitFor(() => expect(existsSync(history), child.stderr()).toBe(true), { timeout: 50_000, interval: 200 });
  expect(await output("stat", "--format=%a %u:%g", history)).toBe(`600 ${USER}:${USER}\n`);
  expect(child.stderr()).not.toContain("level=error");
});
