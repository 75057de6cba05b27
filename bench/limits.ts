import { readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = join(import.meta.dirname, "../package.json");

/** What `npm start` gives to Node.js, so that the daemon is measured as it is run: options. */
export function startLimits(): readonly string[] {
  return words().filter((word) => word.startsWith("--"));
}

/** As `startLimits`: variables, with which the C library gives freed memory back to the system. */
export function startVariables(): Readonly<Record<string, string>> {
  const variables = words().filter((word) => /^[A-Z_]+=/.test(word));
  return Object.fromEntries(
    variables.map((word): [string, string] => {
      const at = word.indexOf("=");
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

function words(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { scripts: Readonly<Record<string, string>> };
  return (scripts["start"] ?? "").split(" ");
}
