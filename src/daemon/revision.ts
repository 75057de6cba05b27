import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Characters of a short commit. */
const SHORT = 7;

/**
 * The short commit that is checked out in this folder, read from git's own files; "unknown" without a repository. Parent folders
 * are ignored, because theirs would be another repository.
 */
export function revisionOf(folder: string): string {
  const git = gitFolderOf(folder);
  const head = read(join(git, "HEAD"));
  const branch = /^ref: (.+)$/.exec(head)?.[1];
  const commit = branch === undefined ? head : commitOf(branch, git);
  return /^[0-9a-f]{40,64}$/.test(commit) ? commit.slice(0, SHORT) : "unknown";
}

/** In a worktree `.git` is a file that names the folder. */
function gitFolderOf(folder: string): string {
  const named = /^gitdir: (.+)$/.exec(read(join(folder, ".git")))?.[1];
  return named === undefined ? join(folder, ".git") : resolve(folder, named);
}

/** The commit of a branch, from its own file or from `packed-refs`; worktrees keep both in a shared folder. */
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
