import { readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = join(import.meta.dirname, "../package.json");

/** The options that `npm start` gives to Node.js, so that the daemon is measured as it is run. */
export function startLimits(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { scripts: Readonly<Record<string, string>> };
  return (scripts["start"] ?? "").split(" ").filter((word) => word.startsWith("--"));
}
