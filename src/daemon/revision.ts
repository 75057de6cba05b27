import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** What is said where no commit is known. */
export const UNKNOWN_REVISION = "unknown";

/** Characters of a short commit. */
const SHORT = 7;

/**
 * The short commit that is checked out in this folder, read from git's own files; "unknown" where there are none. A folder above
 * it is not looked at: its repository is another one.
 */
export function revisionOf(folder: string): string {
  const git = gitFolderOf(folder);
  const head = read(join(git, "HEAD"));
  const branch = /^ref: (.+)$/.exec(head)?.[1];
  const commit = branch === undefined ? head : commitOf(branch, git);
  return /^[0-9a-f]{40,64}$/.test(commit) ? commit.slice(0, SHORT) : UNKNOWN_REVISION;
}

/** A worktree has a file that names the folder. */
function gitFolderOf(folder: string): string {
  const named = /^gitdir: (.+)$/.exec(read(join(folder, ".git")))?.[1];
  return named === undefined ? join(folder, ".git") : resolve(folder, named);
}

/** A branch has a file of its own, or a line among the packed ones; worktrees keep both in the folder that they share. */
function commitOf(branch: string, git: string): string {
  const shared = read(join(git, "commondir"));
  for (const folder of shared === "" ? [git] : [git, resolve(git, shared)]) {
    const packed = (): string | undefined =>
      read(join(folder, "packed-refs"))
        .split("\n")
        .find((line) => line.endsWith(` ${branch}`))
        ?.split(" ")[0];
    const commit = read(join(folder, branch)) || packed();
    if (commit !== undefined) return commit;
  }
  return "";
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}
