import { readFileSync } from "node:fs";
import { join } from "node:path";
import { notesOf } from "./changelog.ts";
import { ROOT, VERSION } from "./made.ts";

/**
 * `node scripts/release-notes.ts v1.2.3` writes the section of this version in the changelog. Fails when the tag is not the version
 * of package.json, or the section is missing, empty or without a date.
 */

const [tag = ""] = process.argv.slice(2);
const result = notesOf(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"), tag, VERSION);
if ("problem" in result) {
  console.error(result.problem);
  process.exitCode = 1;
} else {
  process.stdout.write(result.notes);
}
