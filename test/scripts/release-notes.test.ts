import { expect, test } from "vitest";
import { notesOf } from "../../scripts/release-notes.ts";

const changelog = (heading: string, text = "- Fixes the thing.\n") =>
  `# Changelog\n\nAbout.\n\n## Unreleased\n\n- Later.\n\n## ${heading}\n\n${text}\n## 1.2.30 (2025-12-31)\n\n- Older.\n`;

test("the notes are the section of the version alone", () => {
  expect(notesOf(changelog("1.2.3 (2026-01-31)"), "v1.2.3", "1.2.3")).toEqual({ notes: "- Fixes the thing.\n" });
});

test.for([
  ["another tag", "1.2.3 (2026-01-31)", "v1.2.4", 'The tag is "v1.2.4", and package.json has the version 1.2.3.'],
  ["no section", "1.2.2 (2026-01-31)", "v1.2.3", 'CHANGELOG.md has no section "## 1.2.3 (YYYY-MM-DD)".'],
  [
    "no date",
    "1.2.3 (unreleased)",
    "v1.2.3",
    'CHANGELOG.md: "## 1.2.3 (unreleased)" has no date: write "## 1.2.3 (YYYY-MM-DD)".',
  ],
] as const)("a release with %s is refused", ([, heading, tag, problem]) => {
  expect(notesOf(changelog(heading), tag, "1.2.3")).toEqual({ problem });
});

test("a release without notes is refused", () => {
  const empty = notesOf(changelog("1.2.3 (2026-01-31)", ""), "v1.2.3", "1.2.3");
  expect(empty).toEqual({ problem: "CHANGELOG.md: the section of 1.2.3 is empty." });
});
