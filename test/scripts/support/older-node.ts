import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { startChild } from "../../e2e/support/child.ts";

/** The first Node.js in PATH that is older than the required one, if there is one. */
export async function olderNode(): Promise<string | undefined> {
  const found = (process.env["PATH"] ?? "").split(delimiter).map((place) => join(place, "node"));
  for (const program of found.filter((file) => existsSync(file))) {
    const asked = startChild(program, ["--version"]);
    await asked.exited;
    if (Number(/^v(\d+)/.exec(asked.stdout())?.[1] ?? 24) < 24) return program;
  }
  return undefined;
}
