import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The short commit that is checked out in this folder; "unknown" without a repository or without git. Parent folders are ignored,
 * because theirs would be another repository.
 */
export function revisionOf(folder: string): string {
  if (!existsSync(join(folder, ".git"))) return "unknown";
  const { status, stdout } = spawnSync("git", ["rev-parse", "--short=7", "HEAD"], { cwd: folder, encoding: "utf8" });
  return status === 0 ? stdout.trim() : "unknown";
}
