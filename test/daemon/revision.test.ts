import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith } from "../support/folders.ts";
import { revisionOf } from "../../src/daemon/revision.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const OTHER = "f".repeat(40);

it.each([
  ["a branch", { ".git/HEAD": "ref: refs/heads/a/b\n", ".git/refs/heads/a/b": `${COMMIT}\n` }],
  ["a commit without a branch", { ".git/HEAD": `${COMMIT}\n` }],
  [
    "a packed branch",
    {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/packed-refs": `# pack-refs with: peeled\n${OTHER} refs/heads/x/refs/heads/main2\n${COMMIT} refs/heads/main\n`,
    },
  ],
  [
    "a branch that was packed before it moved",
    {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/refs/heads/main": `${COMMIT}\n`,
      ".git/packed-refs": `${OTHER} refs/heads/main\n`,
    },
  ],
])("the revision of %s is its commit", (_what, files) => {
  expect(revisionOf(folderWith(files))).toBe("0123456");
});

it.each([
  ["file", { "main/.git/refs/heads/side": COMMIT }],
  ["packed", { "main/.git/packed-refs": `${COMMIT} refs/heads/side\n` }],
])("the revision of a worktree is the commit of its own branch in the shared folder: %s", (_how, ref) => {
  const folder = folderWith({
    "side/.git": "gitdir: ../main/.git/worktrees/side\n",
    "main/.git/HEAD": `${OTHER}\n`,
    "main/.git/worktrees/side/HEAD": "ref: refs/heads/side\n",
    "main/.git/worktrees/side/commondir": "../..\n",
    ...ref,
  });
  expect(revisionOf(join(folder, "side"))).toBe("0123456");
});

it.each([
  ["no repository", {}],
  ["a repository without a commit", { ".git/HEAD": "ref: refs/heads/main\n" }],
  ["something else", { ".git/HEAD": "hello\n" }],
])("the revision of %s is unknown", (_what, files) => {
  expect(revisionOf(folderWith(files))).toBe("unknown");
});

it("the revision of a folder in a repository is not that of the repository", () => {
  const folder = folderWith({ ".git/HEAD": COMMIT, "inner/file": "" });
  expect([revisionOf(folder), revisionOf(join(folder, "inner"))]).toEqual(["0123456", "unknown"]);
});
