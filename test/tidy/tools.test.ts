import { join } from "node:path";
import { expect, test } from "vitest";
import { runTool } from "./run-tool.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Milliseconds. A tool takes some seconds on an idle machine. */
const LIMIT = 900_000;

test("the compiler reports nothing", { timeout: LIMIT }, async () => {
  expect(await runTool(ROOT, "tsc")).toEqual({ code: 0, output: "" });
});

test("the compiler reports nothing about the script of the status page", { timeout: LIMIT }, async () => {
  expect(await runTool(ROOT, "tsc", "-p", "src/http/status-page/browser")).toEqual({ code: 0, output: "" });
});

test("the linter reports nothing", { timeout: LIMIT }, async () => {
  expect(await runTool(ROOT, "oxlint", "--format=unix")).toEqual({ code: 0, output: "" });
});

test("every file is formatted", { timeout: LIMIT }, async () => {
  expect(
    await runTool(ROOT, "prettier", "--check", "--cache", "--cache-strategy=content", "--log-level=warn", "."),
  ).toEqual({ code: 0, output: "" });
});
