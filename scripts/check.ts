import { spawn, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * `npm run check`: types, lint, format and the tests of what changed since the last commit, in less than a minute. What it
 * cannot see, such as a test that only a distant change breaks, `npm test` does.
 */

const ROOT = join(import.meta.dirname, "..");

/** Run whatever changed: what holds for every metric, alert and panel, the generated files and the snapshots. */
const ALWAYS = [
  "test/catalogue",
  "test/definitions",
  "test/generate",
  "test/config/example.test.ts",
  "test/e2e/alert-proofs.test.ts",
  "test/e2e/families.test.ts",
  "test/tidy/structure.test.ts",
];
/** Runs the compiler, the linter and the formatter, which are run here anyway. */
const NEVER = "test/tidy/tools.test.ts";

/** Files that differ from the last commit, new ones included. */
function changedFiles(): readonly string[] {
  const lines = (...args: readonly string[]) =>
    spawnSync("git", args, { cwd: ROOT, encoding: "utf8" }).stdout.split("\n").filter(Boolean);
  const changed = [
    ...lines("diff", "--name-only", "--relative", "HEAD"),
    ...lines("ls-files", "--others", "--exclude-standard"),
  ];
  return changed.filter((file) => existsSync(join(ROOT, file)));
}

/** Changed tests, the test with the name of a changed file, and the tests that import a changed file. */
function testsOf(changed: readonly string[]): readonly string[] {
  const tests = globSync("test/**/*.test.ts", { cwd: ROOT });
  const mirrors = new Set(changed.map((file) => file.replace(/^src\//, "test/").replace(/\.ts$/, ".test.ts")));
  return tests.filter((test) => {
    if (changed.includes(test) || mirrors.has(test)) return true;
    const text = readFileSync(join(ROOT, test), "utf8");
    return changed.some((file) => {
      const path = relative(dirname(test), file);
      return text.includes(`"${path.startsWith(".") ? path : `./${path}`}"`);
    });
  });
}

/** Runs a tool of the project; true when it has nothing to complain about, else what it says is shown. */
function run(what: string, tool: string, ...args: readonly string[]): Promise<boolean> {
  const started = performance.now();
  const child = spawn(join(ROOT, "node_modules/.bin", tool), args, { cwd: ROOT });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const { promise, resolve } = Promise.withResolvers<boolean>();
  child.on("error", (error) => (said += error.message));
  child.on("close", (code) => {
    const took = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${code === 0 ? "ok    " : "FAILED"} ${what} (${took} s)`);
    if (code !== 0) console.log(said.trimEnd());
    resolve(code === 0);
  });
  return promise;
}

const CACHE = ["--cache", "--cache-strategy=content"];
const tests = testsOf(changedFiles()).filter(
  (test) => test !== NEVER && !ALWAYS.some((always) => test.startsWith(always)),
);

/** One after the other, each of the two on a core of its own. */
const lint = async () => [
  await run("types", "tsc"),
  await run("lint", "eslint", ".", "--max-warnings=0", ...CACHE, "--cache-location=node_modules/.cache/eslint/"),
  await run("format", "prettier", "--check", "--log-level=warn", ...CACHE, "."),
];
const test = async () => [
  await run(
    `tests: what holds for all, and ${tests.join(", ") || "nothing else"}`,
    "vitest",
    "run",
    ...ALWAYS,
    ...tests,
  ),
];

const results = (await Promise.all([lint(), test()])).flat();
if (results.includes(false)) {
  console.log("Generated files and snapshots are written by `npm run update`, which formats too.");
  process.exitCode = 1;
}
