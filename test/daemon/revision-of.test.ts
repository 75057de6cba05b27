import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith } from "../support/folders.ts";
import { revisionOf } from "../../src/daemon/revision-of.ts";

it("the revision of a folder is the commit of its own repository, not of one around it", () => {
  const folder = folderWith();
  const git = (...words: string[]) => execFileSync("git", ["-C", folder, ...words], { encoding: "utf8" });
  expect(revisionOf(folder)).toBe("unknown");
  git("init", "--quiet");
  expect(revisionOf(folder)).toBe("unknown");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "--message=one");
  expect(revisionOf(folder)).toBe(git("rev-parse", "HEAD").slice(0, 7));
  mkdirSync(join(folder, "inner"));
  expect(revisionOf(join(folder, "inner"))).toBe("unknown");
});
