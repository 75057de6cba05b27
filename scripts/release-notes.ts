import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, VERSION } from "./made.ts";

/** The notes of a release, or why there are none. */
export type Notes = { readonly notes: string } | { readonly problem: string };

/**
 * The section of a version in the text of a changelog, without its heading, for a tag such as `v1.2.3`. The heading is
 * `## 1.2.3 (2026-01-31)`.
 */
export function notesOf(changelog: string, tag: string, version: string): Notes {
  if (tag !== `v${version}`) return { problem: `The tag is "${tag}", and package.json has the version ${version}.` };
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((each) => each.startsWith(`${version} `) || each.startsWith(`${version}\n`));
  if (section === undefined) return { problem: `CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)".` };
  const [heading = "", ...lines] = section.split("\n");
  if (!/^\S+ \(\d{4}-\d{2}-\d{2}\)$/.test(heading))
    return { problem: `CHANGELOG.md: "## ${heading}" has no date: write "## ${version} (YYYY-MM-DD)".` };
  const notes = lines.join("\n").trim();
  return notes === "" ? { problem: `CHANGELOG.md: the section of ${version} is empty.` } : { notes: `${notes}\n` };
}

/**
 * `node scripts/release-notes.ts v1.2.3` writes the section of this version in the changelog. Fails when the tag is not the version
 * of package.json, or the section is missing, empty or without a date.
 */
if (import.meta.main) {
  const [tag = ""] = process.argv.slice(2);
  const result = notesOf(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"), tag, VERSION);
  if ("problem" in result) {
    console.error(result.problem);
    process.exitCode = 1;
  } else {
    process.stdout.write(result.notes);
  }
}
