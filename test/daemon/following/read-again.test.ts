import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../../support/folders.ts";
import { nodeSources } from "../../../src/config/read/sources.ts";
import { differences, recordedSources, UNREADABLE } from "../../../src/config/read/recorded-sources.ts";
import { readAgain } from "../../../src/daemon/following/read-again.ts";

/** What a load reads that reads these files and this pattern. */
function read(folder: string, names: readonly string[], pattern?: string) {
  const { sources, reads } = recordedSources(nodeSources({}));
  for (const name of names) {
    try {
      sources.readFile(join(folder, name));
    } catch {
      // A load reports it.
    }
  }
  if (pattern !== undefined) sources.glob(pattern, folder);
  return reads();
}

test("what did not change has no differences, unreadable files and patterns included", async () => {
  const folder = folderWith({ "a.yaml": "ä\n", "b.yaml": "" });
  const reads = read(folder, ["a.yaml", "b.yaml", "no-such", "."], "*.yaml");
  expect(reads[join(folder, "no-such")]?.digest).toBe(UNREADABLE);
  expect(reads["*.yaml"]).toEqual({ digest: "a.yaml\nb.yaml", folder });
  expect(await readAgain(reads)).toEqual(reads);
});

test("only content counts: the same text written again is no change", async () => {
  const folder = folderWith({ a: "one" });
  const reads = read(folder, ["a"]);
  writeFileSync(join(folder, "new"), "one");
  renameSync(join(folder, "new"), join(folder, "a"));
  expect(differences(reads, await readAgain(reads))).toEqual([]);
  writeFileSync(join(folder, "a"), "two");
  expect(differences(reads, await readAgain(reads))).toEqual([join(folder, "a")]);
});

test("a link that leads elsewhere is a change of content", async () => {
  const folder = folderWith({});
  for (const version of ["v1", "v2"]) {
    mkdirSync(join(folder, version));
    writeFileSync(join(folder, version, "a"), version);
  }
  symlinkSync("v1", join(folder, "..data"));
  symlinkSync("..data/a", join(folder, "a"));
  const reads = read(folder, ["a"]);
  symlinkSync("v2", join(folder, "next"));
  renameSync(join(folder, "next"), join(folder, "..data"));
  expect(differences(reads, await readAgain(reads))).toEqual([join(folder, "a")]);
});

test("files that appear, vanish and match a pattern are changes", async () => {
  const folder = folderWith({ gone: "1", "x.yaml": "" });
  const reads = read(folder, ["gone", "late"], "*.yaml");
  rmSync(join(folder, "gone"));
  writeFileSync(join(folder, "late"), "2");
  writeFileSync(join(folder, "y.yaml"), "");
  expect(differences(reads, await readAgain(reads))).toEqual([join(folder, "gone"), join(folder, "late"), "*.yaml"]);
});

test("a file above the limit is unreadable", async () => {
  const folder = folderWith({ huge: "" });
  truncateSync(join(folder, "huge"), 11 * 1024 * 1024);
  const reads = read(folder, ["huge"]);
  expect(reads[join(folder, "huge")]?.digest).toBe(UNREADABLE);
  expect(await readAgain(reads)).toEqual(reads);
});
