import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * `npm run check`: types, lint, format and the quick tests of what imports a changed file, in one or two minutes. `npm test` runs the
 * other tests, which a distant change may break.
 */

const ROOT = join(import.meta.dirname, "..");

/** Run after any change: the rules for every metric, alert and panel, the generated files and the snapshots. */
const ALWAYS = [
  "test/topics/define",
  "test/topics/all",
  "test/generate",
  "test/config/example.test.ts",
  "test/config/load-config.test.ts",
  "test/config/schema/probe-modules.test.ts",
  "test/e2e/stories-judge.test.ts",
  "test/faults/table.test.ts",
  "test/tidy/documents.test.ts",
  "test/tidy/examples.test.ts",
  "test/tidy/structure.test.ts",
];

/** Files that differ from the last commit, including new ones. */
function changedFiles(): readonly string[] {
  const lines = (...args: readonly string[]) =>
    spawnSync("git", args, { cwd: ROOT, encoding: "utf8" }).stdout.split("\n").filter(Boolean);
  const changed = [
    ...lines("diff", "--name-only", "--relative", "HEAD"),
    ...lines("ls-files", "--others", "--exclude-standard"),
  ];
  return changed.filter((file) => existsSync(join(ROOT, file)));
}

/** Tests of real processes and of whole networks, which take minutes: `npm test` runs them. */
const SLOW = [
  "test/{e2e,faults}/**",
  "test/generate/{runbook-commands,rules}.test.ts",
  "test/cli/{one-shot,call,doctor-unknown}.test.ts",
  "test/daemon/examine.test.ts",
  "test/http/inspection.test.ts",
  "test/http/*-page/*-{browser,layout}.test.ts",
  "test/poller/{lying-node,hosted/hosted-budget}.test.ts",
];

/** Runs a tool of the project; true on success. On failure prints its output. */
function run(what: string, tool: string, ...args: readonly string[]): Promise<boolean> {
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  execFile(join(ROOT, "node_modules/.bin", tool), args, { cwd: ROOT, maxBuffer: Infinity }, (error, out, err) => {
    const took = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${error === null ? "ok    " : "FAILED"} ${what} (${took} s)`);
    if (error !== null) console.log(`${out}${err}`.trimEnd());
    resolve(error === null);
  });
  return promise;
}

const changed = changedFiles().filter((file) => file.endsWith(".ts"));

/** Two sequences in parallel, one per core. Tests are chosen by what they import: what broke is seldom in the test of the changed file. */
const related = async () => [
  await run("types", "tsc"),
  await run("types of the status page's script", "tsc", "-p", "src/http/status-page/browser"),
  await run("lint", "oxlint"),
  await run("format", "prettier", "--check", "--log-level=warn", "--cache", "--cache-strategy=content", "."),
  ...(changed.length === 0
    ? []
    : [
        await run(
          "tests of all that imports a changed file",
          "vitest",
          ...["related", "--run", "--passWithNoTests", ...changed],
          ...[...SLOW, ...ALWAYS.map((path) => `${path}{,/**}`)].map((path) => `--exclude=${path}`),
        ),
      ]),
];
const always = async () => [await run("tests of what holds for all", "vitest", "run", ...ALWAYS)];

const results = (await Promise.all([related(), always()])).flat();
if (results.includes(false)) {
  console.log("Generated files and snapshots are written by `npm run update`, which formats too.");
  process.exitCode = 1;
}
