import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Milliseconds. A tool takes some seconds on an idle machine. */
const LIMIT = 900_000;

test.each([
  ["the compiler reports nothing", "tsc", []],
  ["the compiler reports nothing about the script of the status page", "tsc", ["-p", "src/http/status-page/browser"]],
  ["the linter reports nothing", "oxlint", ["--format=unix"]],
  ["every file is formatted", "prettier", ["--check", "--cache", "--cache-strategy=content", "--log-level=warn", "."]],
])("%s", { timeout: LIMIT }, async (_what, tool, args) => {
  const { promise, resolve } = Promise.withResolvers<{ readonly failed: boolean; readonly output: string }>();
  execFile(join(ROOT, "node_modules/.bin", tool), args, { cwd: ROOT }, (error, stdout, stderr) =>
    resolve({ failed: error !== null, output: stdout + stderr }),
  );
  expect(await promise).toEqual({ failed: false, output: "" });
});
