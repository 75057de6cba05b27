import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import config from "../../oxlint.config.ts";
import { REFUSED } from "./lint-fixtures.ts";
import { runTool } from "./run-tool.ts";

const ROOT = join(import.meta.dirname, "../..");
const RULES = Object.keys(REFUSED);
const LIBRARIES = ["undici", "ws", "node-cron", "prom-client", "yaml", "pino", "fastest-levenshtein"];
const GUARDED = [...LIBRARIES, "@noble/curves/bls12-381.js", "@noble/hashes/sha3.js", "@scure/base", "bcryptjs"];
const IMPORTS = GUARDED.map((each) => `import "${each}";\n`).join("");
const PROCESS = "export const platform = process.platform;\n";
const DEFAULT = "const a = 1;\nexport default a;\n";
const CONSOLE = 'console.log("a");\nexport {};\n';

/** Files of a small project with the configuration of this one. */
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(RULES.map((rule, index) => [`test/rule-${index}.ts`, REFUSED[rule] ?? ""])),
  "src/other.ts": IMPORTS + PROCESS,
  "src/daemon/logger.ts": IMPORTS,
  "src/config/read/any.ts": IMPORTS,
  "src/config/base/identifiers.ts": IMPORTS,
  "src/main.ts": PROCESS,
  "any.config.ts": DEFAULT,
  "scripts/any.ts": CONSOLE,
  "bench/any.ts": CONSOLE,
};

type Report = {
  readonly diagnostics: ReadonlyArray<{ readonly filename: string; readonly code: string; readonly message: string }>;
};

let folder = "";
let found: Report["diagnostics"] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "avax-lint-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const file of ["oxlint.config.ts", "tsconfig.json", "package.json"])
    copyFileSync(join(ROOT, file), join(folder, file));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  // Named, because the linter would follow the link to the libraries.
  const { output } = await runTool(folder, "oxlint", "--format=json", ...Object.keys(FILES));
  found = (JSON.parse(output) as Report).diagnostics;
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const codesOf = (path: string): readonly string[] =>
  found.filter(({ filename }) => filename === path).map(({ code }) => code);
const refusedImports = (path: string): number =>
  codesOf(path).filter((code) => code === "eslint(no-restricted-imports)").length;

describe("the linter", () => {
  test("has a refused text for every rule", () => {
    const named = RULES.map((rule) => rule.replace(/^eslint\((.*)\)$/, "$1").replace(/^(.*)\((.*)\)$/, "$1/$2"));
    expect(named.toSorted()).toEqual(Object.keys(config.rules ?? {}).toSorted());
  });

  test.each(RULES.map((rule, index) => [rule, index] as const))("refuses what breaks %s", (rule, index) => {
    expect(codesOf(`test/rule-${index}.ts`)).toContain(rule);
  });

  test("refuses a guarded library in every file but its own", () => {
    expect(refusedImports("src/other.ts")).toBe(GUARDED.length);
    expect(refusedImports("src/daemon/logger.ts")).toBe(GUARDED.length - 1);
    expect(refusedImports("src/config/read/any.ts")).toBe(GUARDED.length - 1);
    expect(refusedImports("src/config/base/identifiers.ts")).toBe(GUARDED.length - 2);
  });

  test("refuses the process outside of the main file", () => {
    expect(codesOf("src/other.ts")).toContain("eslint(no-restricted-globals)");
    expect(codesOf("src/main.ts")).toEqual([]);
  });

  test("allows a default export in the configuration of a tool, and the console in scripts", () => {
    expect(["any.config.ts", "scripts/any.ts", "bench/any.ts"].flatMap(codesOf)).toEqual([]);
  });
});
