import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Paths of the project in backticks; `<name>` and `x/y` stand for any. */
function pathsIn(document: string): readonly string[] {
  const text = readFileSync(join(ROOT, document), "utf8");
  const named = text.matchAll(/`((?:src|test|scripts|docs|grafana|deploy|bench|tools|bin)\/[^`\s]*)`/g);
  return [...named].map(([, path = ""]) => path).filter((path) => !/<|\/x\/y/.test(path));
}

test.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("every path that %s names exists", (document) => {
  const paths = pathsIn(document);
  expect(paths.length).toBeGreaterThan(15);
  const missing = paths.filter((path) =>
    path.includes("*") ? globSync(path, { cwd: ROOT }).length === 0 : !existsSync(join(ROOT, path)),
  );
  expect(missing).toEqual([]);
});
