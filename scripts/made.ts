import { readFileSync } from "node:fs";
import { join } from "node:path";
import { revisionOf } from "../src/daemon/revision-of.ts";
import type { Made } from "./bundle.ts";

export const ROOT = join(import.meta.dirname, "..");

/** The version of package.json. */
export const VERSION = (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string }).version;

/**
 * The commit that is checked out, and the time of the build. REVISION is the commit where the source has no repository, as in an
 * image. SOURCE_DATE_EPOCH replaces the time (Unix seconds), so that the same source makes the same bytes. Throws when it is not
 * a number.
 */
export function madeNow(env: Readonly<Record<string, string | undefined>> = process.env, root = ROOT): Made {
  const given = env["SOURCE_DATE_EPOCH"];
  if (given !== undefined && !/^\d{1,11}$/.test(given))
    throw new Error(`SOURCE_DATE_EPOCH is "${given}": set Unix seconds, such as the output of git log -1 --format=%ct`);
  const time = given === undefined ? Date.now() : Number(given) * 1000;
  const found = revisionOf(root);
  const [named = found] = /^[0-9a-f]{7}/.exec(env["REVISION"] ?? "") ?? [];
  return { revision: found === "unknown" ? named : found, date: new Date(time).toISOString().replace(/\.\d+Z$/, "Z") };
}
