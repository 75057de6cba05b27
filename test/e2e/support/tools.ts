import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that the end-to-end tests run beside the daemon, each with Debian's package that has it. */
const PACKAGES = {
  prometheus: "prometheus",
  promtool: "prometheus",
  alertmanager: "prometheus-alertmanager",
  amtool: "prometheus-alertmanager",
  chromium: "chromium",
} as const;
const TOOLS = Object.keys(PACKAGES) as ReadonlyArray<keyof typeof PACKAGES>;

/** Programs of single long tests, which nothing installs by itself. */
const PACKAGES_OF_LONG_TESTS = { buildah: "buildah", bwrap: "bubblewrap" } as const;
type Tool = keyof typeof PACKAGES | keyof typeof PACKAGES_OF_LONG_TESTS;

/** Debian has another name for one of them. */
const OTHER_NAMES: Readonly<Partial<Record<Tool, string>>> = { alertmanager: "prometheus-alertmanager" };

/** The path of a tool. Throws with instructions to install it: a test without its tool fails and is never skipped. */
export function requireTool(tool: Tool): string {
  const path = find(tool);
  if (path === undefined) throw new Error(missing(tool));
  return path;
}

/** Installs missing tools once before all tests, where that is possible without a prompt: as root with apt-get. */
export function provideTools(): void {
  if (TOOLS.every((tool) => find(tool) !== undefined)) return;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    apt("update");
    apt("install", "-y", "--no-install-recommends", ...new Set(Object.values(PACKAGES)));
  }
  for (const tool of TOOLS) requireTool(tool);
}

function find(tool: Tool): string | undefined {
  const names = [tool, OTHER_NAMES[tool] ?? tool];
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function apt(...args: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stderr } = spawnSync("apt-get", args, { env, encoding: "utf8", timeout: 300_000 });
  if (status !== 0) throw new Error(`apt-get ${args.join(" ")} failed: ${stderr.trim().slice(-500)}`);
}

function missing(tool: Tool): string {
  return (
    `The end-to-end tests need the program ${tool}, which is not in PATH. On Debian or Ubuntu: ` +
    `\`apt-get install --no-install-recommends ${{ ...PACKAGES, ...PACKAGES_OF_LONG_TESTS }[tool]}\`; elsewhere unpack a release of it and add its folder to PATH.`
  );
}
