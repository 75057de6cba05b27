import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const CACHE = join(ROOT, "node_modules/.cache");
mkdirSync(CACHE, { recursive: true });
/** Inside the project, so that packages are found. */
const folder = mkdtempSync(join(CACHE, "examples-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The lines of an `@example` to the end of its docstring, as code. */
const examplesIn = (text: string): readonly string[] =>
  [...text.matchAll(/@example\n([^]*?)\*\//g)].map(([, lines = ""]) => lines.replaceAll(/^ *\* ?/gm, "").trim());

/** The examples behind a copy of their file, whose names they use. */
function compiledText(path: string, text: string): string {
  const lines = examplesIn(text).map((example) => example.split("\n"));
  const imports = lines.flat().filter((line) => line.startsWith("import "));
  const blocks = lines.map((each) => `{\n${each.filter((line) => !line.startsWith("import ")).join("\n")}\n}`);
  const from = dirname(join(ROOT, path));
  return [...imports, text, ...blocks]
    .join("\n")
    .replaceAll(/"(\.\.?\/[^"]+\.ts)"/g, (_all, to: string) => `"${resolve(from, to)}"`);
}

test("the examples of docstrings compile", () => {
  const sources = globSync(
    ["src/**/*.ts", "generate/**/*.ts", "simulator/**/*.ts", "test/**/{support,faults}/**/*.ts"],
    { cwd: ROOT },
  );
  const texts = sources.map((path) => [path, readFileSync(join(ROOT, path), "utf8")] as const);
  const found = texts.filter(([, text]) => examplesIn(text).length > 0);
  const files = found.map(([path, text], index) => {
    const name = `${index}-${path.replaceAll("/", "-")}`;
    writeFileSync(join(folder, name), compiledText(path, text));
    return name;
  });
  expect(found.length).toBeGreaterThan(7);
  // Paths of the copies are absolute.
  const options = {
    noUnusedLocals: false,
    incremental: false,
    rewriteRelativeImportExtensions: false,
    tsBuildInfoFile: null,
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: join(ROOT, "tsconfig.json"), compilerOptions: options, include: [], files }),
  );
  const { stdout } = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
}, 60_000);
