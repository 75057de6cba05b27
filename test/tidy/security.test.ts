import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const TEXT = readFileSync(join(ROOT, "SECURITY.md"), "utf8");

/** The rows of the tables of the threat model as cells; those of their heads and rules left out. */
const ROWS = TEXT.slice(TEXT.indexOf("## Threat model"))
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| ---") && !line.endsWith("| test |"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const codeIn = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

describe("the threat model of SECURITY.md", () => {
  test("has a place and a test in each row", () => {
    for (const [what, happens, where = "", held = "", ...more] of ROWS) {
      expect([what, happens, more]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./), []]);
      expect(codeIn(where), what).toEqual([expect.stringMatching(/^src\//)]);
      expect(codeIn(held), what).toEqual([expect.stringMatching(/^test\/.*\.ts$/)]);
    }
  });

  test("names only paths that exist", () => {
    const paths = [...TEXT.matchAll(/`((?:src|test|docs|deploy)\/[^`\s]*)`/g)].map(([, path = ""]) => path);
    expect(paths).not.toEqual([]);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
