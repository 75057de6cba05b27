import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that the end-to-end tests run beside the daemon. Debian's package `prometheus` has both. */
export const TOOLS = ["prometheus", "promtool"] as const;
export type Tool = (typeof TOOLS)[number];

/** Where a tool is; throws a sentence that says how to get it. A test without its tool fails and is never skipped. */
export function requireTool(tool: Tool): string {
  const path = find(tool);
  if (path === undefined) throw new Error(missing(tool));
  return path;
}

/** Installs what is missing, once before all tests, where that is possible without asking: as root with apt-get. */
export function provideTools(): void {
  if (TOOLS.every((tool) => find(tool) !== undefined)) return;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    apt("update");
    apt("install", "-y", "--no-install-recommends", "prometheus");
  }
  for (const tool of TOOLS) requireTool(tool);
}

function find(tool: Tool): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, tool))
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
    "`apt-get install --no-install-recommends prometheus`; elsewhere unpack a release of Prometheus and add its folder to PATH."
  );
}
