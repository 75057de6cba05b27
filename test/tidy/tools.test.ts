import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Runs a tool of the project; returns its exit code and output. */
async function run(tool: string, ...args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(join(ROOT, "node_modules/.bin", tool), args, { cwd: ROOT });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on("error", reject);
  child.on("close", resolve);
  return { code: await promise, output };
}

/** Milliseconds. A tool takes half a minute on an idle machine. */
const LIMIT = 900_000;

test("the compiler reports nothing", { timeout: LIMIT }, async () => {
  expect(await run("tsc")).toEqual({ code: 0, output: "" });
});

test("the compiler reports nothing about the script of the status page", { timeout: LIMIT }, async () => {
  expect(await run("tsc", "-p", "src/http/status-page/browser")).toEqual({ code: 0, output: "" });
});

// Without its cache, because a changed type can cause errors in unchanged files.
test("the linter reports nothing", { timeout: LIMIT }, async () => {
  expect(await run("eslint", ".", "--max-warnings=0")).toEqual({ code: 0, output: "" });
});

test("every file is formatted", { timeout: LIMIT }, async () => {
  expect(await run("prettier", "--check", "--cache", "--cache-strategy=content", "--log-level=warn", ".")).toEqual({
    code: 0,
    output: "",
  });
});
